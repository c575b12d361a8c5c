"""Preference pairs with a provable label: putting scene, family and style together, and solving a question.

The pair at a position depends on seed and position alone. `FAMILIES` is where a family is added: one file with
a `FAMILY`, one line here. Nothing here knows what a family asks or how a style sounds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from biasscope.objective import arithmetic, code, dates, logic, ordering, units
from biasscope.objective.draw import Draw
from biasscope.objective.family import Family
from biasscope.objective.scene import NUMBERS, SEEDS, set_scene, split_scene
from biasscope.objective.style import draw_style, write_response
from biasscope.records import Message, PreferencePair

FAMILIES: Mapping[str, Family] = {
    "arithmetic": arithmetic.FAMILY,
    "dates": dates.FAMILY,
    "units": units.FAMILY,
    "ordering": ordering.FAMILY,
    "logic": logic.FAMILY,
    "code": code.FAMILY,
}
DOMAINS: tuple[str, ...] = tuple(FAMILIES)


def generate(count: int, *, seed: int, domains: Sequence[str] | None = None) -> Iterator[PreferencePair]:
    """Generate `count` pairs whose chosen response is provably right and whose rejected one is provably wrong.

    Position i has the domain ``DOMAINS[i % len(DOMAINS)]`` and the id ``objective-{seed}-{i}``; with `domains`
    the positions of the other domains are passed over, so that an id always names the same pair. No question
    occurs twice, neither in a seed nor in two of them. `reference` is the right answer.

    Raises ValueError, before the first pair, for an unknown or an empty choice of domains, a seed outside 0 to
    9,999, or a count below 0 or above 200,000 per domain.
    """
    wanted = DOMAINS if domains is None else tuple(domain for domain in DOMAINS if domain in domains)
    unknown = [domain for domain in domains or () if domain not in DOMAINS]
    if unknown or not wanted:
        raise ValueError(f"need domains among {list(DOMAINS)}, got {list(domains or ())}")
    if not 0 <= seed < SEEDS:
        raise ValueError(f"need 0 <= seed < {SEEDS}, got {seed}")
    if not 0 <= count <= NUMBERS * len(wanted):
        raise ValueError(f"need 0 <= count <= {NUMBERS * len(wanted)} for {len(wanted)} domains, got {count}")
    numbered = ((number, domain) for number in range(NUMBERS) for domain in wanted)
    return (_make_pair(seed, number, domain) for number, domain in islice(numbered, count))


def solve(question: str) -> str | None:
    """Solve a generated question from its text alone, by another way than it was made.

    None for a text that is no generated question.
    """
    asked = split_scene(question.strip())
    if asked is None:
        return None
    answers = (family.solve(asked.text) for family in FAMILIES.values())
    return next((answer for answer in answers if answer is not None), None)


def _make_pair(seed: int, number: int, domain: str) -> PreferencePair:
    names = ("objective", domain, seed, number)
    task = FAMILIES[domain].make(Draw(*names, "task"))
    chosen, rejected = (
        write_response(working, answer, draw_style(draw), draw)
        for working, answer, draw in (
            (task.working_right, task.right, Draw(*names, "chosen")),
            (task.working_wrong, task.wrong, Draw(*names, "rejected")),
        )
    )
    return PreferencePair(
        id=f"objective-{seed}-{number * len(DOMAINS) + DOMAINS.index(domain)}",
        prompt=(Message("user", set_scene(domain, seed, number, task.question)),),
        chosen=chosen,
        rejected=rejected,
        domain=domain,
        labelled=True,
        objective=True,
        reference=task.right,
        source=f"objective:seed={seed}",
    )
