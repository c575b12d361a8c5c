"""Load a log of verdicts: JudgeBench outputs, LLMBar results, Inspect's logs, or rows with columns of any name.

Nothing here calls a model or computes a statistic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from biasscope.ask import Unreadable, digest
from biasscope.datasets.logs import generic, judgebench, llmbar
from biasscope.datasets.logs.columns import FIELDS
from biasscope.datasets.logs.files import log_rows
from biasscope.datasets.logs.inspect_log import inspect_rows, is_inspect_log
from biasscope.datasets.logs.labels import share_labels
from biasscope.datasets.logs.verdicts import Bound, LoadedLog, LoggedVerdict, Tally
from biasscope.datasets.rows import Row
from biasscope.errors import DataError
from biasscope.parsing.formats import VerdictFormat
from biasscope.parsing.placed import FORMS, read_placed, recognise_form

FORMATS: tuple[Callable[[Path, Sequence[Row]], Bound | None], ...] = (judgebench.bind, llmbar.bind)
"""Formats with a shape of their own; any other log is read by its columns."""

ID_TAKEN = "an id that other texts have too: kept as a pair of its own"
UNKNOWN_FORMAT = "no decision was recorded, and the replies are in no known format"


def load_log(spec: str | Path, columns: Mapping[str, str] | None = None) -> LoadedLog:
    """Load a log; `columns` maps fields of a verdict to columns, and makes any file be read by its columns.

    Raises DataError where there is no such file, nothing in it can be read, or it holds no verdicts, and MissingExtra
    for a log of Inspect without the extra.
    """
    path, tally = Path(spec), Tally()
    of_inspect = is_inspect_log(path)
    rows, sha256 = inspect_rows(path, tally) if of_inspect else log_rows(path, tally)
    bound = _bind(path, rows, columns)
    verdicts = [verdict for row in rows for verdict in bound.read(row, tally)]
    if not verdicts:
        raise DataError(f"{path} holds no verdict", hint=_first_reason(tally))
    verdicts = share_labels(_apart(verdicts, tally), tally)
    return LoadedLog(
        path=str(path),
        format="inspect" if of_inspect else bound.name,
        verdicts=tuple(_read_replies(verdicts)),
        read=len(rows),
        skipped=tally.skipped,
        notes=tally.noted,
        columns=bound.columns,
        pairs=bound.pairs,
        sha256=sha256,
    )


def _bind(path: Path, rows: Sequence[Row], columns: Mapping[str, str] | None) -> Bound:
    if not columns:
        for bind in FORMATS:
            bound = bind(path, rows)
            if bound is not None:
                return bound
    found = generic.bind(path, rows, columns or {})
    if found is None:
        names = list(dict.fromkeys(name for row in rows for name in row.values))
        raise DataError(
            f"{path} holds no verdicts: no choice is found in the columns {', '.join(map(repr, names[:20]))}",
            hint="Name the columns, such as --columns choice=winner,first=answer_a,second=answer_b; fields are "
            f"{', '.join(FIELDS)}.",
        )
    return found


def _first_reason(tally: Tally) -> str:
    found = [f"{c.reason} ({c.count} times, first {c.places[0]})" for c in (*tally.skipped, *tally.noted)]
    return f"What was found: {found[0]}." if found else ""


def _apart(verdicts: Sequence[LoggedVerdict], tally: Tally) -> list[LoggedVerdict]:
    """Keep pairs apart that share an id and not their texts: the second one becomes ``ID#2``."""
    seen: dict[str, dict[str, str]] = {}
    kept = []
    for v in verdicts:
        if v.first is None or v.second is None:
            kept.append(v)
            continue
        names = seen.setdefault(v.pair_id, {})
        content = digest([v.question or "", *sorted((v.first, v.second))])
        name = names.setdefault(content, v.pair_id if not names else f"{v.pair_id}#{len(names) + 1}")
        if name != v.pair_id:
            tally.note(ID_TAKEN, v.place)
        kept.append(v if name == v.pair_id else replace(v, pair_id=name))
    return kept


def _read_replies(verdicts: Sequence[LoggedVerdict]) -> list[LoggedVerdict]:
    """Name the format of each judge's replies, and read the decisions that are recorded in nothing but a reply."""
    replies: dict[str, list[str]] = {}
    for v in verdicts:
        if v.reply is not None and v.form is None:
            replies.setdefault(v.judge, []).append(v.reply)
    names = {judge: recognise_form(texts) for judge, texts in replies.items()}
    forms = {judge: FORMS[name] for judge, name in names.items() if name is not None}
    return [_decided(replace(v, form=v.form or forms.get(v.judge))) for v in verdicts]


def _decided(verdict: LoggedVerdict) -> LoggedVerdict:
    if verdict.decided or verdict.reply is None:
        return verdict
    if verdict.form is None:
        return replace(verdict, reason=UNKNOWN_FORMAT)
    return _by_reply(verdict, verdict.reply, verdict.form)


def _by_reply(verdict: LoggedVerdict, reply: str, form: VerdictFormat) -> LoggedVerdict:
    try:
        return replace(verdict, choice=read_placed(reply, form), reason="")
    except Unreadable as unreadable:
        return replace(verdict, reason=unreadable.reason)
