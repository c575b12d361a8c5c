import pytest

from biasscope.datasets import load
from biasscope.datasets.sources import FORMATS
from biasscope.errors import DataError, UsageError

PAIR = {"prompt": "q", "chosen": "a", "rejected": "b"}
NUMBERED = {"question": "q", "response_A": "a", "response_B": "b", "label": 1}


def refused(spec):
    with pytest.raises(DataError) as caught:
        load(spec)
    return str(caught.value), caught.value.hint


def test_format_names_are_unique_and_lower_case():
    names = [format_.name for format_ in FORMATS]
    assert len(set(names)) == len(names)
    assert all(name == name.lower() for name in names)


def test_a_format_given_by_name_and_a_recognised_one_read_the_same(write):
    path = write([PAIR])
    assert load(path) == load(f"pairs:{path}")


def test_two_formats_that_explain_different_columns_are_both_named(write):
    path = write([PAIR | NUMBERED])
    message, hint = refused(path)
    assert message == f"{path} could be any of: biasscope, pairs, listed"
    assert hint == f"Say which: biasscope:{path}"
    assert load(f"pairs:{path}").format == "pairs"
    assert load(f"biasscope:{path}").format == "biasscope"


def test_of_two_formats_the_one_that_explains_more_columns_is_taken(write):
    extra = {"subset": "hep-go", "chosen_model": "a", "rejected_model": "b"}
    assert load(write([NUMBERED])).format == "biasscope"
    assert load(write([NUMBERED | extra])).format == "rewardbench"


def test_labels_tell_formats_with_the_same_columns_apart(write):
    row = {**NUMBERED, "pair_id": "p", "source": "livecodebench"}
    assert load(write([row])).format == "biasscope"
    assert load(write([{**row, "label": "A>B"}])).format == "judgebench"
    assert load(write([{**NUMBERED, "label": "A"}])).format == "listed"


def test_a_wrong_label_is_reported_with_its_place_also_without_a_format(write):
    message, _ = refused(write([NUMBERED, {**NUMBERED, "label": 3}]))
    assert "line 2: unknown label 3" in message


def test_columns_that_only_later_rows_have_count_for_recognition(write):
    loaded = load(write([{"prompt": "q", "chosen": "a"}, PAIR]))
    assert (loaded.format, len(loaded.pairs)) == ("pairs", 1)


@pytest.mark.parametrize(
    "row",
    [
        {"text": "x"},
        {"chosen": "a", "rejected": "b"},
        {"prompt": "q", "response_A": "a"},
        {"question": "q", "input": "i", "answer1": "a", "answer2": "b", "label": 1},
        {"prompt": "q", "answer1": "a", "answer2": "b", "response_a": "c", "response_b": "d", "label": 1},
        {"prompt": "q", "answer1": "a", "answer2": "b", "label": 1, "winner": 2},
    ],
)
def test_columns_that_fit_no_format_are_named_with_what_could_be_done(write, row):
    message, hint = refused(write([row]))
    assert "cannot tell the format" in message
    assert all(column in message for column in row)
    assert "prompt, chosen, rejected" in hint


@pytest.mark.parametrize("format_", FORMATS, ids=lambda format_: format_.name)
def test_a_format_whose_columns_are_not_there_names_found_and_wanted_columns(write, format_):
    path = write("alpha,beta\n1,2\n", "a.csv")
    message, hint = refused(f"{format_.name}:{path}")
    assert message == f"{path}: format {format_.name} wants {format_.wants}; found [alpha, beta]"
    assert hint


def test_many_columns_are_cut_in_messages(write):
    message, _ = refused(write([{f"column{n:03}": n for n in range(50)}]))
    assert "column019, ...]" in message


def test_an_unknown_format_names_the_closest_and_all(write):
    message, hint = refused("judgebnech:" + write([PAIR]))
    assert message == "unknown format 'judgebnech'"
    assert hint.startswith("Did you mean judgebench? ")
    assert "objective:N" in hint


def test_an_unknown_format_without_a_near_one_names_all():
    _, hint = refused("zzz:a.jsonl")
    assert hint.startswith("Known: judgebench, ")


def test_a_file_whose_own_name_holds_a_colon_is_a_path(write, tmp_path, monkeypatch):
    write([PAIR], "my:file.jsonl")
    monkeypatch.chdir(tmp_path)
    assert len(load("my:file.jsonl").pairs) == 1
    assert len(load(f"{tmp_path}/my:file.jsonl").pairs) == 1


def test_a_drive_letter_is_no_format():
    message, _ = refused(r"C:\data\a.jsonl")
    assert message.startswith("no such file")


def test_every_refusal_is_the_users_to_mend():
    assert issubclass(DataError, UsageError)
    assert DataError.exit_code == 2
