"""Whole demos in temporary folders, with agents that do not pause."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.board import Convoy
from app.demo import Sample, Show, Stage
from app.ports import Operator
from app.runner import probe
from app.wiring import Surroundings, open_workshop

PARTS = Sample(Path()).parts


def sample_in(folder: Path, *, parts: Path = PARTS) -> Sample:
    """A demo's sample as `make demo` makes it here, but at full speed."""
    isolation = "bwrap" if probe(Operator(isolation="bwrap")).works else "process"
    return Sample(folder, isolation=isolation, parts=parts, pace=0.0)


def play(sample: Sample) -> int:
    """The exit code of the whole demo."""
    return Show(sample, Stage()).run()


def convoy_of(sample: Sample) -> Convoy:
    """The one convoy of a demo, from its log."""
    (convoy,) = open_workshop(sample.repo, Surroundings(sample.environ, Path.home())).view()[0].convoys
    return convoy


@pytest.fixture
def sample(tmp_path: Path) -> Sample:
    return sample_in(tmp_path)
