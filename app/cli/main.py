"""The tree of commands, the global options, and how errors reach a person."""

from __future__ import annotations

import codecs
import gc
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from app import __version__
from app.cli.call import SCHEMA_VERSION, Call
from app.cli.commands import register
from app.cli.failures import defect_text, machine_error, with_disk
from app.cli.help import Group
from app.errors import BratError, Defect, UserError

__all__ = ["main", "program"]

INTERRUPTED = 130
PIPE_CLOSED = 141

program = typer.Typer(
    name="brat",
    cls=Group,
    help="Plan a change, have coding agents work on it in parallel, land what was tested.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        print(f"brat {__version__}")
        raise typer.Exit


@program.callback()
def _options(
    context: typer.Context,
    repo: Annotated[
        Path, typer.Option("--repo", "-C", help="The repository to work on.", show_default="here")
    ] = Path(),
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON document.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print results and errors only.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    if not isinstance(context.obj, Call):
        context.obj = Call(repo.resolve(), as_json, quiet)
    else:
        context.obj.repo, context.obj.json, context.obj.quiet = repo.resolve(), as_json, quiet


register(program)


def main(argv: Sequence[str] | None = None, *, call: Call | None = None) -> int:
    """Run one command; the exit codes are in docs/cli.md. Console scripts and tests come in here."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    call = call or Call()
    _never_choke()
    # By default every 700 new objects, which is a tenth of the time it takes to import what a command needs.
    gc.set_threshold(20_000)
    try:
        status = program(args=_json_anywhere(arguments), standalone_mode=False, obj=call)
    except BratError as error:
        _tell(with_disk(error, call.repo), as_json="--json" in arguments)
        status = error.exit_code
    except typer.Exit as end:
        status = end.exit_code
    except (typer.Abort, KeyboardInterrupt):
        print("Aborted.", file=sys.stderr)
        status = INTERRUPTED
    except BrokenPipeError:
        status = PIPE_CLOSED
    except Exception as error:
        status = _unexpected(error, as_json="--json" in arguments)
    return status if isinstance(status, int) else 0


def _never_choke() -> None:
    """A letter that the terminal cannot show becomes a question mark and no traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # In the C locale Python lets bytes through but no letter beyond ASCII.
            ascii_only = codecs.lookup(stream.encoding).name == "ascii"
            if stream.errors == "strict" or (ascii_only and stream.errors == "surrogateescape"):
                stream.reconfigure(errors="replace")


def _unexpected(error: Exception, *, as_json: bool) -> int:
    """A wrong use of the command, a refusal of the machine, or a mistake of ours."""
    if hasattr(error, "show") and hasattr(error, "exit_code"):
        if as_json:
            _tell(_wrong_use(error), as_json=True)
        else:
            error.show()
        return int(error.exit_code)
    told = machine_error(error) if isinstance(error, OSError) else None
    if told is None:
        print(defect_text(error), file=sys.stderr)
        return Defect.exit_code
    _tell(told, as_json=as_json)
    return told.exit_code


def _wrong_use(error: Exception) -> UserError:
    """Typer's own refusal as one of ours; of a help text only its first line."""
    words = str(error.format_message()) if hasattr(error, "format_message") else str(error)
    context = getattr(error, "ctx", None)
    return UserError(words.partition("\n")[0], remedy=f"{context.command_path if context else 'brat'} -h")


def _json_anywhere(arguments: list[str]) -> list[str]:
    """`brat status --json` and `brat --json status` are the same."""
    before, separator, after = arguments, [], []
    if "--" in arguments:
        at = arguments.index("--")
        before, separator, after = arguments[:at], ["--"], arguments[at + 1 :]
    if "--json" not in before:
        return arguments
    return ["--json", *(each for each in before if each != "--json"), *separator, *after]


def _tell(error: BratError, *, as_json: bool) -> None:
    """Place, reason and remedy; on standard error for people, as a document for programs."""
    if as_json:
        told = {"reason": error.reason, "place": error.place, "remedy": error.remedy}
        print(json.dumps({"schema_version": SCHEMA_VERSION, "error": told}, indent=2, ensure_ascii=False))
    else:
        print(f"brat: {error}", file=sys.stderr)
