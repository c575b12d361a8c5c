"""What is known about one model while the engine runs, and the keys that follow. Calls nothing, parses nothing.

A reply's key holds the id that the model reports and the parameters that the server left out *of that reply*,
so it does not depend on which request found something out, nor on what finished first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import combinations

from biasscope.ask import Reply, Request, digest, request_key, used_parameters
from biasscope.ledger import Facts, Ledger
from biasscope.models.base import Model


class Known:
    """The facts about a model, shared by all who use it; `pilot` is held by the one call that may settle them."""

    def __init__(self, model: Model, ledger: Ledger) -> None:
        self.fingerprint = dict(model.fingerprint)
        self.id = digest(self.fingerprint)
        self.pilot = asyncio.Lock()
        self._ledger = ledger
        self._declared = self._facts = Facts(model.resolved)
        self._ids: set[str] | None = None  # ids seen once each: they may name calls; None: the id names the model
        self.key = lru_cache(maxsize=1024)(self._key)  # a lookup and the put after the call hash the same
        self.refresh()

    def settled(self) -> bool:
        """Whether the id is known, so that more than one call may be under way."""
        return self._facts.resolved is not None

    def refresh(self) -> None:
        """Take in what the ledger knows, perhaps from another process."""
        self._adopt(self._ledger.facts(self.fingerprint))
        if self._facts.varies and self._ids is None:
            self._ids = {self._facts.resolved or ""}

    def keys(self, request: Request, attempt: int) -> Iterator[str]:
        """Yield the keys a reply may lie under, the likeliest first.

        The others are for servers that refuse a parameter now and then, and for replies without an id from
        before the id was known.
        """
        refused = sorted(self._facts.dropped & used_parameters(request))
        for resolved in dict.fromkeys((self._facts.resolved or "", "")):
            for size in range(len(refused), -1, -1):
                for dropped in combinations(refused, size):
                    yield self.key(request, attempt, resolved, frozenset(dropped))

    async def learn(self, reply: Reply) -> tuple[str, bool]:
        """Take in what a reply shows; return the id for its key, and whether the model has changed.

        The ids a server reports must be all equal (they name the model) or all different (they name calls, and
        the first stands for all). A reply with neither id nor text may come from a gate in front of the model
        and settles nothing.
        """
        old, new = self._facts.resolved, reply.model
        seen = Facts(dropped=frozenset(reply.dropped))
        changed = False
        if old is None:
            if new or reply.text:
                seen = replace(seen, resolved=new)
                self._ids = {new}
        elif new and old:
            if new == old and not self._facts.varies:
                self._ids = None
            elif self._ids is not None and new not in self._ids:
                self._ids.add(new)
                seen = replace(seen, varies=True)
            else:
                changed = True
        if self._facts.merge(seen) != self._facts:
            self._adopt(await self._ledger.add_facts(self.fingerprint, seen))
        resolved = self._facts.resolved or ""
        if old is None and new and resolved:
            changed = new != resolved  # another process was first, and was served by another model
        return (new if changed else resolved), changed

    def _key(self, request: Request, attempt: int, resolved: str, dropped: frozenset[str]) -> str:
        return request_key(self.fingerprint | {"resolved": resolved}, request, dropped=dropped, attempt=attempt)

    def _adopt(self, facts: Facts) -> None:
        """Take over the ledger's facts: what the model declares goes first, then what was written first."""
        self._facts = self._declared.merge(facts).merge(self._facts)
