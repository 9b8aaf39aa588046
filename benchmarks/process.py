"""What Linux knows of a process: https://man7.org/linux/man-pages/man5/proc.5.html."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["cpu_s", "memory_mb"]


def cpu_s(pid: int, *, children: bool = False) -> float:
    """User and system time of all its threads, in seconds; with `children` of those it waited for, too."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11 : 15 if children else 13])) / os.sysconf("SC_CLK_TCK")


def memory_mb(pid: int, *, most: bool = False) -> float:
    """What of it lies in memory; with `most` the most that ever did."""
    name = "VmHWM:" if most else "VmRSS:"
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024
