"""One label for a pair: what one verdict says about which response is better holds for all on the same texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from biasscope.datasets.logs.texts import order_of
from biasscope.datasets.logs.verdicts import LoggedVerdict, Tally

SHARED = "a label taken from another verdict on the pair"
CONTRADICTING = "a label that contradicts that of another verdict on the pair: neither is believed"


def share_labels(verdicts: Sequence[LoggedVerdict], tally: Tally) -> list[LoggedVerdict]:
    """Give the label of a pair to all its verdicts, and none where two of them contradict each other.

    Only where the texts are known: without them nothing tells which response a label means in the other order.
    """
    better: dict[str, set[str]] = {}
    for v in verdicts:
        if v.labelled and v.first is not None and v.second is not None:
            better.setdefault(v.pair_id, set()).add(v.first if v.order == "chosen_first" else v.second)
    return [_labelled(v, better.get(v.pair_id, set()), tally) for v in verdicts]


def _labelled(v: LoggedVerdict, better: set[str], tally: Tally) -> LoggedVerdict:
    if v.first is None or v.second is None or not better or (v.labelled and len(better) == 1):
        return v
    if len(better) > 1:
        tally.note(CONTRADICTING, v.place)
        return replace(v, order=order_of(None, v.question, v.first, v.second), labelled=False)
    tally.note(SHARED, v.place)
    return replace(v, order="chosen_first" if v.first in better else "rejected_first", labelled=True)
