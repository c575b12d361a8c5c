"""Randomness that comes from names, and the role of a pair by its question. No global generator, no counter.

Adding a pair changes no other pair's draw; twins (the same question under another id) share a role.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from typing import Literal

import numpy as np

PairRole = Literal["discovery", "validation", "tuning", "holdout"]


def derive_seed(*names: object) -> int:
    """Derive a 64-bit seed from a sequence of names (their `str`), independent of Python's hash seed."""
    text = "\x1f".join(str(n) for n in names)
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def generator(*names: object) -> np.random.Generator:
    """Make a generator of its own for a sequence of names."""
    return np.random.default_rng(derive_seed(*names))


def uniform(*names: object) -> float:
    """Draw one number in [0, 1) from names; much cheaper than a generator."""
    return derive_seed(*names) / 2.0**64


def pick(count: int, *names: object) -> int:
    """Draw an index in range(count) from names."""
    if count < 1:
        raise ValueError(f"need count >= 1, got {count}")
    return derive_seed(*names) % count


def normalise_question(text: str) -> str:
    """Fold a question to what makes it the same question: NFKC, case, and runs of white space."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", text)).strip().casefold()


def question_hash(text: str) -> str:
    """Hash the normalised question; equal hashes mean twins."""
    return f"{derive_seed('question', normalise_question(text)):016x}"


def role(question: str, shares: tuple[tuple[PairRole, float], ...], *, seed: int = 0) -> PairRole:
    """Draw the role of a pair from its question, so that twins stay together.

    `shares` lists (role, share) with shares that sum to 1.
    """
    total = sum(share for _, share in shares)
    if abs(total - 1) > 1e-9:
        raise ValueError(f"shares must sum to 1, got {total}")
    draw = uniform("role", seed, normalise_question(question))
    for name, share in shares:
        if draw < share:
            return name
        draw -= share
    return shares[-1][0]
