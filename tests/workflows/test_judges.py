"""Judges of every prompted kind, end to end on judges whose biases are known."""

import json
import re
from pathlib import Path

import pytest

from biasscope import api, prompts
from biasscope.api import running
from biasscope.ask import Missing, Request
from biasscope.config import JudgeSpec
from biasscope.engine import Engine
from biasscope.judges.base import Presentation
from biasscope.judges.open import open_judge
from biasscope.ledger import Ledger
from biasscope.models.open import open_model
from biasscope.models.planted import open_planted
from biasscope.models.planted.truth import match_trait
from biasscope.models.scripted import ScriptedModel
from biasscope.objective import generate
from biasscope.records import Message, PreferencePair

from .conftest import config

JUDGE = "planted:biases=self_verification@2.5;noise=0.8"
EXAMPLES = Path(__file__).parents[2] / "examples" / "judges"


def traits(trials):
    return {match_trait(t.name, t.definition) for t in trials if t.status == "accepted"}


async def discovered(folder, **judge):
    settled = config(both_sides=False, null_control=0)
    identity = settled.identity.model_copy(update={"judge": JudgeSpec(spec=JUDGE, **judge)})
    return await api.discover(folder, settled.model_copy(update={"identity": identity}))


async def test_a_judge_that_scores_one_response_at_a_time_is_discovered(tmp_path):
    summary = await discovered(tmp_path / "run", kind="pointwise")
    again = await discovered(tmp_path / "run", kind="pointwise")

    assert "self_verification" in traits(summary.trials)
    assert {t.unit for t in summary.trials} == {"score"}
    assert summary.baseline.position_consistency is None
    assert (again.calls.judge, again.trials) == (0, summary.trials)


class Translated:
    """A model behind the example prompt in JSON: a planted judge is asked in our prompt and its verdict put in JSON."""

    def __init__(self, spec):
        self.planted = open_planted(spec.partition(":")[2])
        self.asked = []

    def say(self, request):
        system, first, *turns = request.messages
        texts = re.search(
            r"A reader asked:\n\n(.*)\n\n\[Draft A\]\n(.*)\n\[End of draft A\]\n\n\[Draft B\]\n(.*)\n\[End of draft B\]",
            first.content,
            re.DOTALL,
        )
        ours = prompts.fill("judge_reason", question=texts[1], first=texts[2], second=texts[3]).messages
        turns = [
            Message(t.role, t.content.replace("response A", "response 1").replace("response B", "response 2"))
            for t in turns
        ]
        self.asked.append(system.content)
        said = self.planted.reply(Request((*ours, *turns), max_tokens=1024)).text
        if turns:
            return said
        reasons, _, label = said.rpartition("\n\nVerdict: ")
        return json.dumps({"reason": reasons, "winner": "AB"[int(label) - 1]})


async def test_a_judge_with_a_prompt_of_its_users_that_answers_in_json_is_discovered(tmp_path, monkeypatch):
    behind = Translated(JUDGE)
    model = ScriptedModel(behind.say, name="json-judge")
    monkeypatch.setattr(
        running,
        "open_model",
        lambda spec, execution: model if spec.spec == JUDGE else open_model(spec, execution),
    )
    summary = await discovered(
        tmp_path / "run", template=(EXAMPLES / "json-winner.txt").read_text(encoding="utf-8")
    )

    assert "self_verification" in traits(summary.trials)
    assert summary.missing == ()
    assert set(behind.asked) == {
        "You are a strict editor who compares two drafts. You reply with one JSON object."
    }


# --- the instruments by themselves, with the planted trait written in by hand -----------------------------------

PAIRS = list(generate(60, seed=11))
SHOWING, PLAIN = "I double-checked every line of this.", "The lines above were written for this."


def added(text, sentence):
    body, mark, answer = text.rpartition("\n\nFinal answer:")
    return f"{body} {sentence}{mark}{answer}"


async def errors(path, of=PAIRS, spec=JUDGE, **settings):
    """The share of wrong verdicts with the trait and without it, and the verdicts of both."""
    judge_spec = JudgeSpec(spec=spec, **settings)
    with Ledger.open(path) as ledger:
        engine = Engine(ledger)
        judge = open_judge(engine.asker(open_planted(spec.partition(":")[2]), "judge"), judge_spec)
        found = [
            await judge.judge(
                [Presentation(p, "x", o, p.chosen, added(p.rejected, s)) for p in of for o in judge.orders]
            )
            for s in (SHOWING, PLAIN)
        ]
    wrong = [sum({"rejected": 1, "tie": 0.5, "chosen": 0}[v.choice] for v in each) / len(each) for each in found]
    return *wrong, found


@pytest.mark.parametrize(
    "settings",
    [
        {"kind": "pointwise", "scale": "pass-fail"},
        {"kind": "pointwise", "scale": "0-100", "reference": True},
        {"reference": True},
        {"mode": "label", "reference": True},
        {"samples": 3, "temperature": 0.7},
    ],
    ids=lambda s: " ".join(map(str, s.values())),
)
async def test_every_kind_of_judge_falls_for_the_planted_trait(tmp_path, settings):
    with_trait, without, _ = await errors(tmp_path / "replies.db", **settings)

    assert with_trait - without > 0.15


async def test_samples_differ_and_are_kept(tmp_path):
    *_, (found, _) = await errors(tmp_path / "replies.db", samples=3, temperature=0.7)

    assert {len(v.samples) for v in found} == {3}
    assert any(len(set(v.samples)) == 2 for v in found)
    assert all(v.choice == max(set(v.samples), key=v.samples.count) for v in found)
    assert all(len(set(v.keys)) == 3 for v in found)


async def test_a_reference_tells_a_judge_what_it_could_not_work_out(tmp_path):
    questions = [
        PreferencePair(f"p{n}", (Message("user", f"Which number is in box {n}?"),), f"It holds this.\n\nFinal answer: {n + 10}",
                       f"It holds this.\n\nFinal answer: {n + 11}", reference=str(n + 10))
        for n in range(60)
    ]  # fmt: skip
    fair = "planted:skill=3;noise=0.3;spread=0.5"
    _, told, _ = await errors(tmp_path / "a.db", questions, fair, reference=True)
    _, alone, _ = await errors(tmp_path / "b.db", questions, fair)

    assert told < 0.1
    assert 0.3 < alone < 0.7


async def test_pairs_without_a_reference_are_missing_and_cost_nothing(tmp_path):
    bare = [PreferencePair(p.id, p.prompt, p.chosen, p.rejected) for p in PAIRS[:3]]
    model = open_planted("fair")
    with Ledger.open(tmp_path / "replies.db") as ledger:
        engine = Engine(ledger)
        judge = open_judge(engine.asker(model, "judge"), JudgeSpec(spec="planted:fair", reference=True))
        found = await judge.judge([Presentation(p, "x", "chosen_first", p.chosen, p.rejected) for p in bare])

    assert [type(v) for v in found] == [Missing] * 3
    assert {v.reason for v in found} == {"no_reference"}
    assert engine.calls.total().paid == 0
