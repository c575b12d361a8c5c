"""Judges ranked on a hardened benchmark in a run folder: read the set, judge it judge after judge, store. Prints nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from biasscope.api.judges import judge_models, open_judges
from biasscope.api.measuring import judge_role
from biasscope.api.results import judge_calls
from biasscope.api.running import entered, opened
from biasscope.config import RankConfig, RankIdentity
from biasscope.datasets import load
from biasscope.datasets.hardened import LoadedItems, load_items
from biasscope.engine import Engine, Event
from biasscope.errors import ConfigError
from biasscope.report import ranked_page
from biasscope.report.measured import judge_labels
from biasscope.report.ranked import RankedSetOut, RankOut, Setting, rank_out
from biasscope.rundir import RunDir
from biasscope.verdict_rows import VerdictRow
from biasscope.workflows.judged_items import judge_items
from biasscope.workflows.rank import rank_judges
from biasscope.workflows.ranked_set import RankSet, rank_set
from biasscope.workflows.stages import JudgeSeen, OnSeen, StageSeen

PAGE = "rank.md"
RESULT = "report.json"
TABLES = "tables"
ITEMS = "items"


@dataclass(frozen=True, slots=True)
class RankData:
    """What judges are ranked on: the items as they were read, sorted into views, and hashes of what was read."""

    loaded: LoadedItems
    items: RankSet
    hashes: dict[str, str]


def load_rank(identity: RankIdentity) -> RankData:
    """Read the benchmark, and the originals where they are given; asks nobody. Raises DataError for what cannot be used."""
    loaded = load_items(identity.benchmark)
    hashes, pairs = {"benchmark": loaded.sha256}, None
    if identity.originals is not None:
        originals = load(identity.originals)
        pairs, hashes["originals"] = originals.pairs, originals.sha256
    items = rank_set(loaded.items, pairs=pairs, limit=identity.limit, seed=identity.seed)
    return RankData(loaded, items, hashes)


async def rank(
    run: Path,
    config: RankConfig,
    *,
    data: RankData | None = None,
    on_event: Callable[[Event], None] | None = None,
    on_seen: OnSeen | None = None,
    functions: Mapping[str, Callable[..., object]] | None = None,
) -> RankOut:
    """Rank judges, storing everything in the folder `run`; the same call continues a run and pays nothing twice.

    What is known is stored after each judge: ``report.json``, ``rank.md``, ``verdicts.parquet``, the items with what ties
    them (``items.jsonl``), and tables in LaTeX. `on_event` is told of calls, `on_seen` of judges; `functions` are judges that
    are objects of this process, by the spec that names them. Raises BiasscopeError subclasses; finished replies are kept.
    """
    _check_related(config)
    data = data or load_rank(config.identity)
    specs = config.identity.judges
    with entered(run, config, data.hashes, on_event) as (folder, engine):
        models = judge_models(specs, config.execution.of)
        async with opened(*models, functions=functions) as found:
            judges = open_judges(specs, found, lambda m, k: engine.asker(m, judge_role(k, len(specs))))
            folder.write_records(ITEMS, data.items.rows)
            judged: list[Sequence[VerdictRow]] = []
            labels = judge_labels(specs)
            out: RankOut | None = None
            for number, (spec, judge) in enumerate(zip(specs, judges, strict=True), 1):
                if on_seen is not None:
                    on_seen(JudgeSeen(number, len(specs), spec.spec, len(data.items.items)))
                    on_seen(StageSeen("items"))
                judged.append(await judge_items(judge, labels[number - 1], data.items.items, "rank"))
                if on_seen is not None:
                    on_seen(StageSeen("report"))
                out = _stored(folder, config, data, judged, engine)
            assert out is not None  # a configuration has at least one judge
            return out


def _check_related(config: RankConfig) -> None:
    """Refuse a reason for a judge that is not ranked: it would mark nobody."""
    known = [judge.spec for judge in config.identity.judges]
    unknown = next((spec for spec in config.related if spec not in known), None)
    if unknown is not None:
        raise ConfigError(
            f"{unknown} is said to be related, and is not ranked", hint=f"Ranked: {', '.join(known)}."
        )


def _stored(
    folder: RunDir, config: RankConfig, data: RankData, judged: Sequence[Sequence[VerdictRow]], engine: Engine
) -> RankOut:
    """Rank the judges that have judged, and write everything that is known."""
    identity = config.identity
    setting = Setting(
        str(folder.path), _set_out(identity, data), identity.judges, config.related, identity.q, identity.seed
    )
    found = rank_judges(judged, data.items.rows, apart=setting.apart[: len(judged)], q=identity.q)
    count = len(identity.judges)
    calls = [
        judge_calls(engine.calls.total(role=judge_role(number, count)), config.execution.of(spec))
        for number, spec in enumerate(identity.judges)
    ]
    out = rank_out(setting, data.items, found, calls)
    folder.write_verdicts([row for rows in judged for row in rows])
    folder.write_text(RESULT, out.model_dump_json(indent=2) + "\n")
    folder.write_text(PAGE, ranked_page.render(out))
    folder.write_group(TABLES, ranked_page.tables(out))
    return out


def _set_out(identity: RankIdentity, data: RankData) -> RankedSetOut:
    loaded, items = data.loaded, data.items
    originals = "originals" in items.views
    return RankedSetOut(
        path=loaded.path,
        sha256=loaded.sha256,
        plain=loaded.plain,
        items=len(items.items),
        clusters=len(set(items.clusters.values())),
        limit=identity.limit,
        read=loaded.read,
        skipped=loaded.skipped,
        filtered=any(item.kept is not None for item in loaded.items),
        left_out=items.left_out,
        originals=(identity.originals or "set") if originals else None,
        unmatched=items.unmatched,
        made_by=loaded.made_by,
    )
