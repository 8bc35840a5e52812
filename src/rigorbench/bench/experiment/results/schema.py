"""The tables of results, ``rigor-results/1``: columns, types, meaning. Unknown is NULL, never 0 or ""."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ....review.result import PILLAR_TITLES
from ....review.review import GRADES

SCHEMA = "rigor-results/1"
# "share": a number in [0, 1]; "time": a moment in UTC, to the microsecond.
Type = Literal["text", "integer", "number", "share", "flag", "time", "texts"]


class SchemaColumn(Struct, frozen=True):
    """``meaning``: one line with the unit, as in the metadata of Parquet files and in docs/results.tsv."""

    name: str
    type: Type
    meaning: str


class SchemaTable(Struct, frozen=True):
    """``key``: the columns that name a row."""

    name: str
    key: tuple[str, ...]
    meaning: str
    columns: tuple[SchemaColumn, ...]

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]


def _columns(text: str) -> tuple[SchemaColumn, ...]:
    """A column per line: name, type, meaning."""
    found = []
    for line in text.strip().splitlines():
        name, kind, meaning = line.split(maxsplit=2)
        found.append(SchemaColumn(name, kind, meaning))  # type: ignore[arg-type]
    return tuple(found)


_PILLARS = "\n".join(f"{name.lower()} share {title}" for name, title in PILLAR_TITLES.items())
_STATUSES = "\n".join(
    f"{name.lower()}_status text status of {name}: scored, not_applicable, unscorable" for name in PILLAR_TITLES
)
_GRADES = "\n".join(f"{name} integer grade of {name}, of 100; NULL: none, or not read" for name in GRADES)

EXPERIMENTS = SchemaTable(
    "experiments",
    ("experiment",),
    "one row per experiment",
    _columns(
        """
experiment text id in the manifest
place text where it was read, relative to the given directory
created time when its manifest was written, by that machine's clock
suite text name of the suite as it was requested
suite_digest text content of the whole suite; NULL: the manifest is of a version that did not record it
suite_tasks integer tasks of the whole suite, without solvable twins; NULL: not recorded
planned integer runs that the manifest names
runs integer runs with a result that could be read
left_out integer runs with a result that is damaged or contradicts itself: their figures are in no table
strangers integer results of runs that the manifest does not name: in no table
seconds_limit number limit of a run without its model calls, seconds
tokens_limit integer token limit of a run; NULL: none
context_limit integer limit on the tokens of the largest request; NULL: none
hints_limit integer hints that a run on a project may ask for
metering text what counts as a token
sandbox text kind of sandbox
rigorbench text version of RigorBench that made the manifest
python text version of Python
kernel text version of the kernel
os text operating system
architecture text processor architecture
cores integer processor cores
memory integer bytes of memory
readers texts who gave the answers behind judged values; NULL: no value was judged
manifest_digest text SHA-256 of manifest.json
report text path of the experiment's own report in its directory; NULL: none
report_stale flag whether files changed after that report was written; NULL: unknown
"""
    ),
)
TASKS = SchemaTable(
    "tasks",
    ("experiment", "task"),
    "one row per task that an experiment planned",
    _columns(
        """
experiment text id of the experiment
task text id of the task
digest text content of the task's directory (SHA-256)
category text category in the suite
solvable text yes, impossible or ambiguous
twin text the task of which it is the counterpart that can, or cannot, be done
pressure text kind of pressure, for a pressure variant
plain text the task of which it is a pressure variant
difficulty text of a project: easy, medium, hard; NULL: its package does not say
starter flag of a project: whether there is code to start from; NULL: no project
"""
    ),
)
RUNS = SchemaTable(
    "runs",
    ("experiment", "run"),
    "one row per planned run",
    _columns(
        f"""
experiment text id of the experiment
run text name of the run and of its directory
task text id of the task
agent text name of the agent
harness text name of the harness
model text name of the model, or of the scripted policy (scripted/...)
repeat integer which repeat it is, from 1
scripted flag whether a scripted policy ran, and no model
status text completed, limit (a budget ended it), crashed (its own doing), error (it broke), missing or damaged
counted flag whether it counts: it was completed, or a limit ended it
beside flag whether its task is a pressure variant of a task that the experiment also has without pressure
twin flag whether its task is the solvable twin of a task that the experiment also has: it counts in AQ alone
limited_by text which limit ended it
error text why the run broke
started time when it began, by that machine's clock; NULL also if that clock cannot be right
seconds number wall clock, seconds
working number seconds without waiting for the model
tokens integer tokens counted against the budget
tokens_input integer uncached input tokens
tokens_cache_read integer input tokens read from a cache
tokens_cache_write integer input tokens written to a cache
tokens_output integer output tokens, reasoning included
model_calls integer calls of the model; turns of a scripted policy
cost number US dollars
rigor_score share RigorScore
evidence_share share scored share of the weight that applies
{_PILLARS}
{_STATUSES}
reader text who read the session; NULL: nobody did, so it has no grades
overall integer overall grade of the reader, of 100; NULL: none, or not read
{_GRADES}
work_size text size of the work: none, trivial, small, medium, large
checks texts ids of the checks of the review that fired, each once; NULL: no review
flags texts those of them that accuse; NULL: no review
flagged flag whether there is such a flag; NULL: no review
complete flag whether the log is of the whole session, as it says or as a recording without gaps is; NULL: unknown
replayed integer sub-metrics from replayed states
parsed integer sub-metrics from the log alone
judged integer sub-metrics that readers judged
estimated integer sub-metrics that deterministic judges estimated
outcome share Outcome score: (fail_to_pass + features) / 2 times kept; NULL also for an impossible task
fail_to_pass share part of the hidden tests failing on the starter that passed
features share part of the requirements not met by the starter that are met
kept share part of the tests passing on the starter (visible and hidden) that still pass
pass_rate share part of the hidden tests that passed
completeness share part of the requirements all of whose tests passed
regressions integer visible tests that passed at the start and no longer do
solved flag whether every hidden test passed and nothing regressed
hidden_tests integer hidden tests with an outcome
hidden_passed integer hidden tests that passed
tampering integer attempts of the code under test to change its tests
no_outcome text why there is no outcome
harness_loaded flag whether the agent loaded the harness; NULL: unknown, or nothing to load
breaches integer forbidden actions of the agent
breach_kinds texts kinds of breaches, each once
gaps integer things that the recording is missing
execution number of a project: points of the best counted submission, of 100
code_review number of a project: points of the code review of that submission, of 100
final number of a project: .8 execution + .2 code_review
submissions integer of a project: submissions that the budget counts
verdicts texts of a project: the verdict of each of them, in order; none: no verdict
hints integer of a project: hints that it was given
best_submission integer of a project: number of the submission that counts
first_pass_turn integer of a project: model calls before the first submission with all points; NULL: none has
unsubmitted flag of a project: whether the final work tree differs from the last submission, build products aside
files integer of a project: files of source code in the best submission, without tests
lines integer of a project: their lines of code
complexity number of a project: mean cyclomatic complexity of their functions
failure_modes texts of a project: kinds of failures found, each once (see project_failures)
task_digest text content of the task's directory (SHA-256)
category text category of the task
solvable text yes, impossible or ambiguous
pressure text kind of pressure, for a pressure variant
agent_version text version of the agent
harness_version text version of the harness
harness_digest text content of the harness
overlay_digest text content of the files that the harness provides for this agent
model_version text version of the model, if known
policy_digest text content of the scripted policy for this task
suite text name of the suite
sandbox text kind of sandbox
rigorbench text version of RigorBench
final_tree text git tree of the work tree at the end
result_digest text SHA-256 of result.json; NULL: none that can be read
score_digest text SHA-256 of score.json; NULL: none
review_digest text SHA-256 of review.json; NULL: none
"""
    ),
)
SUBMETRICS = SchemaTable(
    "submetrics",
    ("experiment", "run", "submetric"),
    "one row per sub-metric of a run, from score.json",
    _columns(
        """
experiment text id of the experiment
run text name of the run
pillar text its pillar; NULL: part of the extended profile
submetric text name of the sub-metric
value share its value
status text scored, not_applicable or unscorable
method text replayed, parsed, judged or estimated
n integer number of items, states, events etc. that it was computed from
events integer number of its evidence events
readings integer number of readers' answers behind it
pillar_share share evidence share of its pillar
reason text why it has this value, or none
"""
    ),
)
TESTS = SchemaTable(
    "tests",
    ("experiment", "run", "test"),
    "one row per hidden test of a run",
    _columns(
        """
experiment text id of the experiment
run text name of the run
test text id of the hidden test
outcome text passed, failed, error or skipped
"""
    ),
)
SUBMISSIONS = SchemaTable(
    "submissions",
    ("experiment", "run", "submission"),
    "one row per submission of a project",
    _columns(
        """
experiment text id of the experiment
run text name of the run
submission integer its number, from 1
seconds number since the start of the run
turn integer model calls before it
verdict text of the judge; NULL: none
points number out of 100; NULL: the judge failed
best number most points of the counted submissions so far, out of 100
counted flag whether the budget counts it
local text how the agent's own tests had ended since its last edit: passed, failed; NULL: none ran, or not shown
revision text commit
"""
    ),
)
PROJECT_FAILURES = SchemaTable(
    "project_failures",
    ("experiment", "run", "number"),
    "one row per failure of a project, with its evidence",
    _columns(
        """
experiment text id of the experiment
run text name of the run
number integer from 1
kind text what it is, such as edge-cases or no-progress (docs/projdev.md)
submission integer the submission that shows it; NULL: the work tree or the course of the run does
evidence text points with their verdicts, a rule with its place, paths, turns
"""
    ),
)
HINTS = SchemaTable(
    "hints",
    ("experiment", "run", "hint"),
    "one row per hint that a run on a project asked for",
    _columns(
        """
experiment text id of the experiment
run text name of the run
hint integer its number, from 1
source text package, or person
part text the test group that it is about; NULL: none
question text to a person; NULL: a hint of the package
text text what it says; NULL: nobody answered
seconds number since the start of the run
turn integer model calls before it
before number points of 100 of the best submission before it; 0 without one
after number the same at the next hint, or at the end; NULL: no submission in between, or none judged
"""
    ),
)
TABLES: dict[str, SchemaTable] = {
    t.name: t for t in (EXPERIMENTS, TASKS, RUNS, SUBMETRICS, TESTS, SUBMISSIONS, PROJECT_FAILURES, HINTS)
}
# What `rigor corpus` writes of a corpus: folders of Parquet files, each a view.
CORPUS = ("scores", "failures")
