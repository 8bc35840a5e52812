"""Slots are shared in turn, and one can have them all."""

from __future__ import annotations

import threading
from pathlib import Path

from rigorbench.judge.engine.resources import SharedProcessors, Slots


def test_no_slot_is_given_twice_and_none_is_lost(tmp_path: Path) -> None:
    slots = Slots(SharedProcessors(3, tmp_path))
    busy: set[int] = set()
    most = 0
    clashes: list[int] = []
    lock = threading.Lock()

    def work() -> None:
        nonlocal most
        mine: int | None = None
        for number in range(40):
            if number % 10 == 9:
                with slots.alone(), lock:
                    clashes.extend(busy)
            with slots.one(mine) as mine:
                with lock:
                    clashes.extend({mine} & busy)
                    busy.add(mine)
                    most = max(most, len(busy))
                with lock:
                    busy.discard(mine)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert clashes == []
    assert 1 <= most <= 3
    with slots.one() as a, slots.one() as b, slots.one() as c:
        assert {a, b, c} == {0, 1, 2}


def test_nobody_overtakes(tmp_path: Path) -> None:
    slots = Slots(SharedProcessors(1, tmp_path))
    order: list[str] = []
    waiting = threading.Event()

    def queue(name: str, ready: threading.Event) -> threading.Thread:
        def work() -> None:
            with slots.one():
                order.append(name)

        thread = threading.Thread(target=work)
        thread.start()
        ready.set()
        return thread

    threads = []
    with slots.one():
        for name in ("first", "second", "third"):
            before = len(slots._queue)
            threads.append(queue(name, waiting))
            while len(slots._queue) == before:
                pass
    for thread in threads:
        thread.join()
    assert order == ["first", "second", "third"]


def test_preferred_slot_where_it_is_free(tmp_path: Path) -> None:
    slots = Slots(SharedProcessors(2, tmp_path))
    with slots.one(1) as first, slots.one(1) as second:
        assert (first, second) == (1, 0)
