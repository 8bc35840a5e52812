"""Where each agent looks for instructions and skills by itself, after its own documentation.

What an agent has no place for is not lost: instructions then go in front of the task's prompt, skills into
``.agents/skills`` with a sentence that says so, and the overlay's notes (and with them the result) tell it.
"""

from __future__ import annotations

from msgspec import Struct

FALLBACK_SKILLS = ".agents/skills"
RULES_FRONT_MATTER = "---\nalwaysApply: true\n---\n"


class Conventions(Struct, frozen=True):
    """``instructions``: the file in the repository that the agent reads at its start; ``also``: others it reads too.

    ``skills``: its directory of skills. ``settings``: a file that makes it read the instructions, with its content.
    ``hooks``: the settings file in which it keeps hooks.
    """

    instructions: str | None = None
    also: tuple[str, ...] = ()
    skills: str | None = None
    settings: tuple[str, str] | None = None
    hooks: str | None = None

    def reads(self, file: str) -> bool:
        return file == self.instructions or any(
            file == name or (name.endswith("/") and file.startswith(name)) for name in self.also
        )


AGENTS: dict[str, Conventions] = {
    # The built-in loop puts AGENTS.md of the repository into its system message.
    "react": Conventions("AGENTS.md"),
    "claude-code": Conventions("CLAUDE.md", skills=".claude/skills", hooks=".claude/settings.json"),
    "codex": Conventions("AGENTS.md", skills=".agents/skills"),
    "gemini": Conventions("GEMINI.md", skills=".gemini/skills"),
    "mini-swe-agent": Conventions(),
    "opencode": Conventions("AGENTS.md", skills=".opencode/skills"),
    "qwen": Conventions("QWEN.md", skills=".qwen/skills"),
    "copilot": Conventions(".github/copilot-instructions.md", ("AGENTS.md",), skills=".github/skills"),
    # Aider reads no file by itself; its settings file in the repository names what it shall read.
    "aider": Conventions("CONVENTIONS.md", settings=(".aider.conf.yml", "read: CONVENTIONS.md\n")),
    "openhands": Conventions("AGENTS.md", skills=".agents/skills"),
    "cursor": Conventions(
        ".cursor/rules/harness.mdc", ("AGENTS.md", ".cursorrules", ".cursor/rules/"), skills=".cursor/skills"
    ),
    "auggie": Conventions("AGENTS.md", ("CLAUDE.md",), skills=".augment/skills"),
}

_OTHER_NAMES = {
    "claude": "claude-code",
    "codex-cli": "codex",
    "gemini-cli": "gemini",
    "qwen-code": "qwen",
    "copilot-cli": "copilot",
    "cursor-cli": "cursor",
    "cursor-agent": "cursor",
    "mini-swe": "mini-swe-agent",
}


def canonical(agent: str) -> str:
    """The name under which `agent` stands in :data:`AGENTS`, or itself where it is unknown."""
    return _OTHER_NAMES.get(agent, agent)


def conventions(agent: str) -> Conventions:
    """What is known of `agent`; of an agent that we do not know, that it reads no file by itself."""
    return AGENTS.get(canonical(agent), Conventions())
