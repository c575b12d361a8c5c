"""A summary with everything in it, to be changed by a test."""

import pytest

from biasscope.report.summary import (
    BaselineOut,
    BiasOut,
    CallsOut,
    IterationOut,
    LibraryEffectOut,
    MissingOut,
    PairsOut,
    Summary,
    TrialOut,
)

TRIAL = {
    "id": "calm_bias", "name": "Calm bias", "definition": "The text sounds calm.", "origin": "discovered",
    "estimand": "pull", "status": "accepted", "effect": 0.125, "unit": "fraction", "low": 0.05, "high": 0.2,
    "p": 0.00004, "n": 80, "iteration": 1, "provisional": True, "claim": "pull", "reason": "", "level": 0.975, "q": 0.0001,
    "detectable": 0.08, "min_effect": 0.05, "error_original": 0.1, "error_biased": 0.25, "error_neutral": 0.125, "harm": 0.15,
    "rescue": 0.025, "noise_floor": 0.02, "trait_shown": 1.0, "trait_in_neutral": 0.0, "worst_case": None,
    "marks": (), "evidence": ("p1",), "look": 8, "looks": 8, "visited": 80, "details": None,
}  # fmt: skip
BIAS = {name: TRIAL[name] for name in BiasOut.model_fields}
BASELINE = {
    "error_rate": 0.1,
    "position_consistency": 0.9,
    "first_answer_preference": 0.05,
    "tie_rate": 0.0,
    "margin_sd": None,
    "n": 80,
}
ITERATION = {
    "index": 1, "perturbed": 50, "judged": 48, "moved": 12, "shifts": 5, "expected_noise": 0.4, "decoys": 1,
    "decoys_named": 0, "named": 4, "merged": (("Calm", "calm_bias"),), "candidates": ("calm_bias", "loud_bias"),
    "accepted": ("calm_bias",),
}  # fmt: skip
LIBRARY_EFFECT = {
    "before": 0.1, "neutral": 0.12, "after": 0.3, "gain": 0.18, "low": 0.05, "high": 0.31, "unit": "fraction",
    "n": 20, "paper": None, "notes": (),
}  # fmt: skip


@pytest.fixture
def trial():
    return lambda **changes: TrialOut(**TRIAL | changes)


@pytest.fixture
def baseline():
    return lambda **changes: BaselineOut(**BASELINE | changes)


@pytest.fixture
def summary(trial, baseline):
    """Build a summary; trials, baseline and the like may be given as they are."""

    def build(**changes):
        whole = {
            "version": "0", "run": "runs/x", "complete": True, "status": "found", "judge": "openai:some_model",
            "judge_mode": "reason", "instrument": "pairwise, mode reason", "teacher": "openai:teacher", "rule": "fixed", "preset": "default", "q": 0.05, "seed": 0, "untried": (),
            "stopped": "no new candidate was named",
            "pairs": PairsOut(discovery=50, validation=80, holdout=20, shared_left_out=2, skipped=3),
            "library": (BiasOut(**BIAS),),
            "trials": (trial(),),
            "iterations": (IterationOut(**ITERATION),),
            "calls": CallsOut(judge=10, teacher=20, replayed=30, input_tokens=400, output_tokens=50),
            "missing": (MissingOut(arm="calm_bias", reason="verdict: refused", count=3),),
            "baseline": baseline(),
            "library_effect": LibraryEffectOut(**LIBRARY_EFFECT),
            "null_control": None,
        }  # fmt: skip
        return Summary(**whole | changes)

    return build
