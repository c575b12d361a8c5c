"""What became of every variant: all of it adds up."""

from biasscope.benchmarks.funnel import Counting, funnel

from ..hardened import built


def example():
    counting = Counting()
    counting.add("", "math", "pairs", count=3)
    counting.add("", "code", "pairs", count=2)
    for bias, domain, reason in [("calm", "math", ""), ("calm", "math", "refused"), ("loud", "code", "")]:
        counting.add(bias, domain, "drawn")
        counting.add(bias, domain, "written", reason)
        if not reason:
            counting.add(bias, domain, "checked")
            counting.add(bias, domain, "deduplicated", "same_text" if bias == "loud" else "")
    return {(row.bias, row.domain): row for row in funnel(counting.tallies())}


def test_rows_are_the_whole_each_bias_each_domain_and_both():
    rows = example()
    assert list(rows) == [("", ""), ("calm", ""), ("loud", ""), ("", "code"), ("", "math"),
                          ("calm", "code"), ("calm", "math"), ("loud", "code"), ("loud", "math")]  # fmt: skip
    whole = rows["", ""]
    assert whole.passed == {"pairs": 5, "drawn": 3, "written": 2, "checked": 2, "deduplicated": 1}
    assert whole.lost == (("written", "refused", 1), ("deduplicated", "same_text", 1))
    assert rows["calm", "math"].passed["pairs"] == 3
    assert rows["calm", "code"].passed == {"pairs": 2, "drawn": 0, "written": 0, "checked": 0, "deduplicated": 0}


def test_a_step_that_was_not_made_has_no_count():
    assert "pro_kept" not in example()["", ""].passed


def test_of_a_real_build_nothing_is_lost_without_a_reason():
    for row in funnel(built().tallies):
        at = row.passed
        lost = {step: sum(n for s, _, n in row.lost if s == step) for step in at}
        assert at["drawn"] == at["written"] + lost["written"]
        assert at["written"] == at["checked"] + lost["checked"]
        assert at["checked"] == at["deduplicated"] + lost["deduplicated"]
