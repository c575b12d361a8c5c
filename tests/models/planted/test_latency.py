import statistics

from biasscope.models.planted.latency import LogNormal, Uniform

BODIES = [f"body {n}" for n in range(4_000)]


def test_a_log_normal_latency_has_its_median_and_its_share_of_slow_calls():
    usual = LogNormal(50.0, slow_share=0.0)
    slow = LogNormal(50.0, slow_share=0.1, slow_factor=4.0)
    drawn = [usual.seconds(3, body, 0) for body in BODIES]
    ratios = [slow.seconds(3, body, 0) / seconds for body, seconds in zip(BODIES, drawn, strict=True)]

    assert 0.048 < statistics.median(drawn) < 0.052
    assert {round(r, 9) for r in ratios} == {1.0, 4.0}
    assert 0.08 < sum(r > 2 for r in ratios) / len(ratios) < 0.12


def test_a_latency_belongs_to_its_body_and_attempt():
    drawn = LogNormal(50.0)

    assert drawn.seconds(3, "a body", 0) == drawn.seconds(3, "a body", 0)
    assert len({drawn.seconds(seed, "a body", attempt) for seed in (3, 4) for attempt in (0, 1)}) == 4


def test_a_uniform_latency_lies_about_its_mean_and_may_be_none():
    drawn = [Uniform(40.0).seconds(0, body, 0) for body in BODIES]

    assert min(drawn) >= 0.02
    assert max(drawn) < 0.06
    assert Uniform(0.0).seconds(0, "a body", 0) == 0.0
