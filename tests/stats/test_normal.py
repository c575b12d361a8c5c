"""Quantiles and tails of the normal distribution."""

import pytest
from scipy.stats import norm

from biasscope.stats.normal import upper_quantile, upper_tail


@pytest.mark.parametrize("alpha", [1e-12, 0.001, 0.025, 0.1, 0.5, 0.9])
def test_it_is_the_normal_distribution_in_the_far_tail_too(alpha):
    assert upper_quantile(alpha) == pytest.approx(norm.isf(alpha), rel=1e-12)
    assert upper_tail(upper_quantile(alpha)) == pytest.approx(alpha, rel=1e-9)
