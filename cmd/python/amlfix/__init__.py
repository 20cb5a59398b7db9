"""Checks Azure ML job configuration.

The program amlfix does the work; the wheel installs it next to Python's own
programs. This package finds the program and reads its report::

    import amlfix

    for finding in amlfix.check("."):
        print(finding.path, finding.line, finding.rule, finding.message)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from typing import Any, Dict, List, Optional

__all__ = ["AmlfixError", "Finding", "check", "find_program"]


class AmlfixError(Exception):
    """amlfix could not check the files; the text is its error message."""


@dataclass(frozen=True)
class Finding:
    """One finding in a file.

    Lines and columns are 1-based; columns count characters. ``severity`` is "error",
    "warning" or "info". ``raw`` is the finding as ``amlfix --format json`` prints it,
    with related positions and the edits of its fix.
    """

    rule: str
    severity: str
    message: str
    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    url: str
    fix: Optional[str]
    raw: Dict[str, Any]


def find_program() -> str:
    """Returns the path of the program amlfix that was installed with this package.

    Raises FileNotFoundError if there is none, for example if only the Python files
    were copied.
    """
    name = "amlfix" + (sysconfig.get_config_var("EXE") or "")
    for folder in _folders():
        path = os.path.join(folder, name)
        if os.path.isfile(path):
            return path
    raise FileNotFoundError(f"{name} is not installed beside this package: run `pip install --force-reinstall amlfix`")


def _folders() -> List[str]:
    """Returns the folders in which installers put programs, the most likely first."""
    package = os.path.dirname(os.path.abspath(__file__))
    user = "nt_user" if os.name == "nt" else "posix_user"
    return [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", scheme=user),
        os.path.join(os.path.dirname(package), "bin"),  # pip install --target
        os.path.normpath(os.path.join(package, "..", "..", "..", "..", "bin")),  # pip install --prefix
        os.path.dirname(sys.executable),
    ]


def check(path: str | os.PathLike[str] = ".", *arguments: str) -> list[Finding]:
    """Returns the findings in a file, a folder or a project, sorted by position.

    Findings that a baseline or a comment accepts are left out. ``arguments`` are
    additional arguments of ``amlfix check``, for example "--isolated", with which
    baselines and comments do not count. The check changes nothing and uses no network.
    Raises AmlfixError if the files cannot be read or an argument is invalid.
    """
    command = [find_program(), "check", "--format", "json", *arguments, "--", os.fspath(path)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if done.returncode not in (0, 1):  # there may be a report, of a part of the files
        said = done.stderr.decode("utf-8", "replace").strip()
        raise AmlfixError(said or f"amlfix ended with exit code {done.returncode}")
    report = json.loads(done.stdout.decode("utf-8"))
    return [_finding(raw) for raw in report["findings"] if "suppressed" not in raw]


def _finding(raw: Dict[str, Any]) -> Finding:
    fix = raw.get("fix")
    return Finding(
        rule=raw["rule"],
        severity=raw["severity"],
        message=raw["message"],
        path=raw["path"],
        line=raw["line"],
        column=raw["column"],
        end_line=raw["endLine"],
        end_column=raw["endColumn"],
        url=raw.get("url", ""),
        fix=fix["title"] if fix else None,
        raw=raw,
    )
