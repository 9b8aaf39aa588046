"""Engine `aider`: it exits 0 whatever happens and has no JSON, so its analytics log tells. https://aider.chat/docs/config/options.html"""

from __future__ import annotations

import json

from app.ports import EngineCall, EngineSetup, Usage
from app.runner.engines.lines import count, json_lines, number
from app.runner.engines.port import Context, EngineReport, Heard, Invocation
from app.runner.redact import one_line

__all__ = ["Aider"]

LOG, PROMPT, PRICES = ".brat/analytics.jsonl", ".brat/prompt.txt", ".brat/models.json"
NOTHING = ".brat/nothing"
DEFAULT_MODEL = "openai/gpt-5"
QUIET = (
    *("--edit-format", "diff", "--yes-always", "--no-stream", "--no-pretty", "--no-fancy-input"),
    *("--no-check-update", "--no-show-release-notes", "--no-analytics", "--no-show-model-warnings"),
    *("--no-detect-urls", "--disable-playwright", "--no-suggest-shell-commands", "--no-gitignore"),
    *("--no-auto-lint", "--no-auto-commits", "--map-tokens", "0"),
)
OWN_FILES = (
    ("--config", ".brat/config.yml"),
    ("--env-file", NOTHING),
    ("--model-settings-file", ".brat/models.yml"),
    ("--aiderignore", NOTHING),
    ("--model-metadata-file", PRICES),
    ("--analytics-log", LOG),
    ("--chat-history-file", ".brat/chat.md"),
    ("--input-history-file", ".brat/input"),
)


class Aider:
    """Commits and lints nothing by itself; config files of the repository are replaced by an empty one."""

    executable = "aider"
    install = "python -m pip install aider-chat"

    def upstream(self, call: EngineCall, setup: EngineSetup) -> str | None:
        if setup.base_url:
            return setup.base_url
        anthropic = _model(call, setup).startswith("anthropic/")
        return "https://api.anthropic.com" if anthropic else "https://api.openai.com"

    def invocation(self, call: EngineCall, setup: EngineSetup, context: Context) -> Invocation:
        model, home = _model(call, setup), context.home
        argv = ["--model", model, "--message-file", f"{home}/{PROMPT}", *QUIET]
        argv += [part for option, name in OWN_FILES for part in (option, f"{home}/{name}")]
        if context.read_only:
            argv += ["--dry-run", "--chat-mode", "ask"]
        prices = _prices(model, setup)
        files = (
            (PROMPT, call.prompt),
            (PRICES, prices),
            (".aider/caches/model_prices_and_context_window.json", prices),
            (".brat/config.yml", "{}\n"),
            (".brat/models.yml", "[]\n"),
            (NOTHING, ""),
        )
        return Invocation((*argv, *setup.args), _environment(model, context), files=files, reads=(LOG,))

    def report(self, heard: Heard) -> EngineReport:
        events = [each for each in json_lines(heard.files.get(LOG, ""))]
        sent = [each.get("properties") or {} for each in events if each.get("event") == "message_send"]
        usage = Usage(
            _sum([count(each.get("prompt_tokens")) for each in sent]),
            _sum([count(each.get("completion_tokens")) for each in sent]),
            # Without prices it says 0.0, which is not known to be true.
            (number(sent[-1].get("total_cost")) or None) if sent else None,
        )
        answer = _answer(heard.stdout)
        if sent and heard.exit_code == 0:
            return EngineReport(ok=True, answer=answer, usage=usage)
        errors = [
            line for line in heard.stdout.splitlines() if line.startswith("litellm.") and "Error" in line
        ]
        said = errors[-1] if errors else heard.stderr or "the model gave no answer"
        return EngineReport(ok=False, answer=answer, error=one_line(said), usage=usage)

    def human(self, line: str) -> str:
        return line


def _model(call: EngineCall, setup: EngineSetup) -> str:
    named = call.model or setup.model or DEFAULT_MODEL
    return named if "/" in named else f"openai/{named}"


def _environment(model: str, context: Context) -> tuple[tuple[str, str], ...]:
    local = (("LITELLM_LOCAL_MODEL_COST_MAP", "True"),)
    if model.startswith("anthropic/"):
        bases = tuple((name, context.endpoint) for name in ("ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"))
        return (*bases, ("ANTHROPIC_API_KEY", context.token), *local)
    return (("OPENAI_API_BASE", f"{context.endpoint}/v1"), ("OPENAI_API_KEY", context.token), *local)


def _prices(model: str, setup: EngineSetup) -> str:
    """Never empty, or aider asks a code host for the list."""
    entry: dict[str, object] = {
        "max_input_tokens": 200000,
        "max_output_tokens": 16384,
        "litellm_provider": model.partition("/")[0],
        "mode": "chat",
        "input_cost_per_token": (setup.input_usd_per_mtok or 0.0) / 1e6,
        "output_cost_per_token": (setup.output_usd_per_mtok or 0.0) / 1e6,
    }
    return json.dumps({model: entry})


def _sum(counts: list[int | None]) -> int | None:
    known = [each for each in counts if each is not None]
    return sum(known) if known else None


def _answer(stdout: str) -> str:
    """What follows aider's own opening lines."""
    opening, _, rest = stdout.partition("Repo-map:")
    return (rest.partition("\n")[2] if rest else opening).strip()
