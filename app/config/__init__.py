"""`.brat/config.toml`: what a repository wants to happen, checked strictly and passed on as frozen values.

A settings file goes text → `read` (TOML, then a pydantic model, all problems in one `ConfigError` with line
and column) → `Config`. The models are the only list of keys: JSON Schema for editors, the table in the docs
and "did you mean" all come from them. A key that belongs to the operator is refused with the reason; a key of
the Rust tool's file is answered with what it became, and `migrate` rewrites such a file.

    config = parse_config('[engine.tests]\\ntype = "aider"\\nmodel = "gpt-4o"\\n')
    config.engine_for("tests")   # EngineChoice(type="aider", model="gpt-4o")
    config.engine_for("docs")    # EngineChoice(type="claude-code", model=None)
"""

from app.config.fields import Duration, EngineName, ModelName, Size, Table, Usd, refuse, shown
from app.config.freezing import Freeze, FreezeCron, FreezeSpan, zone_of
from app.config.legacy import LEGACY, Became
from app.config.migrate import Migration, migrate
from app.config.names import (
    DEFAULT_ENGINE,
    ENGINES,
    KINDS,
    OPERATOR_KEYS,
    OPERATOR_TABLES,
    PROTECTED,
    UNAVAILABLE_ENGINES,
    EngineType,
    nearest,
    nearest_engine,
)
from app.config.parse import parse_config, schema
from app.config.places import KeyPath
from app.config.problems import Answer, Problem
from app.config.quantity import format_duration, format_size, parse_duration, parse_size
from app.config.reading import Document, read
from app.config.schema import Row, file_schema, key_rows, key_table, known_keys
from app.config.starter import propose_checks, starter
from app.config.values import (
    STRATEGIES,
    AgentCi,
    Approval,
    Approvals,
    Budget,
    Config,
    Detail,
    EngineChoice,
    Interventions,
    LandBy,
    LogPolicy,
    Lowered,
    MayorPolicy,
    Planner,
    RefineryPolicy,
    Strategy,
    SwarmPolicy,
    Target,
    Update,
)

__all__ = [
    "DEFAULT_ENGINE",
    "ENGINES",
    "KINDS",
    "LEGACY",
    "OPERATOR_KEYS",
    "OPERATOR_TABLES",
    "PROTECTED",
    "STRATEGIES",
    "UNAVAILABLE_ENGINES",
    "AgentCi",
    "Answer",
    "Approval",
    "Approvals",
    "Became",
    "Budget",
    "Config",
    "Detail",
    "Document",
    "Duration",
    "EngineChoice",
    "EngineName",
    "EngineType",
    "Freeze",
    "FreezeCron",
    "FreezeSpan",
    "Interventions",
    "KeyPath",
    "LandBy",
    "LogPolicy",
    "Lowered",
    "MayorPolicy",
    "Migration",
    "ModelName",
    "Planner",
    "Problem",
    "RefineryPolicy",
    "Row",
    "Size",
    "Strategy",
    "SwarmPolicy",
    "Table",
    "Target",
    "Update",
    "Usd",
    "file_schema",
    "format_duration",
    "format_size",
    "key_rows",
    "key_table",
    "known_keys",
    "migrate",
    "nearest",
    "nearest_engine",
    "parse_config",
    "parse_duration",
    "parse_size",
    "propose_checks",
    "read",
    "refuse",
    "schema",
    "shown",
    "starter",
    "zone_of",
]
