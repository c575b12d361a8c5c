import pytest

from biasscope.datasets import Skip, SuppliedRewrite, load, load_library, load_rewrites
from biasscope.datasets.seed_library import bias_id
from biasscope.errors import DataError
from biasscope.records import Bias, Message

OWN = {"original": "It is 4.", "rewritten": "It is 4, says Euler.", "trait": "authority"}
CALM = {
    "question": "2+2?",
    "answer1": "It is 4.",
    "answer2": "It is 5.",
    "data_resource": "mine",
    "answer1_angry": "It is 4!!",
    "answer2_angry": "It is 5!!",
    "answer2_with_url": "It is 5 (example.org).",
}
SEED = {
    "Authority Bias ": {"Definition": "Trusts what names a source. ", "Manifestations": "Cited answers win."},
    "Position": {"Definition": "Prefers a slot.", "Estimand": "slot"},
}


def test_own_rewrites_are_read_with_what_links_them_to_a_pair(write):
    loaded = load_rewrites(write([{**OWN, "pair_id": 7, "prompt": "2+2?", "domain": "math"}]))
    assert loaded.format == "rewrites"
    assert loaded.rewrites == (
        SuppliedRewrite(
            "It is 4.", "It is 4, says Euler.", "authority", "7", (Message("user", "2+2?"),), domain="math"
        ),
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"original": None}, "missing original"),
        ({"original": " "}, "missing original"),
        ({"rewritten": None}, "missing rewrite"),
        ({"rewritten": ""}, "missing rewrite"),
        ({"rewritten": "It is 4. \n"}, "unchanged rewrite"),
        ({"trait": None}, "missing trait"),
        ({"trait": " "}, "missing trait"),
        ({"rewritten": "\udc00"}, "invalid characters"),
        ({}, "duplicate"),
    ],
)
def test_rewrites_that_cannot_be_used_are_counted(write, change, reason):
    loaded = load_rewrites(write([OWN, {**OWN, **change}]))
    assert len(loaded.rewrites) == 1
    assert loaded.skipped == (Skip(reason, 1, ("line 2",)),)


def test_two_rewrites_of_one_original_are_no_duplicates(write):
    rows = [OWN, {**OWN, "rewritten": "Four, says Gauss."}, {**OWN, "trait": "names"}, {**OWN, "pair_id": "b"}]
    assert len(load_rewrites(write(rows)).rewrites) == 4


def test_a_limit_counts_rewrites(write):
    loaded = load_rewrites(write([OWN, {**OWN, "trait": "names"}]), limit=1)
    assert (len(loaded.rewrites), loaded.read) == (1, 1)
    assert loaded.notes == ("stopped at the limit of 1",)


def test_calm_gives_one_rewrite_per_rewritten_column(write):
    loaded = load_rewrites(write([CALM], "a.json"))
    assert loaded.format == "calm"
    assert [(r.original, r.rewritten, r.trait) for r in loaded.rewrites] == [
        ("It is 4.", "It is 4!!", "angry"),
        ("It is 5.", "It is 5!!", "angry"),
        ("It is 5.", "It is 5 (example.org).", "with_url"),
    ]
    assert {(r.prompt, r.source) for r in loaded.rewrites} == {((Message("user", "2+2?"),), "mine")}


def test_a_calm_row_that_lacks_a_rewritten_column_counts_each_one(write):
    bare = {"question": "3+3?", "answer1": "6", "answer2": "7", "answer1_angry": "6!!"}
    loaded = load_rewrites(write([CALM, bare], "a.json"))
    assert len(loaded.rewrites) == 4
    assert loaded.skipped == (Skip("missing rewrite", 2, ("item 2",)),)


def test_a_rewritten_column_that_first_comes_up_late_is_read(write):
    early = [{"question": str(n), "answer1": "a", "answer1_sad": "a..."} for n in range(60)]
    loaded = load_rewrites(write([*early, {"question": "late", "answer1": "a", "answer1_glad": "a!"}]))
    assert [r.trait for r in loaded.rewrites[-2:]] == ["sad", "glad"]
    assert loaded.skipped == (Skip("missing rewrite", 1, ("line 61",)),)


def test_a_seed_library_gives_biases_with_names_stripped(write):
    loaded = load_library(write(SEED, "seed.json"))
    assert loaded.format == "seed-library"
    assert loaded.library.biases == (
        Bias("authority", "Authority Bias", "Trusts what names a source. Cited answers win.", "seed"),
        Bias("position", "Position", "Prefers a slot.", "seed", "slot"),
    )


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("Length bias", "length"),
        ("Fallacy-Oversight Bias", "fallacy_oversight"),
        ("Bias", "bias"),
        ("  A  b ", "a_b"),
    ],
)
def test_the_id_of_a_bias_is_made_from_its_name(name, made):
    assert bias_id(name) == made


def test_a_bias_without_a_definition_is_counted(write):
    loaded = load_library(write({**SEED, "Empty": {"Definition": " "}}, "seed.json"))
    assert len(loaded.library) == 2
    assert loaded.skipped == (Skip("missing definition", 1, ("entry 'Empty'",)),)


def test_the_same_bias_twice_is_a_duplicate_and_two_biases_under_one_id_are_an_error(write):
    same = {"Same": {"Definition": "One."}, "Same ": {"Definition": "One."}}
    assert load_library(write(same, "a.json")).skipped == (Skip("duplicate", 1, ("entry 'Same '",)),)
    with pytest.raises(DataError, match="entry 'Same bias': a second bias with the id 'same'"):
        load_library(write({"Same": {"Definition": "One."}, "Same bias": {"Definition": "Two."}}, "b.json"))


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"Odd": {"Definition": "One.", "Estimand": "push"}}, "unknown Estimand 'push'"),
        ({" - ": {"Definition": "One."}}, "is no name for a bias"),
    ],
)
def test_a_seed_library_that_cannot_be_understood_is_an_error(write, entry, message):
    with pytest.raises(DataError, match=message):
        load_library(write(entry, "a.json"))


def test_a_source_of_another_kind_says_who_reads_it(write):
    calm, seed = write([CALM], "a.json"), write(SEED, "b.json")
    pairs = write([{"prompt": "q", "chosen": "a", "rejected": "b"}])
    with pytest.raises(DataError, match="holds rewrites, not pairs") as caught:
        load(calm)
    assert "load_rewrites" in caught.value.hint
    with pytest.raises(DataError, match="holds biases, not rewrites"):
        load_rewrites(seed)
    with pytest.raises(DataError, match="holds pairs, not biases"):
        load_library(pairs)
    with pytest.raises(DataError, match="makes pairs; there is no file"):
        load_rewrites("objective:3")
