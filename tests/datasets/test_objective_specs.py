import pytest

from biasscope import objective
from biasscope.datasets import check, load
from biasscope.datasets.objective import parse
from biasscope.errors import DataError


def test_a_spec_gives_what_the_generator_makes():
    loaded = load("objective:6?seed=3")
    assert loaded.pairs == tuple(objective.generate(6, seed=3))
    assert (loaded.format, loaded.read, loaded.skipped) == ("objective", 6, ())
    assert all(pair.objective and pair.labelled for pair in loaded.pairs)


def test_domains_are_handed_on():
    domain = load("objective:1").pairs[0].domain
    assert {pair.domain for pair in load(f"objective:4?domains={domain}&seed=2").pairs} == {domain}


def test_the_same_wish_has_the_same_hash_however_it_is_written():
    hashes = [load(spec).sha256 for spec in ("objective:2", "objective:2?seed=0", "objective:02?domains=&seed=0")]
    assert len(set(hashes)) == 1
    both = [load(f"objective:2?domains={words}") for words in ("dates,logic", "logic, dates")]
    assert both[0] == both[1]
    assert load("objective:2?seed=1").sha256 != hashes[0]


def test_a_limit_stops_the_generator():
    loaded = load("objective:1000000?seed=1", limit=2)
    assert (len(loaded.pairs), loaded.read) == (2, 2)


def test_a_spec_can_be_checked():
    report = check("objective:5")
    assert (report.holds, report.records, report.objective, report.listed) == ("pairs", 5, 5, None)


def test_words_are_read_in_any_order():
    assert parse("objective:7?domains=a, b&seed=5") == (7, 5, ("a", "b"))
    assert parse("objective:7") == (7, 0, ())


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("objective:", "number of pairs must be a whole number of at least 1, got ''"),
        ("objective:0", "number of pairs must be a whole number of at least 1, got '0'"),
        ("objective:-3", "got '-3'"),
        ("objective:" + "9" * 5000, "must be a whole number"),
        ("objective:3?seed=10000", "seed"),
        ("objective:ten", "got 'ten'"),
        ("objective:²", "got '²'"),
        ("objective:3?seed=x", "seed must be a whole number of at least 0, got 'x'"),
        ("objective:3?seed=1&seed=2", "seed is given twice"),
        ("objective:3?sede=1", "unknown option 'sede'"),
        ("objective:3?domains=no-such-domain", "no-such-domain"),
    ],
)
def test_a_spec_that_cannot_be_understood_is_refused_with_a_hint(spec, message):
    with pytest.raises(DataError, match=message) as caught:
        load(spec)
    assert str(caught.value).startswith(spec)
    assert caught.value.hint


def test_a_misspelt_option_suggests_the_right_one():
    with pytest.raises(DataError) as caught:
        load("objective:3?sede=1")
    assert caught.value.hint == "Did you mean seed?"
