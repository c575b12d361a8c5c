"""From a specification to a judge: what does not go together costs nothing."""

from pathlib import Path

import pytest

from biasscope.ask import Reply
from biasscope.config import JudgeSpec
from biasscope.errors import ConfigError
from biasscope.judges.base import Presentation
from biasscope.judges.open import check_judge, open_judge
from biasscope.judges.pairwise import PairwiseJudge
from biasscope.judges.pointwise import PointwiseJudge
from biasscope.judges.readers import ScoreReader, VerdictReader
from biasscope.parsing.scores import PASS_OR_FAIL, Scale
from biasscope.records import ORDERS

from ..fakes import FakeAsker, pair

EXAMPLES = Path(__file__).parents[2] / "examples" / "judges"
ASKER = FakeAsker(lambda ask, attempt: "")


def spec(**settings):
    return JudgeSpec(spec="openai:some-model", **settings)


def example(name):
    return (EXAMPLES / name).read_text(encoding="utf-8")


def test_a_judge_by_itself_is_asked_as_ever():
    assert open_judge(ASKER, spec()) == PairwiseJudge(ASKER)
    assert open_judge(ASKER, spec(mode="label")) == PairwiseJudge(ASKER, "label")


@pytest.mark.parametrize(
    ("scale", "reader"),
    [(None, Scale(1, 10)), ("likert", Scale(1, 5)), ("0-100", Scale(0, 100)), ("pass-fail", PASS_OR_FAIL)],
)
def test_a_pointwise_judge_scores_on_its_scale(scale, reader):
    assert open_judge(ASKER, spec(kind="pointwise", scale=scale)) == PointwiseJudge(ASKER, ScoreReader(reader))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"scale": "1-10"}, "a pairwise judge has no scale"),
        ({"kind": "pointwise", "scale": "best"}, "'best' is not a scale"),
        ({"kind": "pointwise", "mode": "label"}, "mode label compares two responses"),
        ({"samples": 3}, "3 samples at temperature 0"),
        ({"margins": "score"}, "only a program"),
        ({"template": "Compare."}, "begins with 'Compare.'"),
        ({"template": "--- user ---\n{{question}}{{response}}"}, "does not show {{first}}"),
    ],
)
def test_what_does_not_go_together_is_refused_with_a_hint(settings, said):
    for refuse in (check_judge, lambda s: open_judge(ASKER, s)):
        with pytest.raises(ConfigError) as caught:
            refuse(spec(**settings))
        assert said in str(caught.value)
        assert caught.value.hint


def test_settings_reach_every_request():
    judge = open_judge(ASKER, spec(temperature=0.7, max_tokens=77, samples=2, reference=True))

    assert (judge.asking.temperature, judge.asking.max_tokens) == (0.7, 77)
    assert (judge.asking.samples, judge.asking.reference) == (2, True)


@pytest.mark.parametrize(
    ("name", "settings", "reader"),
    [
        ("json-winner.txt", {}, VerdictReader(("A", "B"), "tie", json="winner")),
        ("score-1-5.txt", {"kind": "pointwise"}, ScoreReader(Scale(1, 5), pattern="Final mark: ([1-5])")),
        (
            "reference.txt",
            {"reference": True},
            VerdictReader(("first", "second"), pattern="Closer: (first|second)"),
        ),
    ],
)
def test_every_example_is_a_judge(name, settings, reader):
    assert open_judge(ASKER, spec(template=example(name), **settings)).reader == reader


def test_no_example_is_forgotten():
    assert sorted(p.name for p in EXAMPLES.glob("*.txt")) == ["json-winner.txt", "reference.txt", "score-1-5.txt"]


@pytest.mark.parametrize(
    ("said", "choices"), [("A", ["chosen", "rejected"]), ("B", ["rejected", "chosen"]), ("tie", ["tie"] * 2)]
)
async def test_the_example_in_json_becomes_verdicts_in_both_orders(said, choices):
    asker = FakeAsker(lambda ask, attempt: Reply(f'{{"reason": "It says {{A}} and more.", "winner": "{said}"}}'))
    judge = open_judge(asker, spec(template=example("json-winner.txt")))
    found = await judge.judge([Presentation(pair("p1"), "calm", order, "Right.", "Calm.") for order in ORDERS])

    assert [v.choice for v in found] == choices
    sent = asker.asked[0].request(0).messages
    assert [m.role for m in sent] == ["system", "user"]
    assert "[Draft A]\nRight.\n[End of draft A]" in sent[1].content
    assert '{"reason": "one or two sentences", "winner": "A", "B" or "tie"}' in sent[1].content
