"""A reward model in process: a tiny one of our own making, with random weights."""

import json

import pytest
from tests.models.programs import failed, opened, request, said

from biasscope.errors import MissingExtra, ProgramFailed, UsageError, WeightsError

TEMPLATE = "{% for m in messages %}{{ m.role }} : {{ m.content }} {% endfor %}"


def test_without_transformers_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "transformers", None)
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(MissingExtra, match="'reward'"):
        opened("reward:org/some-reward-model")


def build(folder, labels=1, template=TEMPLATE):
    """Write a model of a few thousand weights with a vocabulary of words."""
    torch = pytest.importorskip("torch", reason="needs the extra reward")
    transformers = pytest.importorskip("transformers", reason="needs the extra reward")
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "why", "because", "so", "user", "assistant", ":", "?"]
    (folder / "vocab.txt").write_text("\n".join(words))
    tokenizer = transformers.BertTokenizerFast(vocab=str(folder / "vocab.txt"), model_max_length=32)
    tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=len(words), hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8,
        max_position_embeddings=32, num_labels=labels, initializer_range=1.0,
    )  # fmt: skip
    transformers.BertForSequenceClassification(config).save_pretrained(folder)


@pytest.fixture
async def judge(tmp_path, monkeypatch):
    models = []
    monkeypatch.setenv("BIASSCOPE_CACHE", str(tmp_path / "cache"))

    def make(**more):
        build(tmp_path, **more)
        models.append(opened(f"reward:{tmp_path}"))
        return models[-1]

    yield make
    for model in models:
        await model.close()


@pytest.mark.local
@pytest.mark.parametrize("template", [TEMPLATE, None])
async def test_a_response_has_a_score_of_its_own_that_comes_again(judge, template):
    model = judge(template=template)
    because, so = [await said(model, request(response=r)) for r in ("because", "so")]
    assert set(because) == {"score"}
    assert because != so
    assert await said(model, request(response="because")) == because
    assert (await said(model, request(question="So?", response="so"))) != so


REFUSES = "{% if messages[-1].content == 'so' %}{{ raise_exception('No more turns') }}{% endif %}" + TEMPLATE


@pytest.mark.local
async def test_a_chat_template_that_refuses_a_case_fails_at_that_case(judge):
    model = judge(template=REFUSES)
    failed(await said(model, request(response="so")), "No more turns")
    assert set(await said(model, request(response="because"))) == {"score"}


@pytest.mark.local
async def test_a_tokenizer_that_fails_at_a_case_stops_nothing(judge, monkeypatch):
    model = judge()
    score = await said(model, request(response="so"))
    with monkeypatch.context() as broken:
        broken.setattr(model._classifier, "tokens", lambda *texts: texts[9])
        failed(await said(model, request(response="so")), "IndexError")
    assert await said(model, request(response="so")) == score


@pytest.mark.local
async def test_weights_are_hashed_once_however_often_they_are_opened(judge, tmp_path, monkeypatch):
    model, hashed = judge(), []
    monkeypatch.setattr("biasscope.models.weights._hash", hashed.append)
    assert opened(f"reward:{tmp_path}").fingerprint == model.fingerprint
    assert hashed == []


@pytest.mark.local
async def test_a_response_that_does_not_fit_is_over_long(judge):
    reply = await judge().complete(request(response="so " * 40))
    assert reply.over_long
    assert reply.text == ""


@pytest.mark.local
async def test_it_is_known_by_its_files_and_scores_one_case_at_a_time(judge, tmp_path):
    model = judge()
    assert model.resolved == model.fingerprint["model"]
    assert str(tmp_path) not in json.dumps(dict(model.fingerprint))
    assert model.max_in_flight == 1
    assert (await model.complete(request(response="so"))).model == model.resolved
    (tmp_path / "config.json").write_text((tmp_path / "config.json").read_text() + "\n")
    assert opened(f"reward:{tmp_path}").fingerprint != model.fingerprint


@pytest.mark.local
async def test_a_classifier_with_several_classes_is_no_reward_model(judge):
    with pytest.raises(WeightsError, match="2 outputs"):
        await said(judge(labels=2), request(response="so"))


@pytest.mark.local
async def test_a_folder_without_weights_says_so_in_one_line(judge, tmp_path):
    model = judge()
    for weights in tmp_path.glob("*.safetensors"):
        weights.unlink()
    with pytest.raises(WeightsError, match="cannot be loaded") as error:
        await said(model, request(response="so"))
    assert "\n" not in str(error.value)


@pytest.mark.local
async def test_a_reward_model_compares_no_two_and_a_folder_without_a_model_is_refused(judge, tmp_path):
    with pytest.raises(ProgramFailed, match="one response at a time"):
        await said(judge())
    (tmp_path / "other").mkdir()
    with pytest.raises(UsageError, match="no folder of a model"):
        opened(f"reward:{tmp_path}/other")
