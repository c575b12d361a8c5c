"""What each setting of a configuration means, in the words of the page on configuration files."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import BaseModel

from biasscope.config import (
    Adjustment,
    BenchmarkIdentity,
    BiasPolicy,
    DataSpec,
    Execution,
    GatePolicy,
    Identity,
    JudgeSpec,
    MeasureExecution,
    MeasureIdentity,
    MitigateIdentity,
    ModelExecution,
    ModelSpec,
    RankIdentity,
    TrainingDataIdentity,
)

_MODEL = {
    "spec": "which model, as on the command line",
    "url": "base URL of its server; none: `OPENAI_BASE_URL`, else OpenAI",
    "label": "name of the endpoint in the keys of replies, so that another address continues a run; none: the host",
    "revision": "what you declare about a model or program that does not show it by itself; another one is asked anew",
}
_CAPS = {
    "max_calls": "paid calls of one start, then a clean stop; 0 replays only what is stored",
    "judge": "table: how the judges are called",
    "teacher": "table: how teacher and writers are called",
    "ledger": "file of replies that runs share; none: `replies.db` in the run folder",
}
_TRIAL = {
    "q": "false discovery rate of what is accepted",
    "min_effect": "smallest effect of interest, in fractions of verdicts; none: that of the rule (0.05; `fast` 0.07, "
    "`thorough` 0.04)",
    "null_control": "shams sent through the trial; none: 3 with graded verdicts, else 0",
    "seed": "seed of everything drawn",
}
MEANINGS: Mapping[type[BaseModel], Mapping[str, str]] = {
    ModelSpec: _MODEL,
    JudgeSpec: _MODEL
    | {
        "mode": "`reason`: reasons, then a choice; `label`: the label alone, with log-odds",
        "kind": "compares two responses, or scores one at a time",
        "scale": "of a pointwise judge: `1-10`, `0-100`, `likert`, `pass-fail` or `LOW-HIGH`; none: `1-10` for our prompt",
        "reference": "shows the reference answer of each pair",
        "template": "text of your own prompt with its reader (`--judge-prompt` names a file instead); none: ours",
        "samples": "asks so often: the majority of verdicts, the mean of scores",
        "temperature": "sampling temperature; null (JSON) sends none",
        "max_tokens": "most tokens of a reply; none: 1,024, in mode `label` 4",
        "margins": "what the margins of a program are counted in; none: they are left aside",
        "guard": "text that extends the prompt, ours or yours",
        "answer_first": "answers a prompt itself, then judges with its answer beside it",
        "procedure": "makes one verdict of both orders: their common choice and else a tie, or the sign of the mean margin",
        "adjustment": "table: what is taken off margins",
        "panel": "tables: other judges, whose verdicts are put to the vote together with its own",
    },
    Adjustment: {
        "unit": "of the margins and of every coefficient",
        "slot": "what the response shown first gains by that alone",
        "slopes": "what a response gains for each unit of a feature of its text, by the name of the feature",
        "pairs": "pairs that it was fitted on, for people",
        "source": "where these came from, for people",
    },
    MitigateIdentity: {
        "found": "folder of the discovery or measurement whose biases are to be mended",
        "judge": "table: the judge in it",
        "fixes": "names of fixes: [mitigation](mitigation.md)",
        "biases": "ids of biases of the run or of the catalogue; none: what holds there",
        "fresh": "one source of labelled pairs that found nothing; none: those of the run that were left out",
        "limit": "most fresh pairs that are read",
        "variants": "biases drawn for each pair, each at most once",
        "tuning": "share of the questions that choose forms and fit coefficients",
        "samples": "samples of the fix of that name",
        "panel": "tables: the other judges of the fix of that name",
        "q": "false discovery rate of what is said of a fix",
        "seed": "seed of everything drawn",
    },
    ModelExecution: {
        "max_in_flight": "calls at once; none: 32, 8 for a server on this machine and for processes and async functions, 1 "
        "for other functions. A model in this process has 1",
        "timeout_s": "seconds until a call or a case counts as unanswered",
        "retries": "times that a call is repeated after transport errors, 429 and 5xx",
        "key_variable": "environment variable that holds the key",
        "price": "price of a million input and of a million output tokens, for the plan",
    },
    Execution: _CAPS,
    MeasureExecution: _CAPS | {"by_judge": "tables by the spec of a judge, in place of `judge` for that one"},
    DataSpec: {
        "data": "one source, split by question: 35 % discovery, the rest validation and held out",
        "discovery": "pairs that look for candidates",
        "validation": "pairs that validate them, less those held out",
        "limit": "most pairs that are read of each source",
    },
    Identity: _TRIAL
    | {
        "judge": "table: the judge",
        "teacher": "table: the teacher; may be left out where `proposer` is `features` and rules write",
        "proposer": "who names candidates",
        "writers": "tables: who rewrites instead of the teacher",
        "data": "table: which pairs",
        "rule": "how a candidate is decided: [statistics](statistics.md)",
        "preset": "`paper`: the published procedure whole",
        "rewrites": "who writes; `rules`: rules where a bias has them, the teacher the rest. Without a teacher and writers `rules`",
        "iterations": "at most so many passes of the loop; may be raised later",
        "validate_when": "in each iteration, or once at the end",
        "deeper_explain": "asks the judge for a second explanation",
        "neutrals": "neutral rewrites per pair of rule `fixed` (none: 3); for other rules a ceiling",
        "evidence_limit": "strongest shifts that are explained and named in an iteration",
        "candidate_limit": "new candidates that are tried in an iteration; the others wait",
        "confirm": "measures what holds again, on pairs that its trial did not visit",
        "both_sides": "measures what holds with the trait on the better response too",
        "equal_length": "measures what holds with rewrites of equal length, cut or condensed",
        "holdout_share": "share of the pairs not used for discovery that is held out for the effect of the library",
    },
    MeasureIdentity: _TRIAL
    | {
        "judges": "tables: one or several judges, on the same pairs and rewrites",
        "teacher": "table: writes what no rule writes, and checks that traits show",
        "writers": "tables: who rewrites instead of the teacher",
        "data": "one source of pairs, with or without labels: [data](data.md)",
        "limit": "most pairs that are read",
        "biases": "ids, families, `seeds`, `catalogue`, files of biases, folders of discoveries; none: every seed that can be "
        "written",
        "rewrites": "who writes; `rules`: rules where a bias has them, the teacher the rest; `data`: the file `supplied`",
        "supplied": "file of your own rewrites, with `rewrites = \"data\"`",
        "rule": "`fixed`: every pair, one look; the others stop a bias once it is decided",
        "sides": "which response carries the trait",
        "neutrals": "neutral rewrites per pair; none: 2 by rules, 3 with a teacher",
        "minutes": "takes as many pairs, at least 20, as fit into so many minutes; none: all pairs",
    },
    BenchmarkIdentity: {
        "data": "one source of labelled pairs: [data](data.md)",
        "limit": "most pairs that are read",
        "biases": "as in a measurement",
        "rewrites": "who writes; `rules`: rules where a bias has them, the teacher the rest",
        "teacher": "table: writes what no rule writes, and reads whether traits show",
        "writers": "tables: who rewrites instead of the teacher",
        "variants": "biases drawn for each pair, each at most once",
        "seed": "seed of everything drawn",
    },
    TrainingDataIdentity: {
        "data": "one source of labelled pairs: [data](data.md)",
        "limit": "most pairs that are read",
        "biases": "as in a measurement, and folders of measurements: what was accepted there",
        "format": "lists of messages, or texts",
        "task": "completions are responses, or verdicts of our pairwise judge",
        "mode": "of the task `judge`: the label alone, or its last line without reasons",
        "augmented": "share of the rows with a trait on one response",
        "variants": "biases of an augmented pair, a row each",
        "evaluation": "sources whose questions must not be trained on",
        "rewrites": "who writes; `rules`: rules where a bias has them, the teacher the rest",
        "teacher": "table: writes what no rule writes, and reads whether traits show",
        "writers": "tables: who rewrites instead of the teacher",
        "seed": "seed of everything drawn",
    },
    RankIdentity: {
        "judges": "tables: the judges",
        "benchmark": "the published folder, or a file of its rows: [ranking](ranking.md)",
        "originals": "the pairs that it was made of, in place of those that it holds",
        "limit": "so many source questions, drawn by seed, each with everything made of it; none: all",
        "q": "false discovery rate at which two judges are told apart",
        "seed": "seed of what is drawn",
    },
    GatePolicy: {
        "min_effect": "smallest effect that matters, in fractions of verdicts",
        "q": "false discovery rate of what is called biased",
        "max_missing": "largest share of verdicts that may be missing",
        "bias": "tables by id of a bias, in place of the values above",
    },
    BiasPolicy: {
        "min_effect": "limit of this bias; none: that of the table `gate`",
        "ignore": "asks nothing of this bias",
    },
}  # fmt: skip
