"""Keys and signatures."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest

from app.errors import OperatorError
from app.grite import (
    CommentAdded,
    Identity,
    verify,
)
from tests.grite.conftest import World, comment


def test_an_identity_is_private_kept_and_made_once(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "identity.json"
    made = Identity.ensure(path)
    assert Identity.ensure(path) == made == Identity.load(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    Identity.create().save(path)
    assert Identity.load(path) == made
    assert [file.name for file in path.parent.iterdir()] == ["identity.json"]


def test_a_private_key_is_not_shown(tmp_path: Path) -> None:
    identity = Identity.create()
    assert identity.private_key.hex() not in repr(identity)
    assert repr(identity.private_key) not in repr(identity)


def test_an_identity_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "identity.json"
    Identity.create().save(path)
    path.chmod(0o644)
    with pytest.raises(OperatorError, match="others can read it"):
        Identity.load(path)


def test_only_the_right_key_over_the_right_content_verifies(world: World) -> None:
    log = world.log()
    log.append([comment("one")])
    event = log.read().events[-1]
    key = log.identity.public_key
    assert verify(event, key)
    assert not verify(replace(event, sig=None), key)
    assert not verify(replace(event, sig=bytes(64)), key)
    assert not verify(replace(event, kind=CommentAdded("forged")), key)
    assert not verify(event, Identity.create().public_key)
