"""Draws depend on their names alone and stay in their range."""

from __future__ import annotations

from collections import Counter

import pytest

from biasscope.objective.draw import Draw


def test_equal_names_draw_the_same_and_other_names_draw_otherwise():
    def numbers(*names: object) -> list[int]:
        draw = Draw(*names)
        return [draw.integer(0, 10**6) for _ in range(5)]

    assert numbers("a", 1) == numbers("a", 1)
    assert numbers("a", 1) != numbers("a", 2)
    assert numbers("golden") == [363377, 105436, 88609, 763764, 755863]


def test_integers_cover_both_ends_evenly():
    draw = Draw("integers")
    counts = Counter(draw.integer(3, 6) for _ in range(4000))
    assert set(counts) == {3, 4, 5, 6}
    assert max(counts.values()) - min(counts.values()) < 150


def test_samples_have_no_option_twice_and_shuffles_have_all():
    draw = Draw("samples")
    assert all(len(set(draw.sample(range(5), 3))) == 3 for _ in range(50))
    assert sorted(draw.shuffle("abc")) == ["a", "b", "c"]
    assert len({tuple(draw.shuffle("abc")) for _ in range(200)}) == 6


def test_too_large_a_sample_is_refused_with_its_size():
    with pytest.raises(ValueError, match="cannot draw 4 of 3 options"):
        Draw("few").sample("abc", 4)


def test_chances_and_signs_come_as_often_as_said():
    draw = Draw("chances")
    assert abs(sum(draw.chance(0.2) for _ in range(4000)) - 800) < 110
    assert {draw.sign() for _ in range(50)} == {-1, 1}
    assert {draw.choose("xy") for _ in range(50)} == {"x", "y"}
