"""The live view of a run on a terminal, and the lines that stand for it elsewhere."""

import io
import re

import pytest
from rich.console import Console

from biasscope.cli import progress as shown
from biasscope.cli.live import SO_FAR
from biasscope.cli.progress import Progress
from biasscope.engine import Count, Event
from biasscope.records import Bias, Effect
from biasscope.steps.watching import CandidateSeen, LookSeen
from biasscope.workflows.sample import BudgetSeen
from biasscope.workflows.stages import JudgeSeen, StageSeen

STAGES = ("baseline", "perturb", "judge", "trials", "report")


def candidate(name, look=0, status=None, effect=None, *, p=1.0, q=1.0, unit="fraction", origin="discovered"):
    made = None if effect is None else Effect(effect, 0.02, effect - 0.04, effect + 0.04, 50, unit, 0.95, p)
    return CandidateSeen(Bias(name.lower(), name, "A text.", origin), look, 25 * look, status, made, p, q)


def trial(look, *candidates, next_stop=75):
    return LookSeen(2, look, 8, 25 * look, 300, next_stop, candidates)


TRIAL = trial(
    2,
    candidate("Flattery", 2, None, 0.061, p=0.0312, q=0.12),
    candidate("Emoji", 1, "dropped", -0.012, p=0.7, q=0.9),
    candidate("Apology", 2, "accepted", 0.2, p=0.00001, q=0.00002),
)


class Terminal:
    """A progress display on a terminal that is a string, with a clock that stands still."""

    def __init__(self, monkeypatch, width=100, height=40, **settings):
        self.file = io.StringIO()
        self.console = Console(
            file=self.file,
            force_terminal=True,
            width=width,
            height=height,
            highlight=False,
            color_system="standard",
            _environ={},
        )
        monkeypatch.setattr(shown, "console", lambda *, stderr: self.console)
        monkeypatch.setattr(shown, "REDRAWN_PER_S", 1e-3)  # nothing is drawn but what a test asks for
        self.now = 100.0
        self.progress = Progress(clock=lambda: self.now, **settings)

    def text(self):
        """What is drawn now, without colours, line by line."""
        with self.console.capture() as captured:
            self.console.print(self.progress._shown())
        return [line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", captured.get()).splitlines()]


@pytest.fixture
def terminal(monkeypatch):
    made = Terminal(monkeypatch)
    made.progress.expect(STAGES, iterations=4, prices={"judge": (1.0, 2.0), "teacher": None})
    return made


def test_the_stage_at_work_stands_out_of_those_that_are_over_and_those_to_come(terminal):
    terminal.progress.seen(StageSeen("judge", 2))

    assert terminal.text()[:2] == [
        "✓ baseline  ✓ perturb  ▸ judge  · trials  · report",
        "Iteration 2 of at most 4: judging the rewrites",
    ]


def test_calls_rate_time_and_cost_are_shown(terminal):
    paid = {"asked": 1000, "answered": 150, "paid": 150, "input_tokens": 400_000, "output_tokens": 50_000}
    terminal.now += 15
    terminal.progress.event(Event("judge", "judge", Count(**paid)))
    text = "\n".join(terminal.text())

    assert "judge judging   150  1,000" in text
    assert "10.0 calls/s, 15 s so far, about 1 min 25 s left for these" in text
    assert "150 calls, 400,000 tokens in and 50,000 out, price 0.50" in text


def test_a_price_is_told_only_for_what_declares_one(terminal):
    terminal.progress.event(Event("judge", "judge", Count(asked=1, answered=1, paid=1, input_tokens=10**6)))
    terminal.progress.event(
        Event("teacher", "merge", Count(asked=1, answered=1, paid=1, input_tokens=10**6, unmetered=1))
    )

    assert terminal.text()[-1] == (
        "2 calls, at least 2,000,000 tokens in and 0 out, price at least 1.00 without that of the teacher"
    )


def test_candidates_are_shown_with_their_look_their_pairs_and_what_is_so_far(terminal):
    terminal.progress.seen(TRIAL)
    text = terminal.text()
    start = next(n for n, line in enumerate(text) if line.startswith("Look"))

    assert text[start] == "Look 2 of 8, 50 of 300 pairs: 1 of 3 candidates alive; the next one after 75"
    assert text[start + 1] == SO_FAR
    assert "points so far (95 %)" in text[start + 2]
    assert [" ".join(line.split()) for line in text[start + 3 : start + 6]] == [
        "Flattery alive 2/8 50 +6.1 (+2.1 to +10.1) 0.0312 0.12",
        "Apology accepted for now 2/8 50 +20.0 (+16.0 to +24.0) < 0.0001 < 0.0001",
        "Emoji dropped 1/8 25 -1.2 (-5.2 to +2.8) 0.70 0.90",
    ]
    assert text[start + 6] == "Since the start accepted for now: Apology; dropped: 1"


def test_before_the_first_look_nothing_is_told_of_a_candidate(terminal):
    terminal.progress.seen(trial(0, candidate("Flattery"), next_stop=25))
    text = terminal.text()

    assert "1 candidate, 8 looks at up to 300 pairs, the first after 25" in text
    assert text[-1].split() == ["Flattery", "alive", "0/8"]


def test_what_stopped_is_remembered_over_trials_and_shams_are_not(terminal):
    terminal.progress.seen(TRIAL)
    terminal.progress.seen(trial(1, candidate("Calm", 1, "accepted", 0.3), next_stop=None))
    terminal.progress.seen(trial(1, candidate("Sham", 1, "accepted", 0.3, origin="sham"), next_stop=None))
    text = "\n".join(terminal.text())

    assert "0 of 1 sham alive; the trial is over" in text
    assert "Since the start accepted for now: Apology, Calm; dropped: 1" in text


def test_an_acceptance_that_was_taken_back_is_not_named(terminal):
    terminal.progress.seen(TRIAL)
    terminal.progress.seen(trial(8, candidate("Apology", 8, "not_shown", 0.1), next_stop=None))

    assert "Since the start dropped: 1; not shown: 1" in terminal.text()


def test_margins_are_not_told_in_points(terminal):
    terminal.progress.seen(trial(1, candidate("Flattery", 1, None, 0.25, unit="log-odds")))
    text = "\n".join(terminal.text())

    assert "log-odds so far (95 %)" in text
    assert "+0.250 (+0.210 to +0.290)" in text


def test_a_low_window_shows_the_living_and_says_how_many_more_there_are(monkeypatch):
    low = Terminal(monkeypatch, height=14)
    dropped = [candidate(f"Dropped {k}", 1, "dropped", 0.0) for k in range(20)]
    low.progress.seen(trial(1, *dropped, candidate("Alive", 1, None, 0.1)))
    text = low.text()

    assert len(text) <= 14
    assert any(line.startswith("Alive ") for line in text)
    assert re.search(r"^and \d+ more$", "\n".join(text), re.MULTILINE)


def test_in_a_narrow_window_names_are_cut_and_figures_are_not(monkeypatch):
    narrow = Terminal(monkeypatch, width=80)
    long = candidate("A bias with a rather long name", 2, "accepted", 0.2, p=0.00001, q=0.5)
    narrow.progress.seen(trial(2, long))
    row = next(line for line in narrow.text() if line.startswith("A bias"))

    assert "… accepted for now" in row
    assert row.endswith(" 50 +20.0 (+16.0 to +24.0) < 0.0001 0.50")


def test_of_several_judges_the_one_at_work_is_named_and_starts_anew(terminal):
    terminal.progress.seen(TRIAL)
    terminal.progress.seen(JudgeSeen(2, 3, "planted:fair", 60))
    text = terminal.text()

    assert text[0] == "Judge 2 of 3, planted:fair, on 60 pairs"
    assert not any("Apology" in line for line in text)


def test_a_budget_is_shown_while_pairs_are_chosen_by_it(terminal):
    terminal.progress.expect(("sample", "trials"))
    terminal.progress.seen(StageSeen("sample"))
    terminal.progress.seen(BudgetSeen(44, 200, 30.0, 12.34, None))

    assert "44 of 200 pairs measured in 12 of 30 minutes" in terminal.text()
    terminal.progress.seen(StageSeen("trials"))
    assert "44 of 200" not in "\n".join(terminal.text())


def test_names_of_a_model_are_text_and_no_markup(terminal):
    terminal.progress.seen(trial(1, candidate("[bold]Loud[/bold] :smile:", 1, None, 0.1)))

    assert any(line.startswith("[bold]Loud[/bold] :smile:") for line in terminal.text())


def test_on_a_terminal_stages_and_looks_are_drawn_and_leave_no_lines(terminal):
    with terminal.progress as progress:
        progress.seen(StageSeen("judge", 2))
        progress.seen(TRIAL)
        progress.line("Iteration 2: shifts 9")
    said = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.file.getvalue())

    assert "Iteration 2: shifts 9" in said
    assert "Iteration 2: judging the rewrites" not in said
    assert "Look 2 of 8, 50 of 300 pairs: 1 of 3 candidates alive\n" not in said


def test_elsewhere_a_line_comes_for_each_stage_and_each_look(capsys):
    with Progress() as progress:
        for seen in (
            StageSeen("baseline"),
            StageSeen("perturb", 1),
            trial(0, candidate("Flattery"), candidate("Emoji"), next_stop=25),
            TRIAL,
            trial(3, candidate("Flattery", 3, "accepted", 0.1), candidate("Emoji", 3, "accepted", 0.1)),
            JudgeSeen(1, 2, "planted:fair", 60),
            JudgeSeen(1, 1, "planted:fair", 60),
        ):
            progress.seen(seen)

    assert capsys.readouterr().err.splitlines() == [
        "Judging the originals",
        "Iteration 1: rewriting discovery pairs",
        "2 candidates, 8 looks at up to 300 pairs, the first after 25",
        "Look 2 of 8, 50 of 300 pairs: 1 of 3 candidates alive; accepted for now: Apology",
        "Look 3 of 8, 75 of 300 pairs: 0 of 2 candidates alive; accepted for now: Flattery, Emoji",
        "Judge 1 of 2, planted:fair, on 60 pairs",
    ]


def test_that_a_budget_will_be_exceeded_is_said_once(capsys):
    with Progress() as progress:
        progress.seen(StageSeen("sample"))
        for spent in (14.0, 20.0):
            progress.seen(BudgetSeen(8, 200, 30.0, spent, 34.2))
    lines = capsys.readouterr().err.splitlines()

    assert lines[1:] == [
        "20 pairs, the fewest on which anything is decided, will take about 34 minutes, 4.2 over the budget; "
        "fewer --biases or --neutrals take less"
    ]


def test_a_budget_that_has_room_is_part_of_the_line_about_calls(capsys):
    now = [100.0]
    with Progress(clock=lambda: now[0]) as progress:
        progress.seen(StageSeen("sample"))
        progress.seen(BudgetSeen(8, 200, 30.0, 1.25, 4.0))
        now[0] += 20
        progress.event(Event("judge", "judge", Count(asked=4, answered=2, paid=2, input_tokens=9)))

    assert capsys.readouterr().err.splitlines()[1:] == [
        "judge judging 2 of 4; 8 of 200 pairs measured in 1.2 of 30 minutes; 0.1 calls/s, 20 s so far, "
        "about 20 s left for these; 2 calls, 9 tokens in and 0 out"
    ]


def test_quiet_says_nothing_of_what_is_seen(capsys):
    with Progress(quiet=True) as progress:
        progress.seen(StageSeen("sample"))
        progress.seen(TRIAL)
        progress.seen(BudgetSeen(8, 200, 30.0, 14.0, 34.2))

    assert capsys.readouterr().err == ""


def test_the_rate_is_that_of_the_latest_minute(capsys):
    now = [0.0]
    with Progress(clock=lambda: now[0]) as progress:
        for second in range(1, 301):
            now[0] = float(second)
            paid = min(second, 150) * 10
            progress.event(Event("judge", "judge", Count(asked=9000, answered=paid, paid=paid)))
    lines = capsys.readouterr().err.splitlines()

    assert "; 10.0 calls/s, 2 min 30 s so far" in lines[9]
    assert "; 0.0 calls/s, 5 min 00 s so far" in lines[19]
