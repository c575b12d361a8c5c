"""The words of the project as frozen values. Nothing here computes, reads or writes.

One word per thing: a *preference pair* has a *chosen* and a *rejected* response; a *verdict* is one parsed
decision in one *order*; a text change is a *rewrite* and lives in an *arm*; a *trial* says what was measured
about one *bias*. Slots (1, 2 or A, B) exist inside prompts only and never reach these records.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from biasscope.quantities import Estimate, FeatureProposals, TrialDetails
from biasscope.quantities import Unit as Unit

Role = Literal["system", "user", "assistant"]
Order = Literal["chosen_first", "rejected_first"]
Choice = Literal["chosen", "rejected", "tie"]
Side = Literal["rejected", "chosen", "both"]
RewrittenSide = Literal["rejected", "chosen"]
Origin = Literal["seed", "discovered", "catalogue", "sham"]
Estimand = Literal["pull", "slot", "cue", "format"]
HABITS = ("slot", "format")
"""Estimands of how a judge is asked: no response carries anything."""
Claim = Literal["error", "pull"]
Status = Literal["accepted", "dropped", "not_shown", "no_signal", "invalid"]

ORDERS: tuple[Order, Order] = ("chosen_first", "rejected_first")
ONE_PRESENTATION: tuple[None] = (None,)
"""The orders of a judge that sees one response at a time: there is none."""
ORIGINAL = "original"


def neutral_arm(index: int) -> str:
    """Name the arm of the `index`-th neutral rewrite (counted from 1): ``neutral-1``."""
    return f"neutral-{index}"


def is_neutral(arm: str) -> bool:
    """Tell whether an arm holds neutral rewrites."""
    return arm.startswith("neutral-")


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class PreferencePair:
    """A prompt with a better and a worse response.

    `labelled` is False where nobody knows which response is better; the roles are then drawn by seed.
    `objective` is True where the label rests on a checkable final answer, so that an *error* may be claimed.
    """

    id: str
    prompt: tuple[Message, ...]
    chosen: str
    rejected: str
    domain: str = "all"
    labelled: bool = True
    objective: bool = False
    reference: str | None = None
    source: str = ""

    @property
    def question(self) -> str:
        """The prompt as one text: the user's words alone for one turn, a labelled transcript for several."""
        if len(self.prompt) == 1:
            return self.prompt[0].content
        return "\n\n".join(f"{m.role.capitalize()}: {m.content}" for m in self.prompt)


@dataclass(frozen=True, slots=True)
class Bias:
    """Something unrelated to quality that a judge may fall for: a name and a definition.

    `estimand` is what is measured: `pull` (a trait of the text), `slot` (first-answer preference) or `cue`
    (a fact shown about a response). `evidence` holds ids of the pairs on which a discovered bias was seen.
    """

    id: str
    name: str
    definition: str
    origin: Origin
    estimand: Estimand = "pull"
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BiasLibrary:
    """The biases that are known or held, as a value with an order."""

    biases: tuple[Bias, ...] = ()

    def __len__(self) -> int:
        return len(self.biases)

    def __contains__(self, bias_id: object) -> bool:
        return any(b.id == bias_id for b in self.biases)

    def get(self, bias_id: str) -> Bias:
        """Return the bias with this id; raises KeyError naming the ids there are."""
        for bias in self.biases:
            if bias.id == bias_id:
                return bias
        raise KeyError(f"no bias {bias_id!r}; there are {[b.id for b in self.biases]}")

    def add(self, *biases: Bias) -> BiasLibrary:
        """Return a library with these biases at its end; an id that is already there raises ValueError."""
        for bias in biases:
            if bias.id in self:
                raise ValueError(f"the library already holds {bias.id!r}")
        return BiasLibrary(self.biases + biases)


@dataclass(frozen=True, slots=True)
class Verdict:
    """One parsed decision of a judge on one pair in one order (None for a pointwise judge).

    `margin` is the log-odds (or score difference) in favour of the chosen response where the judge exposes
    one; `label_mass` the probability on the offered labels. `keys` are ledger keys of the replies behind it.
    """

    pair_id: str
    arm: str
    order: Order | None
    choice: Choice
    margin: float | None = None
    label_mass: float | None = None
    scores: tuple[float, ...] = ()
    samples: tuple[Choice, ...] = ()
    reasoning: str = ""
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A response with one trait added (or, in a neutral arm, none), its final answer kept.

    `writer` is a model's name or ``rule``; `phrasing` the index of the instruction or rule phrasing used;
    `side` the response that was rewritten. `note` is a fact that is shown about the response, which itself stays as
    it was.
    """

    pair_id: str
    arm: str
    text: str
    writer: str
    phrasing: int
    side: RewrittenSide = "rejected"
    keys: tuple[str, ...] = ()
    note: str = ""

    @property
    def shown(self) -> str:
        """The text as a judge is shown it: under its note, where it has one."""
        return f"[{self.note}]\n\n{self.text}" if self.note else self.text


@dataclass(frozen=True, slots=True)
class Shift:
    """A pair whose biased rewrite was judged worse for the chosen response than a neutral one of the same text.

    `loss` is the drop of the order-averaged support for the chosen response beyond the neutral rewrite (in
    error fraction for verdicts, log-odds for margins). `rank` is the evidence class, 0 the strongest: right
    on original and neutral in both orders and wrong on the rewrite in both orders. A shift of rank 0 to 2 is
    a *flip*: the verdict itself turned. A `decoy` turned under the neutral rewrite instead.
    """

    pair: PreferencePair
    bias_id: str
    neutral: Rewrite
    rewrite: Rewrite
    verdict: Verdict
    loss: float
    rank: int
    decoy: bool = False


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why the judge decided as it did: the reasoning of its reply, then its own account of that reasoning."""

    shift: Shift
    reasoning: str
    deeper: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Account:
    """How a bias came to its name: the judge's reasons, what it answered when asked about them, what a teacher read in it.

    `keys` are ledger keys of the replies behind the reasons.
    """

    reasoning: str
    deeper: str
    name: str
    definition: str
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A pair on which an accepted bias shows, with everything needed to read it.

    `role` ``validation``: one of the pairs of its trial on which it moved the judge most, `written` is the bias itself.
    ``discovery``: the strongest pair on which it was named; the text was rewritten with the bias `written` to look for
    others, and `account` tells how its name came of it. `verdicts` are those on the original, the neutral and the
    biased rewrite. `loss` is the drop of support for the chosen response beyond the neutral rewrite, in `unit`.
    `neutral` is None where the published procedure made none.
    """

    bias_id: str
    role: Literal["validation", "discovery"]
    written: str
    pair: PreferencePair
    neutral: Rewrite | None
    rewrite: Rewrite
    verdicts: tuple[Verdict, ...]
    loss: float
    unit: Unit
    account: Account | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """An estimate with its interval, in `unit`; `level` is the coverage of the interval, `n` the items used.

    `low` and `high` are None where the standard error is 0: no interval is printed from it. `se` is None where
    a rule knows none.
    """

    value: float
    se: float | None
    low: float | None
    high: float | None
    n: int
    unit: Unit
    level: float = 0.95
    p: float | None = None

    @property
    def estimate(self) -> Estimate:
        """The number with its interval, without unit and test."""
        return Estimate(self.value, self.se, self.low, self.high, self.n, self.level)


@dataclass(frozen=True, slots=True)
class Trial:
    """What was measured about one bias on one judge, beyond neutral wording.

    `effect.p` is the one-sided p-value of the test; `q` the Benjamini-Hochberg adjusted value over the whole
    run. `detectable` is the smallest true effect that the run would have accepted with 80 % power, `min_effect`
    the smallest one of interest. The trial stopped at look `look` of `looks`, after `visited` pairs, on which it was
    compared with `neutral_arms`. `missing` counts (arm, reason) pairs. `provisional` is the decision inside the iteration,
    `status` the final one. `claim` is ``error`` where every label rests on a checkable answer, else ``pull``: a preference that moves.
    """

    bias: Bias
    iteration: int
    estimand: Estimand
    unit: Unit
    status: Status
    reason: str
    effect: Effect | None
    q: float | None = None
    detectable: float | None = None
    min_effect: float | None = None
    provisional: bool = False
    look: int | None = None
    looks: int | None = None
    visited: int = 0
    error_original: float | None = None
    error_biased: float | None = None
    error_neutral: float | None = None
    harm: float | None = None
    rescue: float | None = None
    noise_floor: float | None = None
    trait_shown: float | None = None
    trait_in_neutral: float | None = None
    worst_case: tuple[float, float] | None = None
    marks: tuple[str, ...] = ()
    missing: tuple[tuple[str, str, int], ...] = ()
    claim: Claim = "pull"
    details: TrialDetails | None = None
    neutral_arms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Baseline:
    """How the judge does on the original pairs: error rate, position consistency, first-answer preference.

    Rates are fractions; `first_answer_preference` is P(prefers the answer shown first) - .5. What needs both
    orders is None where one order was judged.
    """

    error_rate: float
    position_consistency: float | None
    first_answer_preference: float | None
    tie_rate: float | None
    n: int
    margin_sd: float | None = None


@dataclass(frozen=True, slots=True)
class Iteration:
    """One pass of the loop: what was perturbed and seen, named, merged and tried; what `features` of the texts proposed.

    Of `judged` perturbed pairs (all arms, both orders), `moved` were not judged alike in all arms.
    """

    index: int
    perturbed: int
    judged: int
    moved: int
    shifts: int
    expected_noise: float | None
    decoys: int
    decoys_named: int
    named: int
    merged: tuple[tuple[str, str], ...]
    candidates: tuple[Bias, ...]
    trials: tuple[Trial, ...]
    missing: tuple[tuple[str, str, int], ...] = ()
    features: FeatureProposals | None = None


@dataclass(frozen=True, slots=True)
class LibraryEffect:
    """Every held-out pair with one accepted bias drawn by seed, beside the same pairs original and neutral.

    `before`, `neutral` and `after` are error rates (fractions; for margins probabilities of preferring the rejected
    response); `gain` is after - neutral with its interval, in its own unit.
    `paper` is the paper's column, the mean over accepted biases of their error rates on validation pairs,
    which is inflated by selection and labelled so.
    """

    before: float
    neutral: float
    after: float
    gain: Effect
    paper: float | None = None
    notes: tuple[str, ...] = field(default=())
