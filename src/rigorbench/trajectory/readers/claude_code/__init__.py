"""Claude Code: sessions on disk, their sub-agents, and stream-json."""

from ...formats import LogFormat, SessionFolder

FORMATS: tuple[LogFormat, ...] = (
    LogFormat(
        "claude-code",
        title="Claude Code sessions, both generations, with their sub-agents",
        files="`~/.claude/projects/*/*.jsonl`, 2.0 and 2.1",
        tokens="per message, once",
        exit_status="`Exit code N` of failed commands",
        times="yes",
        subagents="own files, `progress` lines, side chains",
    ),
    LogFormat(
        "claude-code-stream",
        title="claude -p --output-format stream-json",
        files="`claude -p --output-format stream-json`",
        tokens="totals; per message where stated",
        exit_status="`Exit code N` of failed commands",
        times="no",
        subagents="by parent call",
    ),
)
FOLDERS: tuple[SessionFolder, ...] = (
    SessionFolder(
        agent="claude",
        directory=".claude",
        variable="CLAUDE_CONFIG_DIR",
        globs=("projects/*/*.jsonl",),
        skipped="agent-",
    ),
)
