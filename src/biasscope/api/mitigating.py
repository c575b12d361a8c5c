"""Fixes of a judge, measured on pairs that chose nothing: read what was found, build items, judge before and after. Prints nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from biasscope import seeds
from biasscope.api.benchmarking import source_name, writer_of
from biasscope.api.finding import Found, read_found
from biasscope.api.judges import judge_models, open_judges
from biasscope.api.results import judge_calls
from biasscope.api.running import entered, opened
from biasscope.ask import Asker
from biasscope.benchmarks import BenchmarkItem
from biasscope.config import JudgeSpec, MitigateConfig, MitigateIdentity, ModelExecution, ModelSpec
from biasscope.datasets import load
from biasscope.engine import Engine, Event
from biasscope.errors import DataError, UsageError
from biasscope.judges.guards import FORMS
from biasscope.judges.open import margin_unit_of
from biasscope.models.base import Model
from biasscope.models.lookup import Function
from biasscope.records import Bias, PreferencePair
from biasscope.report import mitigated_page
from biasscope.report.mitigated import FixRun, MitigatedOut, Setting, mitigated_out
from biasscope.rundir import RunDir
from biasscope.steps.watching import unseen
from biasscope.verdict_rows import VerdictRow
from biasscope.workflows.adjusting import fit_adjustment
from biasscope.workflows.benchmark import build
from biasscope.workflows.choosing import choose_form, contrast_of, slot_side
from biasscope.workflows.fixes import GUARD, Means, check_fixes, fixed, forms_of
from biasscope.workflows.judged_items import judge_items
from biasscope.workflows.mitigation import compare_fixes
from biasscope.workflows.stages import JudgeSeen, OnSeen, StageSeen

FEWEST_TUNING = 10
"""Fewest pairs that choose a form and fit coefficients."""
FEWEST_HELD_OUT = 20
"""Fewest pairs that are reported on."""
PAGE, RESULT, ITEMS, JUDGES = "mitigation.md", "report.json", "items", "judges"


@dataclass(frozen=True, slots=True)
class MitigateData:
    """What fixes are measured on: biases, pairs by role, and what was left out of the source and why."""

    found: Found
    biases: tuple[Bias, ...]
    tuning: tuple[PreferencePair, ...]
    held_out: tuple[PreferencePair, ...]
    refused: int
    unlabelled: int
    skipped: int
    source: str
    hashes: dict[str, str]


def load_mitigate(identity: MitigateIdentity) -> MitigateData:
    """Read what was found and the pairs; asks nobody.

    Pairs whose question had a part in finding a bias are refused: they are left out and counted. Raises ConfigError for fixes
    that do not fit the judge, UsageError or DataError for what cannot be used, and where too few pairs are left.
    """
    found = read_found(identity.found, identity.judge.spec)
    check_fixes(identity.fixes, identity.judge, panel=identity.panel)
    biases = _biases(identity, found)
    source = identity.fresh or found.data
    if source is None:
        raise UsageError("no pairs are named that chose nothing", hint="Give --fresh DATA.")
    loaded = load(source, limit=identity.limit if identity.fresh else found.limit)
    fresh = [p for p in loaded.pairs if seeds.question_hash(p.question) not in found.used]
    pairs = [p for p in fresh if p.labelled]
    if identity.fresh is None:
        pairs = pairs[: identity.limit]
    shares: tuple[tuple[seeds.PairRole, float], ...] = (
        ("tuning", identity.tuning),
        ("holdout", 1 - identity.tuning),
    )
    roles = [seeds.role(p.question, shares, seed=identity.seed) for p in pairs]
    tuning = tuple(p for p, r in zip(pairs, roles, strict=True) if r == "tuning")
    held = tuple(p for p, r in zip(pairs, roles, strict=True) if r == "holdout")
    data = MitigateData(
        found,
        biases,
        tuning,
        held,
        len(loaded.pairs) - len(fresh),
        sum(not p.labelled for p in fresh),
        sum(s.count for s in loaded.skipped),
        source_name(source),
        {"found": found.sha256, "pairs": loaded.sha256},
    )
    _check_enough(data, identity)
    return data


def _biases(identity: MitigateIdentity, found: Found) -> tuple[Bias, ...]:
    """The biases that fixes are about: those that are named, else those that were accepted."""
    if not identity.biases:
        if not found.accepted and not found.slot:
            raise DataError(
                f"nothing was found in {identity.found} that could be mended",
                hint="Name biases with --biases to see what fixes do to them all the same.",
            )
        return found.accepted
    known = {b.id: b for b in found.known}
    biases = []
    for name in identity.biases:
        entry = found.catalogue.get(name)
        bias = known.get(name) or (None if entry is None else entry.bias)
        if bias is None:
            raise UsageError(
                f"{name!r} is no bias of {identity.found} and none that is known",
                hint=f"It tried {', '.join(known) or 'none'}; `biasscope catalogue` lists the others.",
            )
        biases.append(bias)
    return tuple(biases)


def _check_enough(data: MitigateData, identity: MitigateIdentity) -> None:
    if len(data.tuning) >= FEWEST_TUNING and len(data.held_out) >= FEWEST_HELD_OUT:
        return
    had = f"{len(data.tuning)} pairs to choose by and {len(data.held_out)} to report on are left"
    lost = f"; {data.refused} had a part in finding the biases and are refused" if data.refused else ""
    raise DataError(
        f"only {had}{lost}",
        hint=f"At least {FEWEST_TUNING} and {FEWEST_HELD_OUT} are needed: give {'more or others' if identity.fresh else 'some'} with --fresh DATA.",
    )


@dataclass
class _Bench:
    """What one start works with: `ask` gives the askers of a judge, by role."""

    config: MitigateConfig
    data: MitigateData
    engine: Engine
    models: dict[ModelSpec, Model]
    tell: OnSeen
    judged: int = 0
    judges: int = 0
    calls: list[str] = field(default_factory=list)

    async def judge(self, role: str, spec: JudgeSpec, items: Sequence[BenchmarkItem]) -> tuple[VerdictRow, ...]:
        """Judge every item; the rows name the role in the place of the judge."""
        self.judged += 1
        self.tell(JudgeSeen(self.judged, self.judges, f"{spec.spec} ({role})", len(items)))
        models = [self.models[member.model] for member in spec.members]
        (judge,) = open_judges([spec], models, lambda model, _: self.engine.asker(model, role))
        return await judge_items(judge, role, items, "mitigate")


async def mitigate(
    run: Path,
    config: MitigateConfig,
    *,
    data: MitigateData | None = None,
    on_event: Callable[[Event], None] | None = None,
    on_seen: OnSeen | None = None,
    functions: Mapping[str, Function] | None = None,
) -> MitigatedOut:
    """Measure fixes, storing everything in the folder `run`; the same call continues a run and pays nothing twice.

    ``report.json``, ``mitigation.md``, ``verdicts.parquet``, the items, and each fixed judge as a file that `measure` takes
    for a judge (``judges/FIX.json``). `on_event` is told of calls, `on_seen` of stages; `functions` are judges that are
    objects of this process. Raises BiasscopeError subclasses; finished replies are kept.
    """
    data = data or load_mitigate(config.identity)
    tell = on_seen or unseen
    with entered(run, config, data.hashes, on_event) as (folder, engine):
        wanted = _models(config, data)
        async with opened(*wanted, functions=functions) as models:
            bench = _Bench(
                config, data, engine, {spec: m for (spec, _), m in zip(wanted, models, strict=True)}, tell
            )
            teachers = tuple(engine.asker(bench.models[m], "teacher") for m in _writing(data))
            tell(StageSeen("rewrite"))
            tuning, held = [await _items(bench, teachers, pairs) for pairs in (data.tuning, data.held_out)]
            tell(StageSeen("tuning"))
            fixes, side = await _tuned(bench, tuning)
            tell(StageSeen("items"))
            before = await bench.judge("judge", config.identity.judge, held)
            after = [await bench.judge(f"fix {name}", spec, held) for name, spec, _ in fixes]
            tell(StageSeen("report"))
            return _stored(folder, bench, held, before, list(zip(fixes, after, strict=True)), side)


def _writing(data: MitigateData) -> list[ModelSpec]:
    found = data.found
    return [] if found.teacher is None else [found.teacher, *found.writers]


def _models(config: MitigateConfig, data: MitigateData) -> list[tuple[ModelSpec, ModelExecution]]:
    """Every model once: the judge and its panel, the others of the panel that is tried, and who writes."""
    execution = config.execution
    models = dict(judge_models((config.identity.judge, *config.identity.panel), execution.of))
    for model in _writing(data):
        models.setdefault(model, execution.teacher)
    return list(models.items())


async def _items(
    bench: _Bench, teachers: tuple[Asker, ...], pairs: Sequence[PreferencePair]
) -> list[BenchmarkItem]:
    """The pairs as they were, and in four cells with each bias that was drawn for them."""
    identity, data = bench.config.identity, bench.data
    text = [b for b in data.biases if b.estimand in ("pull", "cue")]
    writer = writer_of(data.found.rewrites, teachers, identity.seed, data.found.catalogue)
    built = await build(
        writer,
        pairs,
        text,
        variants=identity.variants,
        seed=identity.seed,
        source=data.source,
        catalogue=data.found.catalogue,
        plain=True,
    )
    return [item for item in built.items if item.subset != "pro"]


_Fix = tuple[str, JudgeSpec, str]
"""Its name, the judge that it makes, and what was chosen for it."""


async def _tuned(bench: _Bench, items: Sequence[BenchmarkItem]) -> tuple[list[_Fix], float]:
    """The fixes with what the tuning pairs choose for them; and on which side the slot habit is."""
    identity, data = bench.config.identity, bench.data
    judge, unit = identity.judge, margin_unit_of(identity.judge)
    forms = [f"guard-{form}" for form in FORMS] if GUARD in identity.fixes else []
    bench.judges = len(identity.fixes) + len(forms) + 2
    before = await bench.judge("judge", judge, items)
    adjustment = None
    if unit is not None:
        adjustment = fit_adjustment(items, before, unit, source=data.source, seed=identity.seed)
    means = Means(
        data.biases or _position(), contrast_of(items, data.biases), adjustment, identity.samples, identity.panel
    )
    tried = {}
    for name in forms:
        if forms_of(name)[0] != "example" or means.contrast is not None:
            spec = fixed(name, judge, means)
            tried[name] = (spec, await bench.judge(f"tuning {name}", spec, items))
    fixes: list[_Fix] = []
    for name in identity.fixes:
        if name == GUARD:
            compared = compare_fixes(items, before, [rows for _, rows in tried.values()], unit=unit or "fraction")
            chosen = list(tried)[choose_form(compared)]
            fixes.append((name, tried[chosen][0], f"form {chosen.removeprefix('guard-')}"))
        elif forms_of(name) == ("example",) and means.contrast is None:
            raise DataError("no text with a trait is there for a contrast", hint="Leave out guard-example.")
        else:
            fixes.append((name, fixed(name, judge, means), ""))
    return fixes, slot_side(items, before)


def _position() -> tuple[Bias, ...]:
    """What a guard warns of where only a slot habit was found."""
    return (
        Bias(
            "position",
            "the place in which a response is shown",
            "A response is not better for being shown first or second.",
            "catalogue",
            "slot",
        ),
    )


def _stored(
    folder: RunDir,
    bench: _Bench,
    items: Sequence[BenchmarkItem],
    before: Sequence[VerdictRow],
    fixes: Sequence[tuple[_Fix, Sequence[VerdictRow]]],
    side: float,
) -> MitigatedOut:
    """Compare, and write everything that is known."""
    identity = bench.config.identity
    unit = margin_unit_of(identity.judge) or "fraction"
    after = [rows for _, rows in fixes]
    tokens = _tokens(bench.engine, [row for rows in (before, *after) for row in rows])
    compared = compare_fixes(items, before, after, unit=unit, slot_side=side, q=identity.q, tokens=tokens)
    taken = [
        judge_calls(bench.engine.calls.total(role=role), bench.config.execution.of(identity.judge))
        for role in ("judge", *(f"fix {name}" for (name, _, _), _ in fixes))
    ]
    runs = [
        FixRun(name, spec, chosen, f"{JUDGES}/{name}.json", calls)
        for ((name, spec, chosen), _), calls in zip(fixes, taken[1:], strict=True)
    ]
    setting = Setting(
        str(folder.path), identity, bench.data.biases, bench.data.source, _pairs(bench.data), taken[0]
    )
    out = mitigated_out(setting, items, compared, runs)
    folder.write_records(ITEMS, items)
    folder.write_verdicts([*before, *(row for _, rows in fixes for row in rows)])
    folder.write_group(
        JUDGES, {f"{f.name}.json": f.spec.model_dump_json(indent=2, exclude_defaults=True) + "\n" for f in runs}
    )
    folder.write_text(RESULT, out.model_dump_json(indent=2) + "\n")
    folder.write_text(PAGE, mitigated_page.render(out))
    return out


def _tokens(engine: Engine, rows: Sequence[VerdictRow]) -> dict[str, tuple[int, int]]:
    """Tokens sent and received, by key of the reply, where the endpoint says how many: also of replies that were paid for earlier."""
    replies = engine.ledger.get_many(list(dict.fromkeys(key for row in rows for key in row.keys)))
    return {
        key: (reply.input_tokens, reply.output_tokens)
        for key, reply in replies.items()
        if reply.input_tokens is not None and reply.output_tokens is not None
    }


def _pairs(data: MitigateData) -> dict[str, int]:
    return {
        "tuning": len(data.tuning),
        "held_out": len(data.held_out),
        "refused": data.refused,
        "unlabelled": data.unlabelled,
        "skipped": data.skipped,
    }
