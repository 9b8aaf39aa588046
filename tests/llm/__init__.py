"""A scripted model on loopback: real engine command lines are driven by it in tests.

It speaks Anthropic Messages (claude), OpenAI Responses (codex) and OpenAI Chat Completions (aider), streamed
or whole. The scenario stands in the address, so one server serves many engines; the model keeps no session:
which step comes next follows from the tool results in the request.

Worked example: a model that answers by what the prompt holds.

    def answer(conversation: Conversation) -> Step:
        if "JWT" in conversation.prompt and not conversation.results:
            return Bash("echo 'JWT = True' > auth.py")
        return Text("All done.")

    with ScriptedModel() as model:
        url = model.base_url(answer, key="task-1")   # an engine is run with this address
        assert "JWT" in model.of("task-1")[0].prompt

From a shell: `python -m tests.llm --port-file PORT`, then `http://127.0.0.1:<port>/s/ok`.
"""

from tests.llm.conversation import (
    Bash,
    Conversation,
    Drop,
    Garbage,
    Hang,
    Play,
    Refuse,
    Step,
    Text,
    Tool,
    Write,
)
from tests.llm.record import Request
from tests.llm.script import in_order
from tests.llm.server import ScriptedModel

__all__ = [
    "Bash",
    "Conversation",
    "Drop",
    "Garbage",
    "Hang",
    "Play",
    "Refuse",
    "Request",
    "ScriptedModel",
    "Step",
    "Text",
    "Tool",
    "Write",
    "in_order",
]
