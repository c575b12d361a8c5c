"""How fast does DPO of a 7-billion model go on this GPU, and how much memory does it take? Random weights, no download.

The trainer is that of `biasscope mitigate train` with its own settings for a GPU; the rows are random words of a given length.

    python benchmarks/dpo_on_a_gpu.py [--size 7b|1b|tiny] [--steps 10] [--tokens 1024] [--batch 2] [--accumulate 8]
"""

import argparse
import tempfile
import time
from pathlib import Path

import torch
import transformers
from tokenizers import Tokenizer, models, pre_tokenizers

from biasscope import seeds
from biasscope.training.checking import check_rows
from biasscope.training.dpo import Material, make_trainer, quiet
from biasscope.training.encoding import TokenizerEncoder
from biasscope.training.rows import TrainingRow
from biasscope.training.settings import TrainOptions, TrainSettings

SIZES = {
    "7b": {"hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32, "num_attention_heads": 32, "vocab_size": 32000},
    "1b": {"hidden_size": 2048, "intermediate_size": 5504, "num_hidden_layers": 22, "num_attention_heads": 32, "vocab_size": 32000},
    "tiny": {"hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 320},
}  # fmt: skip
WORDS = 256


def tokenizer():
    vocabulary = {f"w{number}": number for number in range(WORDS)} | {"<end>": WORDS, "<unknown>": WORDS + 1}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="<unknown>"))
    made.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    made.add_special_tokens(["<end>", "<unknown>"])
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, unk_token="<unknown>", eos_token="<end>", pad_token="<end>"
    )


def rows(count, tokens):
    """Texts whose prompt and reply are half of the tokens each."""

    def words(part, number):
        return " ".join(f"w{seeds.pick(WORDS, part, number, at)}" for at in range(tokens // 2 - 1))

    return [
        TrainingRow(f"row {n}", words("prompt", n), " " + words("chosen", n), " " + words("rejected", n)) for n in range(count)
    ]  # fmt: skip


def main():
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--size", choices=SIZES, default="7b")
    for name, default in (("steps", 10), ("tokens", 1024), ("batch", 2), ("accumulate", 8)):
        asked.add_argument(f"--{name}", type=int, default=default)
    given = asked.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    words = tokenizer()
    encoder = TokenizerEncoder(words, "random")
    of = rows(given.steps * given.batch * given.accumulate, given.tokens)
    checked = check_rows(of, encoder, longest=given.tokens)
    options = TrainOptions(batch=given.batch, accumulate=given.accumulate, max_length=given.tokens)
    settings = TrainSettings(
        model="random", weights=None, data="random", steps=given.steps, device=device, **options.on(device)
    )
    torch.manual_seed(0)
    with torch.device(device):
        config = transformers.LlamaConfig(**SIZES[given.size], max_position_embeddings=given.tokens)
        model = transformers.AutoModelForCausalLM.from_config(
            config, dtype=torch.bfloat16 if device == "cuda" else torch.float32
        )
    weights = sum(p.numel() for p in model.parameters())
    print(
        f"{weights / 1e9:.2f} billion weights on {torch.cuda.get_device_name() if device == 'cuda' else 'the processor'}"
    )
    with tempfile.TemporaryDirectory() as folder, quiet():
        trainer = make_trainer(settings, Material(of, checked.kept, words, encoder), Path(folder), model)
        started = time.perf_counter()
        trainer.train()
        took = time.perf_counter() - started
    pairs = given.steps * given.batch * given.accumulate
    print(
        f"{given.steps} steps of {given.batch} x {given.accumulate} pairs of {given.tokens} tokens in {took:.1f} s"
    )
    print(f"{pairs / took:.2f} pairs/s, {2 * pairs * given.tokens / took:,.0f} tokens/s")
    if device == "cuda":
        print(f"{torch.cuda.max_memory_allocated() / 2**30:.1f} GiB at most")


if __name__ == "__main__":
    main()
