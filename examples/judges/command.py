"""A judge of your own as a process in any language: JSON lines in, JSON lines out. From the top folder:

    biasscope measure runs/process --judge 'command:python examples/judges/command.py' \
        --data 'objective:60?seed=1' --biases authority,sentiment

Every line that comes in has an "id", and its answer repeats it. Whatever else there is to say goes to stderr. The
process ends when its input ends.
"""

import json
import sys

print("ready", file=sys.stderr)
for line in sys.stdin:
    case = json.loads(line)
    first, second = (len(case[text].split()) for text in ("first", "second"))
    choice = "tie" if first == second else "first" if first < second else "second"
    print(json.dumps({"id": case["id"], "choice": choice, "reason": "Shorter."}), flush=True)
