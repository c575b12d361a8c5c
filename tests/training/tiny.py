"""A model of a few thousand random weights with a vocabulary of bytes, and rows with a preference that it can learn."""

import json

import pytest

TEMPLATE = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
NO_SYSTEM = (
    "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    + TEMPLATE
)
DROPS_SYSTEM = TEMPLATE.replace("{% for m in messages %}", "{% for m in messages if m.role != 'system' %}")


def build(folder, template=TEMPLATE, seed=0, context=4096):
    """Write the model and its tokenizer into a folder; the test is skipped without the extra."""
    torch = pytest.importorskip("torch", reason="needs the extra train")
    transformers = pytest.importorskip("transformers", reason="needs the extra train")
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers

    special = ["<|end|>", "<|system|>", "<|user|>", "<|assistant|>"]
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    made = Tokenizer(models.BPE(vocab={c: i for i, c in enumerate(letters)}, merges=[]))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens(special)
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|end|>", pad_token="<|end|>", model_max_length=context
    )
    if template is not None:
        tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    config = transformers.LlamaConfig(
        vocab_size=len(letters) + len(special), hidden_size=64, intermediate_size=128, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=context, initializer_range=0.2,
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id, bos_token_id=None,
    )  # fmt: skip
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    return folder


WORDS = ("stone", "river", "cloud", "lamp", "chair", "apple", "bridge", "candle")


def rows(count, first=0):
    """Conversations whose better reply ends with `north` and whose worse one with `south`."""
    made = []
    for number in range(first, first + count):
        word = WORDS[number % len(WORDS)]
        made.append(
            {
                "prompt": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": f"Where is {word} {number}?"}],
                "chosen": [{"role": "assistant", "content": f"The {word} lies north"}],
                "rejected": [{"role": "assistant", "content": f"The {word} lies south"}],
            }
        )  # fmt: skip
    return made


def texts(count):
    """The same as texts."""
    return [{name: row[name][-1]["content"] for name in ("prompt", "chosen", "rejected")} for row in rows(count)]


def write(path, lines):
    """Write rows as JSON lines."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
