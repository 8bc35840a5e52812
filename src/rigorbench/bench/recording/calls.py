"""Writes model calls into the journal of the run, as they happen.

The engine's hooks work for every agent, the built-in loop and programs behind the bridge. Before a call the work tree
is stored; after it the call is appended, with the messages that are new in its conversation. Importing this module
registers the hooks; they do nothing for samples that are not recorded.
"""

from __future__ import annotations

import time
from collections import deque
from typing import Any
from weakref import WeakKeyDictionary

import anyio
from inspect_ai.event import Event, ModelEvent
from inspect_ai.hooks import BeforeModelGenerate, Hooks, ModelUsageData, SampleEvent, SampleScoring, hooks
from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageAssistant

from ...base import journal
from .context import Recorder, identity, recorder_of
from .estimate import estimate, repeated_share
from .failures import full
from .metering import count_tokens, usage_parts
from .threads import Threads, as_message


class Calls:
    """The model calls of one sample."""

    def __init__(self, sink: Recorder) -> None:
        self.sink = sink
        self.completed = 0
        self.active = True
        self._threads = Threads()
        self._waiting: deque[tuple[ModelEvent, dict[str, int] | None]] = deque()
        self._seen: set[str] = set()
        self._declared: list[dict[str, str]] = []
        self._lock = anyio.Lock()

    def on_event(self, event: Event) -> None:
        """Called by the transcript for each new or changed event; must not wait."""
        if not isinstance(event, ModelEvent) or event.pending or not self.active:
            return
        name = event.uuid or str(id(event))
        if name in self._seen:
            return
        self._seen.add(name)
        estimated = None
        if _error(event) is None:
            self.completed += 1
            if event.output.usage is None:
                # The engine reports such a call to no hook, so it is counted here.
                estimated = estimate(event.input, event.tools, _answer(event))
                count_tokens(event.model, estimated)
        self._waiting.append((event, estimated))

    async def flush(self) -> None:
        """Returns when every call that has completed is in the journal."""
        async with self._lock:
            while self._waiting:
                await self.sink.record(self._record(*self._waiting.popleft()))

    def _record(self, event: ModelEvent, estimated: dict[str, int] | None) -> journal.Model:
        choices, answer, error = event.output.choices, _answer(event), _error(event)
        thread, new, dropped, repeated = self._threads.assign(event.input, answer, len(event.tools))
        return journal.Model(
            time=event.completed.timestamp() if event.completed is not None else time.time(),
            id=event.uuid or "",
            conversation=thread,
            model=event.model,
            started=event.timestamp.timestamp(),
            input=new,
            dropped=dropped,
            output=as_message(answer) if answer is not None else None,
            usage=usage_parts(event.output.usage) if error is None else None,
            stop=choices[0].stop_reason if choices and error is None else None,
            tools=len(event.tools),
            error=error,
            declared=self._new_tools(event),
            estimate=estimated,
            repeated=repeated_share(event.input, event.tools, repeated),
        )

    def _new_tools(self, event: ModelEvent) -> list[dict[str, str]] | None:
        declared = [{"name": tool.name, "description": tool.description} for tool in event.tools]
        if declared == self._declared:
            return None
        self._declared = declared
        return declared


def _error(event: ModelEvent) -> str | None:
    """Why a call was not answered. The engine returns the refusal of one that does not fit as if it were an answer."""
    failure = full(event.output) if event.error is None else None
    return event.error if failure is None else failure.text


def _answer(event: ModelEvent) -> ChatMessageAssistant | None:
    choices = event.output.choices
    return choices[0].message if choices and _error(event) is None else None


_CALLS: WeakKeyDictionary[Any, Calls] = WeakKeyDictionary()


def calls(*, create: bool = False) -> Calls | None:
    """The calls of the running sample; None: nothing is recorded."""
    events = transcript()
    found = _CALLS.get(events)
    if found is None and create:
        sink = recorder_of(identity())
        if sink is None:
            return None
        found = _CALLS[events] = Calls(sink)
        events._subscribe(found.on_event)
    return found


async def flush() -> None:
    """Write what is still waiting, however the sample ends; a limit does not cancel this."""
    found = calls()
    if found is not None:
        with anyio.CancelScope(shield=True):
            await found.flush()


@hooks(name="rigorbench_recording", description="Writes model calls into the run's journal.")
class CallRecording(Hooks):
    async def on_before_model_generate(self, data: BeforeModelGenerate) -> None:
        found = calls(create=data.sample_id is not None)
        if found is None or not found.active:
            return
        await found.flush()
        await found.sink.snapshot("model")

    async def on_model_usage(self, data: ModelUsageData) -> None:
        found = calls()
        if found is not None and found.active:
            await found.flush()

    async def on_sample_event(self, data: SampleEvent) -> None:
        found = calls()
        if found is not None and isinstance(data.event, ModelEvent):
            await found.flush()

    async def on_sample_scoring(self, data: SampleScoring) -> None:
        """Model calls of scorers are not the agent's and are not recorded."""
        found = calls()
        if found is not None:
            await found.flush()
            found.active = False
