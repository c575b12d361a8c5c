"""A causal language model in process as a judge: a tiny one with random weights, its adapter, and what is refused."""

import json
import math
import shutil

import pytest
from tests.training.tiny import DROPS_SYSTEM, NO_SYSTEM, TEMPLATE, build

from biasscope.ask import Request
from biasscope.config import ModelSpec
from biasscope.errors import BadRequest, MissingExtra, UsageError, WeightsError
from biasscope.models.hf import adapter_of, find_place
from biasscope.models.open import open_model
from biasscope.records import Message

ASKED = (Message("system", "You judge."), Message("user", "Which one, 1 or 2?"))
LABEL = Request(ASKED, 4, labels=("1", "2"))
TEXT = Request(ASKED, 12)

needs_torch = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]


def opened(spec):
    return open_model(ModelSpec(spec=spec))


def test_without_transformers_the_line_that_installs_it_is_said(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "transformers", None)
    with pytest.raises(MissingExtra) as error:
        opened(f"hf:{tmp_path}")
    assert error.value.hint == "pip install 'biasscope[train]'"


def test_a_folder_that_holds_no_model_is_refused_and_a_name_is_none(tmp_path):
    with pytest.raises(UsageError, match="is no folder of a model"):
        find_place(str(tmp_path))
    with pytest.raises(UsageError, match="there is no folder"):
        find_place(str(tmp_path / "absent"))
    assert find_place("org/model").base == "org/model"


def adapter(folder, base):
    folder.mkdir(parents=True)
    settings = {"base_model_name_or_path": base, "r": 4}
    (folder / "adapter_config.json").write_text(json.dumps(settings))
    return folder


def test_an_adapter_names_its_base_and_a_training_folder_stands_for_its_adapter(tmp_path):
    adapter(tmp_path / "run" / "adapter", "org/base")
    place = find_place(str(tmp_path / "run"))
    assert (place.base, place.adapter) == ("org/base", tmp_path / "run" / "adapter")
    assert place.tokenizer == "org/base"
    (tmp_path / "run" / "adapter" / "tokenizer_config.json").write_text("{}")
    assert find_place(str(tmp_path / "run")).tokenizer == str(tmp_path / "run" / "adapter")


@pytest.mark.parametrize(("base", "said"), [("/absent/base", "/absent/base"), ("", "does not name")])
def test_an_adapter_whose_base_is_not_there_says_so_and_where_it_is_named(tmp_path, base, said):
    with pytest.raises(WeightsError, match=said) as error:
        find_place(str(adapter(tmp_path / "a", base)))
    assert "adapter_config.json" in error.value.hint


def test_an_adapter_is_the_same_wherever_its_base_lies_and_another_with_another_file(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASSCOPE_CACHE", str(tmp_path / "cache"))
    one, other = adapter(tmp_path / "one", "/here/base"), adapter(tmp_path / "other", "/there/base")
    assert adapter_of(one) == adapter_of(other)
    (other / "chat_template.jinja").write_text(TEMPLATE)
    assert adapter_of(one) != adapter_of(other)


@pytest.fixture
async def judge(tmp_path, monkeypatch):
    monkeypatch.setenv("BIASSCOPE_CACHE", str(tmp_path / "cache"))
    models = []

    def make(options="", **more):
        folder = build(tmp_path / "model", **more)
        models.append(opened(f"hf:{folder}{options}"))
        return models[-1]

    yield make
    for model in models:
        await model.close()


class TestLoaded:
    pytestmark = needs_torch

    async def test_labels_have_probabilities_that_sum_to_one_with_the_others_and_come_again(self, judge):
        model = judge()
        reply = await model.complete(LABEL)
        (position,) = reply.positions
        offered = dict(position.top)
        assert {"1", "2"} <= offered.keys()
        assert 0 < sum(math.exp(p) for p in offered.values()) < 1 + 1e-6
        assert position.token == reply.text == max(offered, key=offered.get)
        assert (await model.complete(LABEL)) == reply
        assert (await opened(model.spec).complete(LABEL)) == reply

    async def test_a_label_is_the_token_that_a_full_evaluation_makes_most_probable(self, judge, tmp_path):
        reply = await judge().complete(LABEL)
        import torch
        import transformers

        tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "model")
        model = transformers.AutoModelForCausalLM.from_pretrained(tmp_path / "model")
        turns = [{"role": m.role, "content": m.content} for m in ASKED]
        tokens = tokenizer.apply_chat_template(
            turns, add_generation_prompt=True, return_tensors="pt", return_dict=True
        )
        with torch.no_grad():
            logprobs = model(**tokens).logits[0, -1].log_softmax(-1)
        for label in ("1", "2"):
            expected = float(logprobs[tokenizer.convert_tokens_to_ids(label)])
            assert dict(reply.positions[0].top)[label] == pytest.approx(expected, abs=1e-4)

    async def test_a_text_is_the_most_probable_one_or_drawn_by_its_seed(self, judge):
        model = judge()
        text = await model.complete(TEXT)
        assert (text.finish == "length") == (text.output_tokens == 12)
        assert "<|" not in text.text
        assert (await model.complete(TEXT)) == text
        drawn = [await model.complete(Request(ASKED, 12, temperature=5.0, seed=s)) for s in (1, 2, 1)]
        assert drawn[0] == drawn[2] != drawn[1]

    async def test_a_text_with_labels_keeps_what_each_position_offered(self, judge):
        reply = await judge().complete(Request(ASKED, 12, labels=("1", "2")))
        assert len(reply.positions) == reply.output_tokens - (reply.finish == "stop") > 0
        assert all(p.token == max(p.top, key=lambda t: t[1])[0] for p in reply.positions)

    async def test_what_does_not_fit_is_over_long(self, judge):
        model = judge("?context=8")
        for request in (LABEL, TEXT):
            reply = await model.complete(request)
            assert reply.over_long
            assert reply.text == ""

    @pytest.mark.parametrize("template", [NO_SYSTEM, DROPS_SYSTEM])
    async def test_a_template_without_a_system_role_gets_its_text_in_the_first_question(self, judge, template):
        model = judge(template=template)
        reply = await model.complete(LABEL)
        assert reply.dropped == ("system",)
        folded = Request((Message("user", "You judge.\n\nWhich one, 1 or 2?"),), 4, labels=("1", "2"))
        assert (await model.complete(folded)).positions == reply.positions

    async def test_a_template_that_takes_a_system_role_gets_it(self, judge):
        assert (await judge().complete(LABEL)).dropped == ()

    async def test_a_prefilled_beginning_is_another_instrument(self, judge):
        plain, prefilled = judge(), judge("?scoring=prefill")
        assert plain.fingerprint != prefilled.fingerprint
        assert (await plain.complete(LABEL)).positions != (await prefilled.complete(LABEL)).positions

    async def test_a_conversation_that_the_template_refuses_is_named_in_its_words(self, judge):
        refusing = "{% if messages | length > 2 %}{{ raise_exception('Too many turns') }}{% endif %}" + TEMPLATE
        with pytest.raises(BadRequest, match="Too many turns"):
            await judge(template=refusing).complete(Request((*ASKED, ASKED[1]), 4))

    async def test_a_model_without_a_template_answers_no_messages(self, judge):
        with pytest.raises(WeightsError, match="no chat template"):
            await judge(template=None).complete(LABEL)

    async def test_it_is_known_by_its_files_and_not_by_where_they_lie(self, judge, tmp_path):
        model = judge()
        shutil.copytree(tmp_path / "model", tmp_path / "copy")
        assert opened(f"hf:{tmp_path / 'copy'}").fingerprint == model.fingerprint
        assert str(tmp_path) not in json.dumps(dict(model.fingerprint))
        assert (await model.complete(LABEL)).model == model.resolved
        (tmp_path / "copy" / "chat_template.jinja").write_text(NO_SYSTEM)
        assert opened(f"hf:{tmp_path / 'copy'}").fingerprint != model.fingerprint

    async def test_a_folder_without_weights_says_so_in_one_line(self, judge, tmp_path):
        model = judge()
        (tmp_path / "model" / "model.safetensors").unlink()
        with pytest.raises(WeightsError, match="cannot be loaded") as error:
            await model.complete(LABEL)
        assert "\n" not in str(error.value)

    @pytest.mark.parametrize("options", ["?scoring=other", "?context=0", "?device=tpu", "?more=1"])
    def test_an_option_that_does_not_exist_is_refused(self, judge, options):
        with pytest.raises(UsageError, match="options"):
            judge(options)
