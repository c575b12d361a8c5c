"""Logic: syllogisms, conditional rules, counts under a quantifier, truth values of an expression.

Cases come from forms known to be valid or invalid; questions are solved by going through all models. The slip
is a converse taken for the rule, a member overlooked or counted in, *and* read as *or*, or a lost *not*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import pairwise

from biasscope.objective.draw import Draw
from biasscope.objective.family import Case, Family, Kind, words
from biasscope.objective.worlds import follows_from_rules, follows_from_statements

TERMS = words(
    """
    zorps plims quandles brivets toskers murbles fenlings gralts dopplets skerns wimbats jullocks harpins vostels
    nimbors crellets plunets yadders
    """
)
STATEMENTS = {"A": "all {} are {}", "E": "no {} are {}", "I": "some {} are {}", "O": "some {} are not {}"}
FIGURES = {"1": ("mp", "sm"), "2": ("pm", "sm"), "3": ("mp", "ms"), "4": ("pm", "ms")}
# Each is valid, or each invalid, whether or not "all" is taken to say that there are any.
VALID = words("AAA1 EAE1 AII1 EIO1 EAE2 AEE2 EIO2 AOO2 IAI3 AII3 OAO3 EIO3 AEE4 IAI4 EIO4")
INVALID = words("AAA2 AII2 IAI1 AAA3 EAE3 AEE1 AEE3 IAI2 AOO1 OAO1 AEA2 IEO1 AAA4 OAO2 AII4")

STATES = words(
    """
    lamp:lit door:open kettle:hot radio:on fan:running heater:warm gate:shut bell:ringing oven:full printer:busy
    pump:working fridge:empty window:clean
    """
)
NUMBER_WORDS = words("zero one two three four five six seven")
PROPERTIES: Mapping[str, Callable[[int], bool]] = {
    "even": lambda n: n % 2 == 0,
    "odd": lambda n: n % 2 == 1,
    "divisible by 3": lambda n: n % 3 == 0,
    "greater than 50": lambda n: n > 50,
    "smaller than 40": lambda n: n < 40,
}


def _verdict(truth: bool) -> str:
    return "Yes" if truth else "No"


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _draw_syllogism(draw: Draw) -> Case:
    valid = draw.chance(0.5)
    major, minor, claim, figure = list(draw.choose(VALID if valid else INVALID))
    terms = dict(zip("smp", draw.sample(TERMS, 3), strict=True))
    premises = [
        _capital(STATEMENTS[form].format(*(terms[letter] for letter in order))) + "."
        for form, order in zip((major, minor), FIGURES[figure], strict=True)
    ]
    fields = {
        "premises": " ".join(draw.shuffle(premises)),
        "claim": STATEMENTS[claim].format(terms["s"], terms["p"]),
    }
    right, wrong = (
        {**terms, "answer": _verdict(truth)}
        | (
            {"link": "carries all the way", "case": "no case escapes the claim", "drawn": "is forced"}
            if truth
            else {"link": "breaks on the way", "case": "a case escapes the claim", "drawn": "stays open"}
        )
        for truth in (valid, not valid)
    )
    return Case(fields, right, wrong)


def _solve_syllogism(fields: Mapping[str, str]) -> str | None:
    truth = follows_from_statements(re.findall(r"([^.]+?)\.\s*", fields["premises"]), fields["claim"])
    return None if truth is None else _verdict(truth)


def _say(state: str, truth: bool = True) -> str:
    thing, adjective = state.split(":")
    return f"the {thing} is {'' if truth else 'not '}{adjective}"


def _draw_rules(draw: Draw) -> Case:
    states = draw.sample(STATES, draw.integer(2, 4))
    follows, affirms = draw.chance(0.5), draw.chance(0.5)
    start, end = states[0], states[-1]
    if follows != affirms:
        start, end = end, start
    rules = [f"If {_say(a)}, then {_say(b)}." for a, b in pairwise(states)]
    fact, claim = _say(start, affirms), _say(end, affirms)
    right, wrong = (
        {"answer": _verdict(truth)}
        | (
            {"reach": "is reached", "clash": "meets a conflict", "step": "is covered"}
            if truth
            else {"reach": "stays out of reach", "clash": "meets no conflict", "step": "is not covered"}
        )
        for truth in (follows, not follows)
    )
    return Case({"rules": " ".join(draw.shuffle(rules)), "fact": fact, "claim": claim}, right, wrong)


def _solve_rules(fields: Mapping[str, str]) -> str | None:
    rules = re.findall(r"If ([^.]+?), then ([^.]+?)\.", fields["rules"])
    truth = follows_from_rules(rules, fields["fact"], fields["claim"])
    return None if truth is None else _verdict(truth)


def _draw_count(draw: Draw) -> Case:
    name = draw.choose(tuple(PROPERTIES))
    wanted, holds = draw.integer(2, 4), draw.chance(0.5)
    # (words, count for a true statement, count for a false one): the two are neighbours.
    off = wanted + draw.sign()
    quantifier, if_true, if_false = draw.choose(
        (("at least", wanted, wanted - 1), ("at most", wanted, wanted + 1), ("exactly", wanted, off))
    )
    count, miscount = (if_true, if_false) if holds else (if_false, if_true)
    having = draw.sample([n for n in range(11, 90) if PROPERTIES[name](n)], count)
    lacking = draw.sample([n for n in range(11, 90) if not PROPERTIES[name](n)], 7 - count)
    numbers = draw.shuffle([*having, *lacking])
    counted = [*having, lacking[0]] if miscount > count else having[:-1]
    right, wrong = (
        {"hits": ", ".join(str(n) for n in numbers if n in hits), "count": NUMBER_WORDS[len(hits)]}
        | {"answer": _verdict(truth)}
        for hits, truth in ((having, holds), (counted, not holds))
    )
    demand = f"{quantifier} {NUMBER_WORDS[wanted]}"
    fields = {"numbers": ", ".join(str(n) for n in numbers), "quantifier": demand, "property": name}
    return Case(fields, right, wrong)


def _solve_count(fields: Mapping[str, str]) -> str | None:
    match = re.fullmatch(r"(at least|at most|exactly) (\w+)", fields["quantifier"])
    if match is None or match[2] not in NUMBER_WORDS or fields["property"] not in PROPERTIES:
        return None
    if not re.fullmatch(r"[0-9]{1,7}(, [0-9]{1,7})*", fields["numbers"]):
        return None
    numbers = [int(word) for word in fields["numbers"].split(", ")]
    count = sum(map(PROPERTIES[fields["property"]], numbers))
    wanted = NUMBER_WORDS.index(match[2])
    return _verdict(
        {"at least": count >= wanted, "at most": count <= wanted, "exactly": count == wanted}[match[1]]
    )


def _draw_expression(draw: Draw) -> Case:
    target = draw.chance(0.5)
    while True:
        p, q, no_p, no_q, conjoined = (draw.chance(0.5) for _ in range(5))
        inner = _join(p != no_p, q != no_q, conjoined)
        slips = (
            _join(p != no_p, q != no_q, not conjoined),
            _join(p, q != no_q, conjoined),
            _join(p != no_p, q, conjoined),
        )
        if inner == target and (not target) in slips:
            break
    op, no_r = draw.choose(("and", "or")), draw.chance(0.5)
    r = (op == "and") != no_r
    say = {True: "true", False: "false"}
    fields = {
        **{"p": say[p], "q": say[q], "r": say[r], "op": op},
        "inside": f"{'not ' * no_p}p {'and' if conjoined else 'or'} {'not ' * no_q}q",
        "last": f"{'not ' * no_r}r",
    }
    right, wrong = (
        {"inner": say[value], "outer": say[op == "and"], "answer": _capital(say[value])}
        for value in (target, not target)
    )
    return Case(fields, right, wrong)


def _join(left: bool, right: bool, conjoined: bool) -> bool:
    return left and right if conjoined else left or right


def _solve_expression(fields: Mapping[str, str]) -> str | None:
    """Compute with 0 and 1: *not* is the distance from 1, *and* the smaller, *or* the larger."""
    text = f"{fields['inside']} {fields['op']} {fields['last']}"
    match = re.fullmatch(r"(not )?p (and|or) (not )?q (and|or) (not )?r", text)
    values = [{"true": 1, "false": 0}.get(fields[letter]) for letter in "pqr"]
    if match is None or None in values:
        return None
    p, q, r = (
        1 - value if negated else value
        for value, negated in zip(values, (match[1], match[3], match[5]), strict=True)
        if value is not None
    )
    choose = {"and": min, "or": max}
    return "True" if choose[match[4]](choose[match[2]](p, q), r) else "False"


SYLLOGISM = Kind(
    (
        "{premises} Does it follow that {claim}?",
        "Suppose this holds: {premises} Must it then be the case that {claim}?",
        "Two things are known. {premises} Can one conclude that {claim}?",
    ),
    (
        (
            "The given statements relate {m} to {p} and {s} to {m}.",
            "What has to be settled is whether the claim about {s} and {p} must hold.",
            "Going through the group of {m}, the link {link}.",
            "That decides it one way and excludes the other.",
        ),
        (
            "Imagine any world in which both statements are true.",
            "In it, look at how {s} and {p} can meet by way of {m}.",
            "It turns out that {case}.",
            "This is all that has to be known for the answer.",
        ),
        (
            "The claim may only be accepted if the two statements force it.",
            "The shared group is {m}, which stands between {s} and {p}.",
            "Drawing the three groups as circles shows that the claim {drawn}.",
            "Nothing outside the two statements may be used for this.",
        ),
    ),
    _draw_syllogism,
    _solve_syllogism,
)
RULES = Kind(
    (
        "{rules} It is found that {fact}. Does it follow that {claim}?",
        "These rules always hold: {rules} Right now {fact}. Is it certain that {claim}?",
        "In a house it is known: {rules} One more thing is seen: {fact}. Can one be sure that {claim}?",
    ),
    (
        (
            "The rules only speak in one direction, from the condition to what follows from it.",
            "What is known is that {fact}.",
            "Taking what the rules allow from there, the claim that {claim} {reach}.",
            "Nothing else may be assumed.",
        ),
        (
            "Ask what would have to be the case if the claim were false.",
            "Suppose that it is false while it is known that {fact}.",
            "With the rules in force, this {clash}.",
            "So the matter can be decided from the rules.",
        ),
        (
            "Two things are given, the rules and the fact that {fact}.",
            "The claim is that {claim}.",
            "The step from the fact to the claim {step} by the rules as they stand, read strictly.",
        ),
    ),
    _draw_rules,
    _solve_rules,
)
COUNT = Kind(
    (
        "Consider the numbers {numbers}. Is it true that {quantifier} of them are {property}?",
        "Here is a list: {numbers}. Are {quantifier} of these numbers {property}?",
        "Someone says of the numbers {numbers} that {quantifier} are {property}. Is this right?",
    ),
    (
        (
            "Go through the numbers and pick out the ones that are {property}.",
            "Picked out in this way: {hits}.",
            "Their count is {count}.",
            "It has to be compared with the demand that {quantifier} of the numbers are like this.",
        ),
        (
            "The property to look for is being {property}.",
            "Among the numbers in the list it is met by {hits}.",
            "That makes {count} in all.",
            "The demand speaks of {quantifier}, and comparing the two decides the matter.",
        ),
        (
            "A count is needed before the statement can be weighed.",
            "Being {property} holds for {hits} and for no other number in the list.",
            "So the count stands at {count}, to be set against the words {quantifier} in the statement.",
        ),
    ),
    _draw_count,
    _solve_count,
)
EXPRESSION = Kind(
    (
        "Let p be {p}, q be {q} and r be {r}. What is the value of ({inside}) {op} {last}?",
        "Suppose p is {p}, q is {q} and r is {r}. Is ({inside}) {op} {last} true or false?",
        "What is ({inside}) {op} {last} when p is {p}, q is {q} and r is {r}?",
    ),
    (
        (
            "Start with the bracket, since it has to be known first.",
            'With the given values, "{inside}" comes out as {inner}.',
            'Outside the bracket, "{last}" is {outer}.',
            'Joining the two by the word "{op}" gives the value of the whole expression.',
        ),
        (
            'The expression has an inner part, "{inside}", and an outer part, "{last}".',
            "The inner part is {inner} and the outer part is {outer}.",
            'The word between them is "{op}", so its rule is applied to these two truth values at the end.',
        ),
        (
            "Put the truth values in place of the letters.",
            'Inside the bracket this turns "{inside}" into {inner}.',
            'The remaining part "{last}" becomes {outer}.',
            'Now the rule for "{op}" is used on both, and what comes out is the value.',
        ),
    ),
    _draw_expression,
    _solve_expression,
)

FAMILY = Family((SYLLOGISM, RULES, COUNT, EXPRESSION))
