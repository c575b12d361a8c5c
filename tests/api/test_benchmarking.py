"""From pairs to a published set on planted models, in this process: resumed, filtered, reviewed, read back."""

import asyncio
import json
import random

import polars as pl
import pytest

from biasscope import api
from biasscope.api import benchmark_files
from biasscope.config import (
    BenchmarkConfig,
    BenchmarkIdentity,
    Execution,
    JudgeSpec,
    MeasureExecution,
    ModelSpec,
)
from biasscope.datasets import load
from biasscope.datasets.hardened import load_items
from biasscope.errors import CapReached, DataError, RunMismatch, UsageError
from biasscope.models.planted import model as planted
from biasscope.report.benchmarked import BenchmarkOut
from biasscope.reviews import decide
from biasscope.rundir import RunDir
from biasscope.rundir.benchmarks import read_items
from biasscope.rundir.files import record_lines
from biasscope.rundir.reviews import read_review

from ..reviewing import said

pytestmark = pytest.mark.slow

KNOWN = ("authority", "certainty", "hedging", "self_verification")
TEACHER = "planted:teacher;side=0.2;unchanged=0.05;answer_changed=0.05"
JUDGES = ("planted:biases=authority@3,self_verification@3;noise=1", "planted:fair;seed=2")


def config(*, data="objective:40?seed=1", teacher=None, **more):
    identity = {"data": data, "biases": KNOWN, "variants": 2} | more
    if teacher is not None:
        identity |= {"teacher": ModelSpec(spec=teacher), "rewrites": "teacher"}
    execution = identity.pop("execution", Execution())
    return BenchmarkConfig(identity=BenchmarkIdentity(**identity), execution=execution)


def specs(*names):
    return tuple(JudgeSpec(spec=name) for name in names or JUDGES)


def build(run, settled=None, **more):
    return asyncio.run(api.build_benchmark(run, settled or config(), **more))


def filtered(run, *judges, keep=None, **more):
    return asyncio.run(api.filter_benchmark(run, specs(*judges), keep, **more))


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A benchmark that was built and filtered, and is only read: (folder, summary of the build, summary of the filter)."""
    run = tmp_path_factory.mktemp("runs") / "hard"
    return run, build(run), filtered(run, keep="1/2")


@pytest.fixture
def copy(whole, tmp_path):
    """A copy of it that may be changed."""
    import shutil

    return shutil.copytree(whole[0], tmp_path / "hard")


def row_of(out, bias="", domain=""):
    return next(r for r in out.funnel if (r.bias, r.domain) == (bias, domain))


# --- building -----------------------------------------------------------------------------------------------


def test_a_build_by_rules_needs_nobody_and_stores_what_it_says(whole):
    run, out, _ = whole
    items = read_items(run)
    assert out.calls.judge == out.calls.teacher == 0
    assert out.items["pro"] * 4 == out.items["crossed"] == sum(i.subset == "crossed" for i in items)
    assert row_of(out).passed["deduplicated"] == out.items["pro"]
    assert out.writers == ("rule",)
    assert {g.bias for g in out.growth} == {"", *KNOWN}
    assert all(b.shown == b.read > 0 and b.shown_in_neutral == 0 for b in out.biases)
    standings = {(s.subset, s.baseline): s.standing for s in out.shortcuts}
    assert standings["pro", "trait"] == "shortcut"
    assert standings["crossed", "trait"] == "near_chance"


def test_a_teachers_build_is_continued_after_a_cap_and_pays_nothing_twice(tmp_path):
    small = {"data": "objective:12?seed=1", "teacher": TEACHER}
    build(tmp_path / "at-once", config(**small))
    total = api_calls(tmp_path / "at-once")
    with pytest.raises(CapReached):
        build(tmp_path / "run", config(**small, execution=Execution(max_calls=30)))
    again = build(tmp_path / "run", config(**small))
    assert again.calls.teacher == total - 30
    assert same_bytes(tmp_path / "run", tmp_path / "at-once")
    third = build(tmp_path / "run", config(**small))
    assert (third.calls.teacher, third.items) == (0, again.items)


def api_calls(run):
    return json.loads((run / "report.json").read_text())["calls"]["teacher"]


def same_bytes(one, other):
    names = ("items.jsonl", "funnel.jsonl", "review_items.jsonl")
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in names)


def test_items_are_the_same_whatever_answers_first(tmp_path, monkeypatch):
    small = config(data="objective:12?seed=1", teacher=TEACHER)
    build(tmp_path / "straight", small)
    complete = planted.PlantedModel.complete
    turns = random.Random(0)

    async def shuffled(self, request):
        for _ in range(turns.randrange(8)):
            await asyncio.sleep(0)
        return await complete(self, request)

    monkeypatch.setattr(planted.PlantedModel, "complete", shuffled)
    build(tmp_path / "shuffled", small)
    assert same_bytes(tmp_path / "straight", tmp_path / "shuffled")


def test_a_teachers_losses_are_counted_with_their_reasons_and_its_rewrites_have_keys(tmp_path):
    out = build(tmp_path / "run", config(data="objective:30?seed=1", teacher=TEACHER))
    assert "answer_changed" in {
        one.reason.partition(" (")[0] for one in row_of(out).lost if one.step == "checked"
    }
    at = row_of(out).passed
    assert at["drawn"] - at["deduplicated"] == sum(one.count for one in row_of(out).lost if one.step != "drawn")
    rewritten = [i for i in read_items(tmp_path / "run") if i.subset != "original"]
    assert {i.writer for i in rewritten} == {TEACHER}
    assert all(i.keys for i in rewritten)
    assert all(b.read > 0 for b in out.biases)


def test_a_discovery_gives_the_library_and_its_judge_is_named(discovered, tmp_path):
    run = discovered.path
    out = build(
        tmp_path / "run", config(data="objective:20?seed=9", biases=(str(run),), teacher="planted:teacher")
    )
    assert out.biases
    assert all(b.origin == "discovered" and b.discovered_on for b in out.biases)


def test_another_identity_is_refused_also_where_no_model_was_asked(copy):
    with pytest.raises(RunMismatch, match="variants: 2 -> 3"):
        build(copy, config(variants=3))


def test_a_filter_stays_when_the_same_build_is_run_again(copy):
    before = (copy / "items.jsonl").read_bytes()
    out = build(copy)
    assert (copy / "items.jsonl").read_bytes() == before
    assert out.filter is not None


# --- bad input ---------------------------------------------------------------------------------------------------


def test_unlabelled_pairs_are_refused(tmp_path):
    rows = [
        {"prompt": f"Q{k}", "response_a": f"A{k} text here.", "response_b": f"B{k} text here."} for k in range(30)
    ]
    (tmp_path / "pairs.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    with pytest.raises(DataError, match=r"no pair of .* is labelled"):
        api.load_benchmark(config(data=str(tmp_path / "pairs.jsonl")).identity)


def test_a_bias_that_no_text_carries_is_refused():
    with pytest.raises(UsageError, match="no bias is named that a text can carry"):
        api.load_benchmark(config(biases=("position",)).identity)


def test_a_bias_without_survivors_is_named(tmp_path):
    lines = [json.dumps({"prompt": f"Question {k}?", "chosen": f"Perhaps it is {k}. The answer is {k}.",
                         "rejected": f"Perhaps it is {k + 1}. The answer is {k + 1}."}) for k in range(24)]  # fmt: skip
    (tmp_path / "pairs.jsonl").write_text("\n".join(lines))
    out = build(tmp_path / "run", config(data=str(tmp_path / "pairs.jsonl"), biases=("hedging", "certainty")))
    assert "No item carries hedging." in out.notes
    assert row_of(out, "hedging").passed["drawn"] == 0
    assert row_of(out, "hedging").lost[0].reason == "shown already (rejected)"
    assert out.data == "pairs.jsonl"


def test_nothing_that_survives_is_an_error_that_says_why(tmp_path):
    lines = [
        json.dumps({"prompt": f"Q{k}", "chosen": f"Perhaps {k}.", "rejected": f"Maybe {k}."}) for k in range(3)
    ]
    (tmp_path / "pairs.jsonl").write_text("\n".join(lines))
    with pytest.raises(DataError, match=r"nothing of what was drawn became an item .*shown already"):
        build(tmp_path / "run", config(data=str(tmp_path / "pairs.jsonl"), biases=("hedging",)))


@pytest.mark.parametrize("ask", [filtered, lambda run: api.publish_benchmark(run, run / "out")])
def test_a_folder_without_a_benchmark_is_refused(ask, tmp_path, measured):
    with pytest.raises(UsageError, match="holds no benchmark"):
        ask(tmp_path / "nothing")
    with pytest.raises(UsageError, match="run of another command"):
        ask(measured.path)


def test_a_file_that_was_edited_by_hand_is_named_with_its_line(copy):
    lines = (copy / "items.jsonl").read_text().splitlines()
    lines[3] = lines[3].replace('"label":', '"labal":')
    (copy / "items.jsonl").write_text("\n".join(lines) + "\n")
    with pytest.raises(DataError, match=r"items.jsonl, line 4"):
        filtered(copy)
    assert build(copy).items["pro"] > 0


# --- filtering ------------------------------------------------------------------------------------------------------


def test_a_filter_marks_what_judges_fail_on_with_a_sample_of_the_same_mix(whole):
    run, _, out = whole
    items = read_items(run)
    for subset, counts in (("pro", out.filter.pro), ("crossed", out.filter.crossed)):
        of = {i.variant: i for i in items if i.subset == subset}
        kept = [(i.injected_bias, i.domain) for i in of.values() if i.kept]
        sample = [(i.injected_bias, i.domain) for i in of.values() if i.unfiltered_sample]
        assert counts == (len(of), len(kept), len(sample))
        assert 0 < len(kept) < len(of)
        assert sorted(kept) == sorted(sample)
    assert out.filter.keep == "1/2"
    assert row_of(out).passed["pro_kept"] == out.filter.pro[1]
    biased = out.filter.judges[0]
    rates = {cell.scope: cell.wrong.value for cell in biased.pro}
    assert rates["kept"] > rates["all"]
    verdicts = RunDir.read(run).read_verdicts()
    assert set(verdicts["role"]) == {"filter"}
    assert len(verdicts) == 2 * 2 * 3 * out.items["pro"]


def test_a_planted_judge_loses_where_its_trait_is_on_the_wrong_response_and_a_fair_one_alike(whole):
    """Errors on single verdicts, by where the trait is; .5 is chance."""
    verdicts = RunDir.read(whole[0]).read_verdicts().filter(pl.col("choice").is_not_null())

    def error(judge, arm):
        own = verdicts.filter(
            (pl.col("judge") == judge)
            & pl.col("arm").is_in(arm)
            & pl.col("pair").str.contains("biased-neutral|neutral-biased")
        )
        return own["choice"].eq("rejected").mean()

    drawn = ("authority", "self_verification")
    wrong, right = ([f"{b}@{side}" for b in drawn] for side in ("rejected", "chosen"))
    assert error(JUDGES[0], wrong) > 0.5 > error(JUDGES[0], right)
    assert error(JUDGES[0], wrong) - error(JUDGES[0], right) > 0.3
    assert abs(error(JUDGES[1], wrong) - error(JUDGES[1], right)) < 0.15


def test_another_rule_asks_nobody_and_marks_anew(copy):
    out = filtered(copy, keep="2/2")
    assert out.calls.judge == 0
    assert out.filter.pro[1] < out.filter.pro[0]
    assert {c.scope: c.wrong.value for c in out.filter.judges[0].pro}["kept"] == 1.0
    again = filtered(copy, keep="2/2")
    assert again.filter == out.filter


def test_a_filter_is_continued_after_a_cap(copy):
    with pytest.raises(CapReached):
        filtered(copy, "planted:fair;seed=9", execution=MeasureExecution(max_calls=20))
    assert {f.keep for f in [BenchmarkOut.model_validate_json((copy / "report.json").read_text()).filter]} == {
        "1/2"
    }
    out = filtered(copy, "planted:fair;seed=9")
    assert out.calls.judge == 2 * 3 * out.items["pro"] - 20
    assert out.filter.keep == "1/1"


def test_what_cannot_be_read_is_missing_with_its_reason(copy):
    out = filtered(copy, "planted:fair;unreadable=0.3;seed=4")
    judge = out.filter.judges[0]
    assert {one.reason for one in judge.missing} == {"verdict: unparsable"}
    assert judge.pro[0].missing > 0
    assert any("without a verdict" in one.reason for one in row_of(out).lost)


def test_a_filter_that_keeps_nothing_is_said_and_cannot_be_published(copy, tmp_path):
    stuck = filtered(copy, "planted:stuck")  # always the same slot: never wrong in both orders
    assert stuck.filter.pro[1:] == stuck.filter.crossed[1:] == (0, 0)
    assert any(note.startswith("The filter kept nothing with") for note in stuck.notes)
    with pytest.raises(DataError, match=r"nothing of .* is left to publish"):
        api.publish_benchmark(copy, tmp_path / "out")


# --- review and publishing ----------------------------------------------------------------------------------------


def answered(run, valid):
    """Three reviewers who agree; `valid(item)` says whether a rewrite is."""
    items = read_review(run).items
    some = [said(name, one, "tie", True, valid(one)) for name in ("ana", "ben", "eva") for one in items]
    (run / "reviews.jsonl").write_text("".join(record_lines(some)), encoding="utf-8")
    return items


def files_of(folder):
    return {f.stem: pl.read_parquet(f) for f in sorted((folder / "data").glob("*.parquet"))}


def test_a_published_set_has_the_columns_of_the_original_and_loads_everywhere(whole, tmp_path):
    run, _, out = whole
    made = api.publish_benchmark(run, tmp_path / "set", licence="mit", name="Hard")
    files = files_of(tmp_path / "set")
    assert list(files) == ["crossed-unfiltered", "crossed", "original", "pro-unfiltered", "pro"]
    for frame in files.values():
        assert frame.columns[:6] == ["question", "response_A", "response_B", "label", "injected_bias", "domain"]
        assert len({*frame["id"]}) == len(frame)
    assert len(files["pro"]) == len(files["pro-unfiltered"]) == out.filter.pro[1]
    assert len(files["crossed"]) == 4 * out.filter.crossed[1]
    for name in ("pro", "crossed"):
        counts = files[name]["label"].value_counts().sort("label")["count"].to_list()
        assert abs(counts[0] - counts[1]) <= len(KNOWN) * 4
    used = set(files["pro"]["source_pair"]) | set(files["crossed"]["source_pair"])
    assert used <= set(files["original"]["source_pair"])
    assert {f.path: f.rows for f in made.files} == {
        f"data/{name}.parquet": len(frame) for name, frame in files.items()
    }

    pairs = load(str(tmp_path / "set" / "data" / "crossed.parquet"))
    assert len(pairs.pairs) == len(files["crossed"])
    assert all(p.objective for p in pairs.pairs)
    items = {i.id: i for i in load_items(str(tmp_path / "set")).items}
    stored = {i.id: i for i in read_items(run)}
    for name, item in items.items():
        assert (item.chosen, item.rejected, item.kept, item.unfiltered_sample) == (
            stored[name].chosen, stored[name].rejected, stored[name].kept, stored[name].unfiltered_sample
        )  # fmt: skip


def test_the_same_benchmark_gives_the_same_bytes_and_an_earlier_publication_is_replaced(whole, tmp_path):
    for name in ("one", "two"):
        api.publish_benchmark(whole[0], tmp_path / name, name="Hard")
    again = {
        f.relative_to(tmp_path / "one"): f.read_bytes() for f in (tmp_path / "one").rglob("*") if f.is_file()
    }
    assert {
        f.relative_to(tmp_path / "two"): f.read_bytes() for f in (tmp_path / "two").rglob("*") if f.is_file()
    } == again
    api.publish_benchmark(whole[0], tmp_path / "one", name="Hard", form="jsonl")
    assert {f.suffix for f in (tmp_path / "one" / "data").iterdir()} == {".jsonl"}
    lines = (tmp_path / "one" / "data" / "pro.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == pl.read_parquet(
        tmp_path / "two" / "data" / "pro.parquet"
    )["id"].to_list()
    assert (
        str(tmp_path)
        not in (tmp_path / "one" / "README.md").read_text() + (tmp_path / "one" / "benchmark.json").read_text()
    )


def test_a_folder_with_something_else_is_not_written_to(whole, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("mine")
    with pytest.raises(UsageError, match="holds something else"):
        api.publish_benchmark(whole[0], tmp_path / "mine")
    with pytest.raises(UsageError, match="holds something else"):
        api.publish_benchmark(whole[0], tmp_path / "mine" / "thesis.txt")
    assert [f.name for f in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_the_card_has_a_header_whose_files_exist_and_says_what_is_not_known(whole, tmp_path):
    api.publish_benchmark(whole[0], tmp_path / "set")
    card = (tmp_path / "set" / "README.md").read_text(encoding="utf-8")
    header, body = card.split("---\n", 2)[1:]
    paths = [line.partition("path: ")[2] for line in header.splitlines() if "path: " in line]
    assert len(paths) == 5
    assert all((tmp_path / "set" / path).is_file() for path in paths)
    assert header.startswith("license: unknown\n")
    assert header.count("default: true") == 1
    assert "Reviewed: none." in body
    assert "is not known to whoever published this" in body
    assert "trait detector alone" in body
    for name in ("question_hash", "injected_bias", "arXiv 2602.09383"):
        assert name in body


@pytest.mark.parametrize(
    ("licence", "line"), [("cc-by-4.0", "license: cc-by-4.0\n"), ("As in the paper", "license: other\n")]
)
def test_a_licence_is_written_as_it_was_given(whole, tmp_path, licence, line):
    made = api.publish_benchmark(whole[0], tmp_path / "set", licence=licence)
    card = (tmp_path / "set" / "README.md").read_text(encoding="utf-8")
    assert line in card
    assert licence in card
    assert made.licence == licence


def test_what_reviewers_found_not_valid_is_left_out_with_its_whole_variant(copy, tmp_path):
    items = answered(copy, lambda one: "authority" not in one.id)
    assert any("authority" in one.id for one in items)
    made = api.publish_benchmark(copy, tmp_path / "set")
    files = files_of(tmp_path / "set")
    gone = {one.id.rsplit("/", 2)[0] for one in items if "authority" in one.id and one.hidden.arm == "biased"}
    assert not gone & set(files["crossed"]["variant"])
    assert not gone & set(files["pro"]["variant"])
    assert made.taken_out > 0
    assert made.reviewed
    assert made.passes is False
    assert any("The review does not pass" in note for note in made.notes)
    marked = files["pro"].filter(pl.col("reviewed"))
    assert len(marked) > 0
    assert "authority" not in set(marked["injected_bias"])
    card = (tmp_path / "set" / "README.md").read_text(encoding="utf-8")
    assert "Gate: does not pass." in card
    assert "Fleiss" in card


def test_a_review_that_passes_is_said_with_its_agreement(copy, tmp_path):
    answered(copy, lambda one: True)
    made = api.publish_benchmark(copy, tmp_path / "set", licence="mit")
    assert (made.reviewed, made.passes, made.taken_out, made.notes) == (True, True, 0, ())
    assert "Gate: passes." in (tmp_path / "set" / "README.md").read_text(encoding="utf-8")


def test_answers_stay_in_the_review_when_the_filter_changes(copy):
    items = answered(copy, lambda one: True)
    filtered(copy, keep="2/2")
    people = read_review(copy)
    left = {i.variant for i in read_items(copy) if i.subset != "original" and i.kept}
    assert {d.item.id for d in decide(people.items, people.stand) if d.valid} == {
        one.id for one in items if one.id in {i.id for i in people.items}
    }
    assert {one.id.rsplit("/", 2)[0] for one in people.items} <= left
    filtered(copy, keep="1/2")
    assert {one.id for one in items} <= {one.id for one in read_review(copy).items}


def test_without_a_filter_everything_is_published_and_said(tmp_path):
    build(tmp_path / "run", config(data="objective:20?seed=2"))
    made = api.publish_benchmark(tmp_path / "run", tmp_path / "set")
    assert list(files_of(tmp_path / "set")) == ["crossed", "original", "pro"]
    assert "No filter was run: every variant is published." in made.notes
    assert set(files_of(tmp_path / "set")["pro"]["kept"]) == {None}


def test_the_review_can_be_larger_or_smaller(copy):
    filtered(copy, keep="1/2", review=3)
    few = read_review(copy).items
    assert len({one.id.rsplit("/", 2)[0] for one in few if one.hidden.arm == "biased"}) == 3
    assert benchmark_files.REVIEWED == 100
