"""Numbers, times and names in words, the same on the terminal and in pages."""

from __future__ import annotations

import datetime
import math
import re
from collections import Counter

from ...base.text import count as with_noun
from ...evidence.calls import NO_RESULT, not_understood
from ...session.model import Trajectory
from ..result import Header, Pillar, Score, SubMetric, Tokens
from ..verdict import level

# "1 run", "1,200 runs", "2 searches".
plural = with_noun
_POLICY = "scripted/"
SHORT_TITLES = {"PF": "planning", "VC": "verification", "RE": "recovery", "AQ": "abstention", "ATI": "integrity"}
STATUS_WORDS = {"scored": "scored", "not_applicable": "n/a", "unscorable": "unscorable"}


def score(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def short_score(value: float) -> str:
    """A score in few characters: "1.0", ".67", "0.0"."""
    text = f"{value:.2f}"
    if text in ("0.00", "1.00"):
        return text[:3]
    return text[1:] if text.startswith("0") else text


def no_score(score: Score) -> str:
    reasons = {(m.status, m.reason) for p in score.pillars.values() for m in p.submetrics.values()}
    if len(reasons) == 1 and (only := reasons.pop())[0] == "unscorable":
        return f"No score: {only[1]}"
    if score.evidence_share is None:
        return "No score: this session had nothing to measure (no edits, no errors)"
    share = exact_share(score.evidence_share)
    return f"No score: pillars with only {share} of the weight that applies have a value, and half is needed"


def undecided(trajectory: Trajectory) -> str:
    """How many tool calls the log does not decide, and of which tools; empty without one."""
    calls, why = not_understood(trajectory)
    said: list[str] = []
    if missing := sum(w.endswith(NO_RESULT) for w in why):
        said.append(f"The log has no result of {missing} of {plural(calls, 'tool call')}")
    if why := [w for w in why if not w.endswith(NO_RESULT)]:
        kinds = Counter(why).most_common()
        more = f" and {len(kinds) - 3} more" if len(kinds) > 3 else ""
        named = ", ".join(kind for kind, _ in kinds[:3])
        said.append(f"{len(why)} of {plural(calls, 'tool call')} not understood: {named}{more}")
    if lost := trajectory.unread_calls:
        said.append(
            f"{plural(lost, 'tool call')} could not be decoded: what {'it' if lost == 1 else 'they'} did is unknown"
        )
    return "; ".join(said)


def skipped(score: Score, trajectory: Trajectory) -> str:
    """How many parts of the log could not be read; "" for none."""
    number = max(score.trajectory.skipped_lines, len(trajectory.skipped))
    return f"{plural(number, 'part')} of the log left out" if number else ""


def value_or_status(scored: Pillar | SubMetric) -> str:
    """The value of a pillar or sub-metric, or why it has none: "n/a" or "unscorable"."""
    if scored.status == "scored" and scored.value is not None:
        return score(scored.value)
    return STATUS_WORDS.get(scored.status, scored.status) if scored.status != "scored" else "–"


def graded(value: int | None, status: str) -> str:
    """A grade in a list: its value, "n/a" where it did not arise, a dash where nobody read it."""
    return str(value) if value is not None else "n/a" if status == "not_applicable" else "–"


def tone(value: float | None) -> str:
    """The class of the colour of a grade (0 to 100), also of a median: from "good" on, "average", and below."""
    if value is None:
        return "muted"
    return {"exemplary": "pass", "good": "pass", "average": "talk"}.get(level(round(value)), "fail")


def cost(points: float) -> str:
    """What a finding cost, in points of the RigorScore: "−0.09", or "<0.01"."""
    return f"−{points:.2f}" if points >= 0.005 else "<0.01"


def rounded(value: float | None, unknown: str = "–") -> str:
    """A grade, a median or a number in whole figures."""
    return unknown if value is None else f"{value:.0f}"


def percent(share: float | None) -> str:
    """ "38 %"; "–" when there is none."""
    return "–" if share is None else f"{share * 100:.0f} %"


def count(number: int) -> str:
    """1234567 -> "1,234,567"."""
    return f"{number:,}"


def tokens(number: int | None) -> str:
    """A token count in three digits: "950", "38.2k", "4.1M"; "?" when unknown."""
    if number is None:
        return "?"
    for unit, size in (("G", 10**9), ("M", 10**6), ("k", 10**3)):
        if number >= size:
            scaled = number / size
            return f"{scaled:.1f}{unit}" if scaled < 100 else f"{scaled:.0f}{unit}"
    return str(number)


def token_line(usage: Tokens | None, *, complete: bool = True) -> str | None:
    """ "4.1M tokens in (96 % from cache), 38k out"; None when the log has no token counts.

    ``complete``: whether the log counts all tokens.
    """
    if usage is None:
        return None
    parts = [n for n in (usage.input, usage.cache_read, usage.cache_write) if n is not None]
    if not any(parts) and not usage.output:  # some servers count nothing, and write zeros
        return None
    least = "" if complete else "at least "
    if not parts:
        return f"{least}{tokens(usage.output)} tokens out"
    prompt, read = sum(parts), usage.cache_read
    cached = f" ({read / prompt * 100:.0f} % from cache)" if prompt and read else ""
    return f"{least}{tokens(prompt)} tokens in{cached}, {tokens(usage.output)} out"


def _parse(moment: str | None) -> datetime.datetime | None:
    if not moment:
        return None
    try:
        parsed = datetime.datetime.fromisoformat(moment)
    except ValueError:
        return None
    if parsed.tzinfo is None:
        return parsed.replace(tzinfo=datetime.UTC)
    return parsed.astimezone(datetime.UTC)


def date(moment: str | None) -> str | None:
    """An ISO time as "2025-11-03 14:02"; None when there is none. Other text is returned as it is.

    It names no zone: logs that state none have the time of their machine.
    """
    parsed = _parse(moment)
    return f"{parsed:%Y-%m-%d %H:%M}" if parsed else moment or None


def duration(seconds: float | None) -> str:
    """ "42 s", "7 min", "3 h 05 min", "2 d 4 h"; "" when unknown."""
    if seconds is None:
        return ""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    minutes = round(whole / 60)
    if minutes < 60:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes:02d} min"
    return f"{hours // 24} d {hours % 24} h"


def lasted(trajectory: Trajectory) -> float | None:
    """Seconds from the first message to the last that the agent did: what follows it, a person or the program did.

    None when the start or the end is unknown, or the log has one time for both.
    """
    made = [s for s in trajectory.steps if s.role == "agent"]
    times = [t for s in made for t in (s.time, *(c.result.time for c in s.calls if c.result is not None)) if t]
    asked = (s.time for s in trajectory.steps if s.time is not None)  # a program may have been open long before
    first, last = min(asked, default=trajectory.started_at), max(times, default=trajectory.ended_at)
    return last - first if first is not None and last is not None and last > first else None


def pauses(trajectory: Trajectory) -> str:
    """ " with pauses" where the agent waited for a user for half an hour or more; else ""."""
    last = math.inf
    for step in trajectory.steps:
        if step.role == "user" and (step.time or 0.0) - last >= 1800:
            return " with pauses"
        last = max(
            (t for t in (step.time, *(c.result.time for c in step.calls if c.result is not None)) if t), default=last
        )
    return ""


def epoch(moment: str | None) -> float | None:
    """An ISO time in seconds since the epoch; None when there is none, or it is no time."""
    parsed = _parse(moment)
    return None if parsed is None else parsed.timestamp()


def dollars(amount: float | None) -> str:
    """ "$0.42", "<$0.01", "$128"; "–" when unknown."""
    if amount is None:
        return "–"
    return "<$0.01" if 0 < amount < 0.005 else f"${amount:,.2f}" if amount < 100 else f"${amount:,.0f}"


def clock(time: float | None) -> str:
    """Seconds since the epoch as "14:03:22" in UTC; "" when unknown or absurd."""
    moment = utc(time)
    return f"{moment:%H:%M:%S}" if moment else ""


def moment(time: float | None) -> str:
    """Seconds since the epoch as "2025-11-03 14:03:22 UTC"; "" when unknown or absurd."""
    value = utc(time)
    return f"{value:%Y-%m-%d %H:%M:%S} UTC" if value else ""


def utc(time: float | None) -> datetime.datetime | None:
    """Seconds since the epoch as a time; None when unknown or absurd."""
    if time is None:
        return None
    try:
        return datetime.datetime.fromtimestamp(time, datetime.UTC)
    except (ValueError, OverflowError, OSError):
        return None


def agent(header: Header) -> str:
    """ "claude-code 2.0.14", or "unknown agent"."""
    return " ".join(part for part in (header.agent or "unknown agent", header.agent_version) if part)


def is_policy(model: str | None) -> bool:
    """Whether the model that a log names is a scripted policy: a sequence of actions that we wrote."""
    return model is not None and model.startswith(_POLICY)


def model(name: str) -> str:
    """A model by its name; a scripted policy is never called a model."""
    return f"scripted policy {name.removeprefix(_POLICY)}" if is_policy(name) else name


def calls(number: int, name: str | None) -> str:
    """ "12 answers", which the log has: a program may ask more models, or again. What a policy does are turns."""
    return plural(number, "turn" if is_policy(name) else "answer")


def project(cwd: str | None) -> str | None:
    """The last part of a working directory, on any system; None when there is none."""
    parts = [p for p in re.split(r"[/\\]+", cwd or "") if p]
    return parts[-1] if parts else None


def exact_share(share: float) -> str:
    """A share in percent that is "100 %" or "0 %" only where it is exactly that."""
    shown = percent(share)
    return ">99 %" if shown == "100 %" and share < 1 else "<1 %" if shown == "0 %" and share > 0 else shown
