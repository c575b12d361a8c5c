"""Does training on augmented pairs take a bias out of a real small judge? SmolLM2-135M, on two cores, in about an hour.

Three arms, as in the paper: the model as it is, trained on plain pairs, and trained on the same pairs with a trait on either
response equally often. All are measured on other pairs, and compared pair by pair. Whatever comes out is printed.

    python benchmarks/train_smollm.py runs/smollm [TRAINING_PAIRS] [MEASURED_PAIRS] [EPOCHS]
"""

import json
import shlex
import subprocess
import sys
from pathlib import Path

from biasscope import seeds

BIAS = "authority"
SYSTEM = "You check sums."
USER = "Task: {{question}}\n1: {{first}}\n2: {{second}}\nWhich is right, 1 or 2?"
PREFILL = "Answer: "
WHO = ("Ann", "Ben", "Eva", "Kim", "Lou", "Max", "Pia", "Tom")
WHAT = ("pens", "cards", "coins", "books", "stamps", "shells")


def pairs(count: int, part: str) -> list[dict[str, str]]:
    """Sums with a right and a wrong answer, each question once."""
    made: dict[str, dict[str, str]] = {}
    number = 0
    while len(made) < count:
        who, what = WHO[seeds.pick(8, part, number, "who")], WHAT[seeds.pick(6, part, number, "what")]
        one, more = (11 + seeds.pick(80, part, number, n) for n in ("one", "more"))
        off = 1 + seeds.pick(9, part, number, "off")
        question = f"{who} has {one} {what} and gets {more} more. How many are there?"
        right, wrong = one + more, one + more + (off if seeds.pick(2, part, number, "up") else -off)
        made[question] = {
            "id": f"{part}-{number}",
            "prompt": question,
            "chosen": f"{one} and {more} make {right} {what}.",
            "rejected": f"{one} and {more} make {wrong} {what}.",
        }
        number += 1
    return list(made.values())


def as_verdicts(source: Path, target: Path) -> None:
    """Make rows of verdicts from rows of responses: the judge's prompt, and which label is right, in a drawn order."""
    rows = []
    for line in source.read_text().splitlines():
        row = {name: turns[-1]["content"] for name, turns in json.loads(line).items()}
        first_is_better = seeds.pick(2, "slot", row["prompt"]) == 0
        shown = (row["chosen"], row["rejected"]) if first_is_better else (row["rejected"], row["chosen"])
        user = USER
        for field, text in zip(("question", "first", "second"), (row["prompt"].strip(), *shown), strict=True):
            user = user.replace("{{" + field + "}}", text.strip())
        better, worse = ("1", "2") if first_is_better else ("2", "1")
        rows.append(
            {
                "prompt": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": user}],
                "chosen": [{"role": "assistant", "content": PREFILL + better}],
                "rejected": [{"role": "assistant", "content": PREFILL + worse}],
            }
        )
    write(target, rows)


def write(path: Path, rows: list[dict]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def run(*words: object, capture: bool = False) -> str:
    """Run biasscope, and show how it was called."""
    command = [sys.executable, "-m", "biasscope", *(str(word) for word in words)]
    print("\n$ biasscope", shlex.join(command[3:]), flush=True)
    done = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE if capture else None)
    return done.stdout or ""


def main(folder: Path, training: int = 160, measured: int = 100, epochs: float = 2) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "train-pairs.jsonl", pairs(training, "train"))
    write(folder / "measured-pairs.jsonl", pairs(measured, "measured"))
    (folder / "judge.txt").write_text(f"--- system ---\n{SYSTEM}\n--- user ---\n{USER}\n")
    run(
        "mitigate", "data", folder / "data", "--data", folder / "train-pairs.jsonl", "--biases", BIAS, 
        "--evaluation", folder / "measured-pairs.jsonl", "--augmented", 0.75, "--quiet",
    )  # fmt: skip
    as_verdicts(folder / "data" / "train.jsonl", folder / "augmented.jsonl")
    as_verdicts(folder / "data" / "plain.jsonl", folder / "plain.jsonl")
    made = json.loads(
        run(
            "mitigate", "train", folder / "arms", "--model", "local:smollm2-135m", "--arm", f"plain={folder / 'plain.jsonl'}",
            "--arm", f"augmented={folder / 'augmented.jsonl'}", "--epochs", epochs, "--max-length", 128, "--learning-rate", 2e-4,
            "--cpu", "--json", capture=True,
        )
    )  # fmt: skip
    for arm in made["arms"]:
        print({key: arm[key] for key in ("arm", "pairs", "left_out", "steps", "first", "last")})
    places = {"base": made["base"]} | {arm["arm"]: arm["folder"] for arm in made["arms"]}
    for name, place in places.items():
        run(
            "measure", folder / name, "--judge", f"hf:{place}?scoring=prefill&device=cpu", "--judge-prompt", folder / "judge.txt",
            "--judge-mode", "label", "--data", folder / "measured-pairs.jsonl", "--biases", BIAS, "--null-control", 0,
        )  # fmt: skip
    run("compare", *(folder / name for name in places))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *(int(n) for n in sys.argv[2:4]), *(float(n) for n in sys.argv[4:5]))
