from __future__ import annotations

from biasscope.catalogue.known import SEED_IDS, built_in, entry, seed_library


def test_the_seed_library_holds_the_seven_known_biases():
    library = seed_library()
    assert [bias.id for bias in library.biases] == [
        "length",
        "position",
        "authority",
        "compassion_fade",
        "fallacy_oversight",
        "sentiment",
        "refinement",
    ]
    assert {bias.origin for bias in library.biases} == {"seed"}
    assert len({bias.name for bias in library.biases}) == len(library)


def test_facts_about_the_presentation_are_no_rewrites():
    estimands = {known.bias.id: known.bias.estimand for known in built_in().entries}
    assert estimands["position"] == "slot"
    assert {estimands["compassion_fade"], estimands["refinement"]} == {"cue"}
    assert sum(estimands[seed] == "pull" for seed in SEED_IDS) == 4


def test_a_known_bias_has_an_entry_and_a_discovered_one_has_none():
    assert all(entry(known.bias.id) is known for known in built_in().entries)
    assert entry("found_by_a_teacher") is None
