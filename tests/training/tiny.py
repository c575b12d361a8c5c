"""A model of a few thousand random weights with a vocabulary of twenty words, and rows with preferences that it can learn."""

import json

import pytest

from biasscope import seeds

TEMPLATE = (
    "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}<|end|>{% endfor %}"
    "{% if add_generation_prompt %}<|assistant|>{% endif %}"
)
NO_SYSTEM = (
    "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    + TEMPLATE
)
DROPS_SYSTEM = TEMPLATE.replace("{% for m in messages %}", "{% for m in messages if m.role != 'system' %}")

SPECIAL = ("<|unknown|>", "<|end|>", "<|system|>", "<|user|>", "<|assistant|>")
WORDS = ("stone", "river", "cloud", "lamp", "chair", "apple", "bridge", "candle")
SAID = ("1", "2", "north", "south", "where", "is", "?")


def build(folder, template=TEMPLATE, seed=0, context=4096):
    """Write the model and its tokenizer into a folder; the test is skipped without the extra."""
    torch = pytest.importorskip("torch", reason="needs the extra train")
    transformers = pytest.importorskip("transformers", reason="needs the extra train")
    from tokenizers import Tokenizer, models, pre_tokenizers

    vocabulary = {word: number for number, word in enumerate((*SPECIAL, *WORDS, *SAID))}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token=SPECIAL[0]))
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.add_special_tokens(list(SPECIAL))
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made,
        unk_token=SPECIAL[0],
        eos_token="<|end|>",
        pad_token="<|end|>",
        model_max_length=context,
    )
    if template is not None:
        tokenizer.chat_template = template
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    config = transformers.LlamaConfig(
        vocab_size=len(vocabulary), hidden_size=64, intermediate_size=128, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=context, initializer_range=0.2,
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id, bos_token_id=None,
    )  # fmt: skip
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def rows(count, first=0):
    """Conversations whose better reply ends with `north` and whose worse one with `south`, behind words without meaning."""
    return [_row(number) for number in range(first, first + count)]


def _row(number):
    asked = WORDS[number % len(WORDS)]
    good, bad = (" ".join(WORDS[seeds.pick(8, side, number, at)] for at in range(6)) for side in ("good", "bad"))
    return {
        "prompt": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": f"where is {asked} ?"},
        ],
        "chosen": [{"role": "assistant", "content": f"{good} north"}],
        "rejected": [{"role": "assistant", "content": f"{bad} south"}],
    }


def slot_rows(count):
    """Conversations whose better reply is `1` and whose worse one `2`: what makes a judge of the first slot."""
    prompts = [f"{WORDS[n % 8]} or {WORDS[n // 8 % 8]}, 1 or 2 ?" for n in range(count)]
    return [
        {
            "prompt": [{"role": "user", "content": text}],
            "chosen": [{"role": "assistant", "content": "1"}],
            "rejected": [{"role": "assistant", "content": "2"}],
        }
        for text in prompts
    ]


def texts(count):
    """The same as texts."""
    return [{name: row[name][-1]["content"] for name in ("prompt", "chosen", "rejected")} for row in rows(count)]


def write(path, lines):
    """Write rows as JSON lines."""
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path
