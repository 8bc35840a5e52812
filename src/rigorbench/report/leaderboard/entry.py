"""What the page of an entry of a leaderboard shows, as plain values for its template."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...metrics.result import PILLAR_TITLES
from ..text import words
from . import chart as charts
from . import words as say
from .model import Board, Entry, Leaderboard, TaskFigures

_SHADES = 9
_FIGURES = {
    "rigor_score": "RigorScore",
    **{p: f"{title} ({p})" for p, title in PILLAR_TITLES.items()},
    "evidence_share": "evidence share",
    "pass_rate": "hidden tests passed",
    "completeness": "requirements met",
    "regressions": "tests broken per run",
    "solved": "runs that solved the task",
    "tokens": "tokens",
    "cost": "cost",
    "seconds": "time",
    "model_calls": "model calls",
}
Address = Callable[[str | None], str | None]


def entry_view(
    leaderboard: Leaderboard,
    board: Board,
    entry: Entry,
    series: Sequence[tuple[Board, Entry]],
    address: Address,
) -> dict[str, Any]:
    """The context of the page of an entry.

    Args:
        series: the entries of the same agent, harness and model, over versions and boards, with this one.
        address: of a report in a place, seen from this page; None: it does not lie beside.
    """
    scripted = board.conditions.scripted
    score = entry.score
    history = _history(series, board, entry)
    own = board.number
    picture = charts.chart([point for point, _ in history], own)
    return {
        "title": say.title(entry.key, scripted),
        "board": board,
        "scripted": scripted,
        "policies": say.POLICIES,
        "facts": _facts(board, entry),
        "conditions": say.facts(board.conditions),
        "rank": say.rank(entry),
        "ranked": board.ranked,
        "lacks": entry.lacks,
        "needed": say.needed(leaderboard.thresholds),
        "score": say.number(score.value, "rigor_score"),
        "interval": say.bounds(score.low, score.high),
        "flags": [f"{words.plural(n, 'run')} {name}" for name, n in entry.flags.items()],
        "figures": [
            (
                "turns" if scripted and name == "model_calls" else title,
                say.number(entry.figures[name].value, name),
                say.bounds(entry.figures[name].low, entry.figures[name].high),
                say.basis(entry.figures[name]),
            )
            for name, title in _FIGURES.items()
        ],
        "chart": picture,
        "size": (charts.WIDTH, charts.HEIGHT, charts.LEFT, charts.RIGHT, charts.BOTTOM),
        "history": [row for _, row in history],
        "tasks": [_task(task) for task in entry.tasks],
        "others": _others(board, entry),
        "cut": max(0, board.ranked - 1 - len(entry.versus)) if entry.versus else 0,
        "sources": [
            (
                source,
                say.date(source.date),
                _counted(source.statuses),
                say.number(source.score.value, "rigor_score"),
                say.bounds(source.score.low, source.score.high),
                address(source.report and f"{source.place}/{source.report}"),
            )
            for source in entry.sources
        ],
        "provenance": _provenance(entry),
    }


def _facts(board: Board, entry: Entry) -> list[tuple[str, str]]:
    size = words.count(board.conditions.size)
    facts = [
        ("Agent", say.name(" ".join(p for p in (entry.key.agent, entry.key.agent_version) if p))),
        ("Harness", say.name(" ".join(p for p in (entry.key.harness, entry.key.harness_version) if p))),
        (
            "Scripted policy" if board.conditions.scripted else "Model",
            say.model(entry.key.model, board.conditions.scripted),
        ),
        ("Runs", _counted(entry.statuses)),
        (
            "Tasks",
            f"{words.count(len(entry.tasks))}; {words.percent(entry.coverage)} of {size} scored",
        ),
        ("First run", say.date(entry.first)),
        ("Last run", say.date(entry.last)),
    ]
    return [f for f in facts if f[1]]


def _counted(statuses: dict[str, int]) -> str:
    counted = sum(n for status, n in statuses.items() if status in ("completed", "limit"))
    return f"{words.count(counted)} of {words.count(sum(statuses.values()))} count"


def _history(
    series: Sequence[tuple[Board, Entry]], board: Board, entry: Entry
) -> list[tuple[charts.Point, dict[str, Any]]]:
    """Every experiment with this agent, harness and model, over versions and boards, by date."""
    found = []
    for other, each in series:
        if other.conditions.scripted is board.conditions.scripted:
            for source in each.sources:
                value = source.score.value
                if source.date is None or value is None:
                    continue
                text = f"{say.date(source.date)}: {value:.2f} {say.bounds(source.score.low, source.score.high)}".strip()
                point = charts.Point(
                    source.date, value, source.score.low, source.score.high, other.number, each is entry, text
                )
                row = {
                    "date": say.date(source.date),
                    "versions": say.versions(each.key),
                    "score": f"{value:.2f}",
                    "interval": say.bounds(source.score.low, source.score.high),
                    "basis": say.basis(source.score),
                    "experiment": source.experiment,
                    "board": other.number,
                    "comparable": other is board,
                    "href": None if each is entry else each.page.removeprefix("entries/"),
                }
                found.append((point, row))
    found.sort(key=lambda pair: (pair[0].date, pair[1]["experiment"], pair[0].line))
    return found


def _task(task: TaskFigures) -> dict[str, Any]:
    def shade(name: str) -> int | None:
        value = task.means.get(name)
        return None if value is None else round(min(1.0, max(0.0, value)) * _SHADES)

    return {
        "task": task.task,
        "category": task.category or "",
        "counted": task.counted,
        "digest": task.digest or "",
        "cells": [
            (say.number(task.means.get(name), name), shade(name)) for name in ("rigor_score", "pass_rate", "solved")
        ],
        "evidence": say.number(task.means.get("evidence_share"), "evidence_share"),
        "tokens": say.number(task.means.get("tokens"), "tokens"),
    }


def _others(board: Board, entry: Entry) -> list[dict[str, Any]]:
    rows = []
    for versus in entry.versus:
        other = board.entries[versus.other]
        rows.append(
            {
                "title": say.title(other.key, board.conditions.scripted),
                "versions": say.versions(other.key),
                "href": other.page.removeprefix("entries/"),
                "rank": say.rank(other),
                "value": say.signed(versus.value),
                "interval": say.bounds(versus.low, versus.high, signs=True),
                "tasks": words.plural(versus.tasks, "task"),
                "verdict": versus.verdict,
            }
        )
    return rows


def _provenance(entry: Entry) -> list[tuple[str, str]]:
    key = entry.key
    return [
        (name, value)
        for name, value in (
            ("Content of the harness", key.harness_digest),
            ("What it laid out for this agent", key.overlay_digest),
            ("Version of the model", key.model_version),
        )
        if value
    ]
