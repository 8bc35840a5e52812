"""``--model scripted/<policy>``: a policy of the task plays the model. No model is asked and no network used.

The policy is the task's own ("disciplined"), a generic one ("do-nothing"), either with transformations
("disciplined+plan-padding"), or a policy file. The metadata of the sample contains the task (recording/context.py).
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageTool,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolCall, ToolChoice, ToolInfo

from ...recording.context import fact, root
from ...recording.threads import grouped
from ...tasks.policies.gaming import GENERIC, resolve_policy
from ...tasks.policies.policy import Policy, PolicyError, load_policy
from ...tasks.projects import starter_of
from ...tasks.suite import load_suite
from .play import SUBMIT, ModelAnswer, Player, Toolset, instance

SIDE_ANSWER = "Scripted session"
_FENCE = re.compile(r"```([A-Za-z_]*bash[A-Za-z_]*)\n")


@modelapi(name="scripted")
class ScriptedAPI(ModelAPI):
    """Plays the turns of a policy on whatever tools the agent offers."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig = GenerateConfig(),  # noqa: B008 -- the engine's own signature
        **model_args: Any,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config)
        if model_args:
            raise PolicyError(f"scripted/{model_name}: takes no model arguments, but got {', '.join(model_args)}")

    def max_connections(self) -> int:
        return 100

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        toolset = Toolset({tool.name: tool.parameters.model_dump(exclude_none=True) for tool in tools})
        fence = _fence(input) if not tools else None
        if fence is not None:
            toolset = Toolset({"bash": {"properties": {"command": {"type": "string"}}, "required": ["command"]}})
        if not toolset.works or tool_choice == "none":
            # A request that is not for work: a title, a summary, a question with a JSON answer.
            schema = config.response_schema
            said = json.dumps(instance(schema.json_schema.model_dump(exclude_none=True))) if schema else SIDE_ANSWER
            return self._output(input, tools, ModelAnswer(said), 0)
        directory = fact("task_directory")
        policy = find_policy(self.model_name, str(directory) if directory else None, told=is_told(fact("harness")))
        starter = starter_of(Path(str(directory))) if directory else None
        player = Player(
            policy,
            toolset,
            root(),
            exists=lambda path: starter is not None and (starter / path).is_file(),
            submits=_submits(input),
        )
        step = position(input, [s.text for s in player.steps()])
        played = player.play(step)
        if fence is not None:
            script = "\n".join(str(arguments["command"]) for _tool, arguments in played.calls)
            played = ModelAnswer(f"{played.text}\n\n```{fence}\n{script}\n```".lstrip())
        return self._output(input, tools, played, step)

    def _output(
        self, messages: list[ChatMessage], tools: list[ToolInfo], played: ModelAnswer, step: int
    ) -> ModelOutput:
        name = f"scripted/{self.model_name}"
        digest = hashlib.sha256(f"{name}\0{step}\0{messages[0].text if messages else ''}".encode()).hexdigest()
        calls = [
            ToolCall(id=call_id(step, number, digest), function=tool, arguments=arguments)
            for number, (tool, arguments) in enumerate(played.calls)
        ]
        new, cached = sizes(messages, tools)
        output = tokens(played.text)
        output += sum(tokens(tool) + tokens(json.dumps(arguments, sort_keys=True)) for tool, arguments in played.calls)
        message = ChatMessageAssistant(content=played.text, tool_calls=calls or None, model=name, source="generate")
        return ModelOutput(
            model=name,
            choices=[ChatCompletionChoice(message=message, stop_reason="tool_calls" if calls else "stop")],
            usage=ModelUsage(
                input_tokens=new,
                input_tokens_cache_read=cached,
                output_tokens=max(output, 1),
                total_tokens=new + cached + max(output, 1),
            ),
        )


@lru_cache(maxsize=512)
def find_policy(name: str, directory: str | None, *, told: bool = False) -> Policy:
    """The policy that a model's name means on the task in ``directory``; ``told``: by a harness how to work.

    Raises:
        PolicyError: there is none, or its file cannot be used.
    """
    if directory is not None:
        return resolve_policy(name, load_suite(directory).tasks[0], told=told)
    if name in GENERIC:
        return GENERIC[name]()
    if name.endswith(".toml"):
        return load_policy(Path(name))
    raise PolicyError(
        f"scripted/{name}: the sample does not say which task it is, so its policies are not known; "
        "give the path of a policy file, or put task_directory into the sample's metadata"
    )


def is_told(harness: Any) -> bool:
    """Whether a harness says how to work: all do but the baseline, which says nothing, and the placebo."""
    return isinstance(harness, str) and harness.partition("=")[0] not in ("", "baseline", "placebo")


def _submits(messages: list[ChatMessage]) -> bool:
    """Whether the agent has said that a command ends the session (mini-swe-agent)."""
    return any(SUBMIT in message.text for message in messages if message.role in ("system", "user"))


def _fence(messages: list[ChatMessage]) -> str | None:
    """The name of the code block in which an agent without tools expects its command; None: it expects none."""
    if not _submits(messages):
        return None
    texts = (message.text for message in messages if message.role in ("system", "user"))
    return next((match[1] for text in texts if (match := _FENCE.search(text))), "bash")


_MARK = re.compile(r"call_(\d{3})_\d+_[0-9a-f]{8}")
_CHARACTERS_PER_TOKEN = 4


def call_id(step: int, number: int, digest: str) -> str:
    """An id that identifies, in a later request, the step that made the call."""
    return f"call_{step:03d}_{number}_{digest[:8]}"


def position(messages: Sequence[ChatMessage], texts: Sequence[str]) -> int:
    """How many steps of a script, whose texts are given, this conversation has had: from its messages alone, so that
    repeated calls, resumed sessions and parallel sessions all get the right step.

    If a client keeps our call ids, they say so. Otherwise every answer with calls counts as a step, and an answer of
    text only if it contains the text of the script (some clients add answers that no model gave).
    """
    index = 0
    for together in grouped(messages):
        group = [m for m in together if isinstance(m, ChatMessageAssistant)]
        ids = [match for message in group for call in message.tool_calls or () if (match := _MARK.search(call.id))]
        if ids:
            index = max(index, max(int(match[1]) for match in ids) + 1)
        elif any(message.tool_calls for message in group) or _has_text(group, texts, index):
            index += 1
    return index


def _has_text(group: Sequence[ChatMessageAssistant], texts: Sequence[str], index: int) -> bool:
    if index >= len(texts):
        return False
    expected = " ".join(texts[index].split())
    found = " ".join(" ".join(message.text for message in group).split())
    return bool(expected) and expected in found


def tokens(text: str) -> int:
    """A count without a tokenizer: a quarter of the characters, rounded up."""
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def size(message: ChatMessage) -> int:
    total = tokens(message.text)
    if isinstance(message, ChatMessageAssistant):
        total += sum(tokens(call.function) + tokens(_json(call.arguments)) for call in message.tool_calls or ())
    if isinstance(message, ChatMessageTool) and message.error is not None and not message.text:
        total += tokens(message.error.message)
    return total


def sizes(messages: Sequence[ChatMessage], tools: Sequence[ToolInfo]) -> tuple[int, int]:
    """Tokens of a request: (new, cached), where cached are those that the previous call had sent already."""
    declared = sum(tokens(_json(tool.model_dump(exclude_none=True))) for tool in tools)
    last = next((i for i in range(len(messages) - 1, -1, -1) if isinstance(messages[i], ChatMessageAssistant)), None)
    while last is not None and last > 0 and isinstance(messages[last - 1], ChatMessageAssistant):
        last -= 1
    counts = [size(message) for message in messages]
    if last is None:
        return declared + sum(counts), 0
    return sum(counts[last:]), declared + sum(counts[:last])


def _json(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, default=str)
