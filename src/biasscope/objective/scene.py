"""The scene of a question: who asks it. It is what keeps the questions of all seeds apart.

A scene is one of 20 openings with a first name, a surname, a trade and a town out of 100 each. In each domain
every (seed, number) has one of these 2,000,000,000 scenes of its own: seeds 0 to 9,999 with 200,000 numbers
each. A scene can be traced back to its seed and number, so two questions of a domain are equal only if they
are the same question of the same seed. Nothing here knows what is asked.
"""

from __future__ import annotations

import re
from functools import cache
from math import prod
from typing import NamedTuple

from biasscope.objective.family import question_pattern, words
from biasscope.seeds import pick

FIRST_NAMES = words(
    """
    Adele Aisha Akira Alba Amina Anders Anjali Anton Aria Arjun Astrid Aurel Beatriz Benno Bianca Boris Bruno
    Camila Cedric Chiara Clara Cosmo Dalia Damir Daria Diego Dorian Edith Eamon Elif Elena Emeka Emil Enzo
    Esther Farid Fatima Felix Fiona Flora Gaspar Gemma Goran Greta Hana Hassan Helga Henrik Hugo Ida Imani
    Ines Irina Isaac Ivo Jana Jasper Joana Jonas Julia Kamil Karin Kenji Kira Lars Leila Leon Lidia Linus
    Luca Magda Malik Marta Matteo Mei Milan Mira Nadia Nils Noor Olga Omar Oscar Paola Pavel Petra Priya
    Rafael Rosa Ruben Samira Selma Simon Sofia Tariq Thea Uma Viktor Yara Zoe
    """
)
SURNAMES = words(
    """
    Abbott Adeyemi Almeida Andersen Aoki Bakker Banerjee Barros Becker Bennett Bianchi Blom Bosch Brandt
    Castro Chandra Chen Costa Cruz Dahl Danso Delgado Demir Dubois Eriksen Esposito Falk Farah Fischer Flores
    Fontaine Fraser Garcia Gomez Greco Gupta Haddad Hansen Hoffman Horvat Ibrahim Iqbal Ivanov Jansen Jensen
    Kamau Kapoor Karlsson Keller Khan Kimura Kovacs Kruger Larsen Laurent Lehmann Lindqvist Lopez Madsen Malik
    Marino Mbeki Mendes Mensah Meyer Moreau Mueller Nakano Navarro Nguyen Novak Nowak Okafor Okoye Olsen
    Ortega Osei Palmer Park Patel Pereira Petrov Popescu Quist Ramos Ricci Rossi Sato Schmidt Silva Singh
    Sorensen Tanaka Toledo Varga Vasquez Vogel Weber Yilmaz Zimmer
    """
)
TRADES = words(
    """
    accountant actor archivist astronomer baker banker barber beekeeper biologist blacksmith bookbinder
    botanist brewer bricklayer butcher butler captain carpenter cartographer chef chemist clerk cobbler
    composer cook courier curator dancer dentist designer diver doctor driver editor electrician engineer
    farmer firefighter fisher florist forester gardener geologist glazier goldsmith grocer guide hairdresser
    historian illustrator inspector janitor jeweller journalist judge lawyer librarian locksmith machinist
    mason mechanic merchant midwife miller miner musician nurse optician painter pharmacist philosopher
    photographer physicist pianist pilot plumber poet porter potter printer publisher ranger roofer sailor
    saddler sculptor shepherd singer surgeon surveyor tailor teacher translator upholsterer violinist waiter
    watchmaker weaver welder zoologist
    """
)
TOWNS = words(
    """
    Aarhus Accra Adana Agadir Almaty Antwerp Arles Athens Austin Bamako Bari Basel Bergen Bilbao Bologna
    Bordeaux Boston Bremen Brno Bruges Cadiz Cairo Calgary Cardiff Chennai Cologne Cork Dakar Delft Denver
    Dublin Durban Edmonton Erfurt Essen Faro Florence Fukuoka Galway Gdansk Geneva Genoa Ghent Glasgow Granada
    Graz Haifa Hanoi Helsinki Hobart Izmir Jaipur Kampala Kaunas Kobe Kyoto Lagos Lahore Leeds Leipzig Leuven
    Lima Lisbon Lublin Lund Lyon Malaga Malmo Manila Memphis Messina Milan Mombasa Mumbai Munich Nairobi Naples
    Odense Osaka Oslo Oulu Padua Palermo Porto Prague Quito Rabat Reims Riga Rouen Salem Seville Sofia Split
    Tallinn Tampere Tartu Turin Utrecht Zagreb
    """
)
OPENINGS = (
    "{first} {last}, {trade} from {town}, asks:",
    "A question by {first} {last}, {trade} in {town}:",
    "{first} {last} works as {trade} in {town} and would like to know:",
    "Here is something that {first} {last}, {trade} living in {town}, wants to have settled:",
    "During a break, {first} {last} from {town}, {trade}, came up with this:",
    "Sent in by {first} {last}, {trade} of {town}:",
    "{first} {last} of {town} earns a living as {trade}. One thing to work out today:",
    "In {town}, {trade} named {first} {last} wrote down the following:",
    "A note from {trade} in {town}, signed {first} {last}, says:",
    "For a quiz in {town}, {first} {last}, {trade}, prepared this:",
    "{first} {last}, who is {trade} near {town}, needs help with this:",
    "On the way to {town}, {first} {last}, {trade}, wondered about the following:",
    "This comes from the notebook of {first} {last}, {trade} at {town}:",
    "Over lunch in {town}, {trade} called {first} {last} put this to the table:",
    "{first} {last} is {trade} and lives in {town}. The puzzle of the day:",
    "As {trade} in {town}, {first} {last} has to answer this at work:",
    "A letter from {town} reached us. Its writer, {first} {last}, is {trade} and asks:",
    "From {town}, where {first} {last} is {trade}, we were sent this:",
    "{first} {last} has been {trade} in {town} for years and poses this:",
    "At an evening class in {town}, {first} {last}, {trade}, was given this:",
)

SEEDS = 10_000
"""Seeds 0 to SEEDS - 1 have scenes of their own."""

_SIZES = (len(OPENINGS), len(TRADES), len(TOWNS), len(FIRST_NAMES), len(SURNAMES))
_SCENES = prod(_SIZES)
NUMBERS = _SCENES // SEEDS
"""How many scenes a seed has, and so how many questions of one family."""

_RIGHT = len(FIRST_NAMES) * len(SURNAMES) * len(TOWNS)
_LEFT = _SCENES // _RIGHT
_ROUNDS = 4


class Asked(NamedTuple):
    """A question taken apart: the code of its scene, and what is asked."""

    code: int
    text: str


def set_scene(domain: str, seed: int, number: int, asked: str) -> str:
    """Write the question: the opening that belongs to domain, seed and number, then what is asked.

    Raises ValueError for a seed outside range(SEEDS) or a number outside range(NUMBERS).
    """
    if not (0 <= seed < SEEDS and 0 <= number < NUMBERS):
        raise ValueError(
            f"need 0 <= seed < {SEEDS} and 0 <= number < {NUMBERS}, got seed={seed}, number={number}"
        )
    code = _mix((seed * NUMBERS + number + _shift(domain)) % _SCENES)
    digits: list[int] = []
    for size in reversed(_SIZES):
        code, digit = divmod(code, size)
        digits.append(digit)
    last, first, town, trade, opening = digits
    article = "an" if TRADES[trade][0] in "aeiou" else "a"
    text = OPENINGS[opening].format(
        first=FIRST_NAMES[first], last=SURNAMES[last], town=TOWNS[town], trade=f"{article} {TRADES[trade]}"
    )
    return f"{text} {asked}"


def split_scene(question: str) -> Asked | None:
    """Take a question apart, whatever its case; None for a question without a scene."""
    for opening in range(len(OPENINGS)):
        match = _opening_pattern(opening).match(question)
        if match is None:
            continue
        found = [match[name].casefold() for name in ("trade", "town", "first", "last")]
        indices = [_index(kind).get(word) for kind, word in enumerate(found)]
        code = opening
        for size, index in zip(_SIZES[1:], indices, strict=True):
            if index is None:
                break
            code = code * size + index
        else:
            return Asked(code, question[match.end() :])
    return None


def locate(code: int, domain: str) -> tuple[int, int]:
    """Give the seed and number that a scene belongs to in a domain; undoes `set_scene`."""
    return divmod((_unmix(code) - _shift(domain)) % _SCENES, NUMBERS)


@cache
def _shift(domain: str) -> int:
    """Let the domains go through the scenes from different starts, so that neighbours have different scenes."""
    return pick(_SCENES, "scene", domain)


@cache
def _opening_pattern(opening: int) -> re.Pattern[str]:
    pattern = question_pattern(OPENINGS[opening].replace("{trade}", "{article} {trade}")).pattern
    return re.compile(pattern.replace(".+?", "[a-z]+") + r"\s+", re.IGNORECASE)


@cache
def _index(kind: int) -> dict[str, int]:
    return {word.casefold(): i for i, word in enumerate((TRADES, TOWNS, FIRST_NAMES, SURNAMES)[kind])}


def _mix(code: int) -> int:
    """Permute the scenes (an unbalanced Feistel network), so that neighbouring questions look unalike."""
    left, right = divmod(code, _RIGHT)
    for turn in range(_ROUNDS):
        left = (left + pick(_LEFT, "scene", turn, right)) % _LEFT
        right = (right + pick(_RIGHT, "scene", turn, left)) % _RIGHT
    return left * _RIGHT + right


def _unmix(code: int) -> int:
    left, right = divmod(code, _RIGHT)
    for turn in reversed(range(_ROUNDS)):
        right = (right - pick(_RIGHT, "scene", turn, left)) % _RIGHT
        left = (left - pick(_LEFT, "scene", turn, right)) % _LEFT
    return left * _RIGHT + right
