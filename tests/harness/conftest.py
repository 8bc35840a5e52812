"""Fixtures: a task, and clones that recipes install from."""

from __future__ import annotations

from pathlib import Path

import pytest
from harness_builders import HIDDEN, LICENCE, TASK, clone, put, skill

from rigorbench.bench.tasks.suite import SuiteTask, load_suite


@pytest.fixture
def task(tmp_path: Path) -> SuiteTask:
    """A task of which every hidden part contains the word HIDDEN."""
    directory = put(
        tmp_path / "suite" / "plan-then-build" / "tally",
        {
            "task.toml": TASK,
            "instruction.md": "Add a total to the tally.\n",
            "environment/repo/tally.py": "def tally(values):\n    return list(values)\n",
            "environment/repo/README.md": "# Tally\n",
            "environment/repo/.gitignore": "*.log\n.agents/\n",
            "tests/test.sh": f"#!/bin/bash\n# {HIDDEN}\n",
            "tests/test_hidden.py": f"def test_{HIDDEN}():\n    pass\n",
            "solution/solve.sh": f"#!/bin/bash\n# {HIDDEN}\n",
            "solution/solution.patch": f"{HIDDEN}\n",
            "near_misses/near.patch": f"{HIDDEN}\n",
            "faulty/f.patch": f"{HIDDEN}\n",
            "policies/disciplined.toml": f'description = "{HIDDEN}"\n[[turn]]\ntext = "{HIDDEN}"\n',
        },
    )
    return load_suite(directory).tasks[0]


@pytest.fixture
def sources(tmp_path: Path) -> dict[str, Path]:
    """Name of a recipe -> a clone of the layout that its project has."""
    rigor = {
        "LICENSE": LICENCE,
        "AGENTS.md": "For contributors of the project only.\n",
        "core/SYSTEM_CORE.md": "# Core\n\nThe first rule of the synthetic core is to look twice.\n",
        "core/CHEATSHEET.md": "# Sheet\n",
        "core/CONTEXT_MANAGEMENT.md": "# Context\n",
        "skills/01_first/00_PHASE_DIRECTOR.md": "# Director\n",
        "templates/PLAN_TEMPLATE.md": "# Plan\n",
        "templates/PROGRESS_LOG_TEMPLATE.md": "# Progress\n",
    }
    skills = {
        "LICENSE": LICENCE,
        "AGENTS.md": "For contributors of the project only.\n",
        ".claude/commands/plan.md": "# /plan\n",
        "agents/code-reviewer.md": "# Reviewer\n",
        "references/checklist.md": "# Check list\n",
        "skills/using-agent-skills/SKILL.md": skill("using-agent-skills"),
        "skills/debugging/SKILL.md": skill("debugging"),
    }
    powers = {
        "LICENSE": LICENCE,
        "CLAUDE.md": "For contributors of the project only.\n",
        "hooks/session-start": "#!/bin/sh\n",
        "skills/using-superpowers/SKILL.md": skill("using-superpowers"),
        "skills/brainstorming/SKILL.md": skill("brainstorming"),
        "skills/brainstorming/scripts/start.sh": "#!/bin/sh\necho start\n",
    }
    made = {}
    for name, files in (("agent-rigor", rigor), ("agent-skills", skills), ("superpowers", powers)):
        made[name] = clone(tmp_path / "clones" / name, files)
    return made
