"""Tasks for Inspect: `inspect eval biasscope/rank -T data=SET --model PROVIDER/MODEL` ranks its model as a judge.

The prompt, both orders, the reading of replies and the numbers are those of `biasscope benchmark rank`; providers, limits, logs
and viewer are Inspect's. Imported by Inspect alone, which finds it as an entry point; it needs the extra ``inspect``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.scorer import Score, metric, scorer
from inspect_ai.solver import generate

from biasscope.api.options import read_prompt_file
from biasscope.ask import Unreadable
from biasscope.config import JudgeSpec
from biasscope.datasets import load
from biasscope.datasets.hardened import load_items
from biasscope.errors import UsageError
from biasscope.judges.asking import Asking
from biasscope.judges.base import Presentation
from biasscope.judges.pairwise import Mode, PairwiseAsk
from biasscope.judges.prompted import read_prompt
from biasscope.judges.readers import VerdictReader
from biasscope.models.inspect import config_of, messages_of, reply_of
from biasscope.quantities import Estimate
from biasscope.records import ORDERS, ORIGINAL, Message, PreferencePair, Verdict
from biasscope.stats.rates import Rate
from biasscope.steps.judge import ERROR
from biasscope.verdict_rows import VerdictRow
from biasscope.workflows.judged_items import pair_of
from biasscope.workflows.ranked_scores import JudgeScores, judge_scores
from biasscope.workflows.ranked_set import ItemRow, RankSet, rank_set

THEIRS = "inspect:model"
"""Stands for the model that Inspect evaluates where a judge is named."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """How a pair is shown and a reply read, for every item alike."""

    mode: Mode
    reader: VerdictReader
    asking: Asking

    def ask(self, shown: Presentation) -> PairwiseAsk:
        return PairwiseAsk(shown, self.mode, self.reader, self.asking)

    def label(self, shown: Presentation, found: Verdict) -> str:
        """What the judge called the response that it chose."""
        if found.choice == "tie":
            return self.reader.tie or "tie"
        return self.reader.labels[0 if found.choice == shown.choice(is_first=True) else 1]


def _asked(mode: str, prompt: str | None) -> _Asked:
    spec = JudgeSpec.model_validate({"spec": THEIRS, "mode": mode, "template": read_prompt_file(prompt)})
    reader, asking = read_prompt(spec)
    if not isinstance(reader, VerdictReader):
        raise UsageError("this task compares two responses", hint="Give the prompt of a pairwise judge.")
    return _Asked(spec.mode, reader, asking)


@metric  # type: ignore[untyped-decorator]  # Inspect is optional, so that its types are not looked at
def errors() -> Any:
    """Everything that `biasscope benchmark rank` says about one judge, as numbers by name; what is not known is left out."""

    def compute(scores: list[Any]) -> dict[str, float]:
        items = {item.pair: item for item in (_item(one.sample_metadata) for one in scores)}
        found = judge_scores([_row(one) for one in scores], list(items.values()))
        return dict(_numbers(found))

    return compute


@scorer(metrics=[errors()])  # type: ignore[untyped-decorator]  # as above
def verdict(mode: str = "reason", prompt: str | None = None) -> Any:
    """Read the verdict: 1 for the better response, .5 for a tie, 0 for the worse one and where there is no verdict."""
    asked = _asked(mode, prompt)

    async def score(state: Any, target: Any) -> Any:
        del target  # which response is the better one is known by the order
        said = state.metadata
        pair = PreferencePair(str(said["pair"]), (Message("user", ""),), "", "")
        shown = Presentation(pair, ORIGINAL, said["order"], "", "")
        kept: dict[str, object] = {"choice": None, "margin": None, "missing": None}
        try:
            found = asked.ask(shown).parse(reply_of(state.output))
        except Unreadable as error:
            return Score(
                value=0.0,
                explanation=state.output.completion,
                metadata=kept | {"missing": f"verdict: {error.reason}"},
            )
        return Score(
            value=1.0 - ERROR[found.choice],
            answer=asked.label(shown, found),
            explanation=state.output.completion,
            metadata=kept | {"choice": found.choice, "margin": found.margin},
        )

    return score


@task  # type: ignore[untyped-decorator]  # as above
def rank(
    data: str,
    originals: str | None = None,
    mode: str = "reason",
    prompt: str | None = None,
    limit: int | None = None,
    seed: int = 0,
) -> Any:
    """Judge every item of a hardened benchmark in both orders.

    `data` is the published file, `originals` a source of the pairs that it was made of, `mode` ``reason`` or ``label``,
    `prompt` a file with a prompt of your own, `limit` so many source questions, drawn by `seed`. Raises UsageError
    subclasses for what cannot be used. One epoch is enough; of several the first verdict counts.
    """
    asked = _asked(mode, prompt)
    pairs = None if originals is None else load(originals).pairs
    items = rank_set(load_items(data).items, pairs=pairs, limit=limit, seed=seed)
    first = pair_of(items.items[0])
    request = asked.ask(Presentation(first, ORIGINAL, ORDERS[0], first.chosen, first.rejected)).request(0)
    return Task(
        dataset=MemoryDataset(list(_samples(items, asked)), name=data),
        solver=generate(),
        scorer=verdict(mode=mode, prompt=prompt),
        config=config_of(request),
        version=1,
    )


def _samples(items: RankSet, asked: _Asked) -> Iterator[Any]:
    """One sample for each item and order; its metadata holds all that numbers are made of."""
    questions = {item.id: item.question_hash for item in items.items}
    for item, row in zip(items.items, items.rows, strict=True):
        pair = pair_of(item)
        for order in ORDERS:
            ask = asked.ask(Presentation(pair, ORIGINAL, order, pair.chosen, pair.rejected))
            yield Sample(
                id=f"{item.id} {order}",
                input=messages_of(ask.request(0)),
                target=asked.reader.labels[0 if order == "chosen_first" else 1],
                metadata=asdict(row) | {"order": order, "question": questions[item.id]},
            )


def _item(said: Mapping[str, Any]) -> ItemRow:
    """The item of a sample's metadata, as it comes back from a log."""
    names = {field.name for field in fields(ItemRow)}
    return ItemRow(
        **{name: value for name, value in said.items() if name in names} | {"views": tuple(said["views"])}
    )


def _row(one: Any) -> VerdictRow:
    """A score as the verdict that it is about."""
    said, kept = one.sample_metadata, one.score.metadata
    return VerdictRow(
        judge=THEIRS,
        role="rank",
        pair=said["pair"],
        question=said["question"],
        domain=said["domain"],
        arm=said["bias"],
        order=said["order"],
        choice=kept["choice"],
        margin=kept["margin"],
        missing=kept["missing"],
    )


def _numbers(found: JudgeScores) -> Iterator[tuple[str, float]]:
    """Names and numbers of every view; of a rate or a change also its interval."""
    for view, scores in found.views.items():
        yield from _rate(f"{view}_error", scores.error)
        yield from _rate(f"{view}_error_by_margin", scores.by_margin)
        yield from _change(f"{view}_change", scores.change)
        yield f"{view}_missing", scores.lost / scores.asked
        for name in ("ties", "consistency", "first_answer"):
            value = getattr(scores, name)
            if value is not None:
                yield f"{view}_{name}", value
        if (cells := scores.cells) is not None:
            for side in ("neither", "rejected", "chosen", "both"):
                yield from _rate(f"{view}_error_{side}", getattr(cells, side))
            if cells.sides is not None:
                unit = "" if cells.sides.scale == "fraction" else "_log_odds"
                yield from _change(f"{view}_pull{unit}", cells.sides.pull)
                yield from _change(f"{view}_asymmetry{unit}", cells.sides.asymmetry)
    yield from _change("selection", found.selection)


def _rate(name: str, rate: Rate | None) -> Iterator[tuple[str, float]]:
    if rate is not None:
        yield name, rate.value
        yield from _ends(name, rate.low, rate.high)


def _change(name: str, change: Estimate | None) -> Iterator[tuple[str, float]]:
    if change is not None:
        yield name, change.value
        yield from _ends(name, change.low, change.high)


def _ends(name: str, low: float | None, high: float | None) -> Iterator[tuple[str, float]]:
    if low is not None and high is not None:
        yield from ((f"{name}_low", low), (f"{name}_high", high))
