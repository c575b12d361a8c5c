"""The ranking as a task of Inspect: the numbers of `biasscope benchmark rank`, on the same planted judge behind Inspect's mock."""

import asyncio

import polars as pl
import pytest

from biasscope import api
from biasscope.ask import Request
from biasscope.config import JudgeSpec, RankConfig, RankIdentity
from biasscope.models.planted import open_planted
from biasscope.records import Message

from .ranking import built

pytestmark = [
    pytest.mark.local,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
]
"""Inspect and the libraries that it is made of do not agree yet; that is between them."""

JUDGE = "planted:biases=authority@3,sentiment@2;habit=0.6;unreadable=0.05"


@pytest.fixture
def inspect_ai(tmp_path, monkeypatch):
    module = pytest.importorskip("inspect_ai", reason="needs the extra inspect")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("INSPECT_LOG_DIR", str(tmp_path / "logs"))
    monkeypatch.setenv("INSPECT_DISPLAY", "none")
    return module


def mocked(spec, seen=None):
    """Inspect's mock model that says what a planted judge says."""
    from inspect_ai.model import (
        ChatCompletionChoice,
        ChatMessageAssistant,
        Logprob,
        Logprobs,
        ModelOutput,
        ModelUsage,
        TopLogprob,
        get_model,
    )

    planted = open_planted(spec)

    def position(one):
        tops = [TopLogprob(token=t, logprob=p) for t, p in one.top]
        return Logprob(token=one.token, logprob=0.0, top_logprobs=tops)

    def say(messages, tools, choice, config):
        if seen is not None:
            seen.append(config)
        asked = tuple(Message(m.role, m.text) for m in messages)
        labels = ("1", "2") if config.logprobs else ()
        reply = planted.reply(Request(asked, config.max_tokens, temperature=config.temperature, labels=labels))
        logprobs = Logprobs(content=[position(p) for p in reply.positions]) if reply.positions else None
        said = ChatCompletionChoice(
            message=ChatMessageAssistant(content=reply.text), stop_reason="stop", logprobs=logprobs
        )
        return ModelOutput(model="mock", choices=[said], usage=ModelUsage())

    return get_model("mockllm/model", custom_outputs=say, memoize=False)


def evaluated(inspect_ai, path, judge=JUDGE, seen=None, **settings):
    (log,) = inspect_ai.eval("biasscope/rank", task_args={"data": path} | settings, model=mocked(judge, seen))
    assert log.status == "success", log.error
    return log, {name: found.value for name, found in log.results.scores[0].metrics.items()}


def ranked(path, judge=JUDGE, mode="reason", **more):
    identity = RankIdentity(judges=(JudgeSpec(spec=judge, mode=mode),), benchmark=path, **more)
    found = asyncio.run(api.rank(path.replace(".parquet", f"-{mode}"), RankConfig(identity=identity)))
    return {view.view: view for view in found.judges[0].views}


def close(value):
    return pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("mode", ["reason", "label"])
def test_the_numbers_are_those_of_the_command(inspect_ai, tmp_path, mode):
    path = built(tmp_path / "set.parquet", pairs=10)
    seen = []
    log, numbers = evaluated(inspect_ai, path, seen=seen, mode=mode)
    views = ranked(path, mode=mode)

    assert len(log.samples) == 2 * len(pl.read_parquet(path))
    for name, view in views.items():
        assert numbers[f"{name}_error"] == close(view.error.value)
        assert (numbers[f"{name}_error_low"], numbers[f"{name}_error_high"]) == close(
            (view.error.low, view.error.high)
        )
        assert numbers[f"{name}_missing"] == close(view.lost / view.asked)
        assert numbers[f"{name}_consistency"] == close(view.consistency)
        assert numbers[f"{name}_first_answer"] == close(view.first_answer)
    assert numbers["hardened_change"] == close(views["hardened"].change.value)
    sides = views["crossed"].cells.sides
    scale = "" if sides.scale == "fraction" else "_log_odds"
    assert numbers[f"crossed_pull{scale}"] == close(sides.pull.value)
    assert numbers[f"crossed_asymmetry{scale}"] == close(sides.asymmetry.value)
    assert sum(view.lost for view in views.values()) > 0
    assert {(c.temperature, c.max_tokens) for c in seen} == {(0.0, 1024 if mode == "reason" else 4)}
    # a verdict that cannot be read is missing, so that margins are not all there
    assert ("hardened_error_by_margin" in numbers) == (views["hardened"].by_margin is not None)


def test_a_sample_says_which_response_is_better_and_a_score_what_was_chosen(inspect_ai, tmp_path):
    path = built(tmp_path / "set.parquet", pairs=5)
    log, _ = evaluated(inspect_ai, path, limit=2)

    pairs = {sample.metadata["source_pair"] for sample in log.samples}
    rows = pl.read_parquet(path).filter(pl.col("source_pair").is_in(list(pairs)))
    assert (len(pairs), len(log.samples)) == (2, 2 * len(rows))
    for sample in log.samples:
        (score,) = sample.scores.values()
        said = score.metadata
        assert sample.target == ("1" if sample.metadata["order"] == "chosen_first" else "2")
        if said["missing"]:
            assert (score.value, score.answer, said["choice"]) == (0.0, None, None)
        else:
            assert (score.value == 1.0) == (score.answer == sample.target) == (said["choice"] == "chosen")
    ids = [sample.id for sample in log.samples]
    assert len(set(ids)) == len(ids)


def test_a_log_can_be_scored_again_without_the_set(inspect_ai, tmp_path):
    path = built(tmp_path / "set.parquet", pairs=5)
    log, numbers = evaluated(inspect_ai, path, limit=2)
    (tmp_path / "set.parquet").unlink()
    from biasscope.inspect_tasks import verdict

    again = inspect_ai.score(log, verdict(), action="overwrite")
    assert {name: found.value for name, found in again.results.scores[0].metrics.items()} == close(numbers)


def test_a_prompt_of_ones_own_is_asked_and_read_and_one_for_single_responses_refused(inspect_ai, tmp_path):
    from biasscope.errors import UsageError
    from biasscope.inspect_tasks import rank

    path = built(tmp_path / "set.parquet", pairs=5)
    asks = '--- reader ---\nlabels = ["L", "R"]\n--- user ---\n{{question}}\nLeft: {{first}}\nRight: {{second}}\nL or R?'
    (tmp_path / "mine.md").write_text(asks, encoding="utf-8")
    task = rank(path, prompt="mine.md", limit=1)
    assert {sample.target for sample in task.dataset} == {"L", "R"}
    assert task.dataset[0].input[-1].text.endswith("L or R?")
    (tmp_path / "one.md").write_text("--- user ---\nRate {{response}}", encoding="utf-8")
    with pytest.raises(UsageError):
        rank(path, prompt="one.md")
    with pytest.raises(UsageError, match="no such file"):
        rank("absent.parquet")
