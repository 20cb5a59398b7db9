"""Writes what a script logs to the file that AMLFIX_METRICS names, one JSON object a line.

The format is described in amlfix's package runtime/shim. Nothing here may end the job: what cannot be written is reported once.
"""
from __future__ import absolute_import

import json
import math
import numbers
import os
import sys
import time

try:
    _text = unicode
except NameError:
    _text = str

_warned = []


def record(name, value):
    """Append one metric. Several processes may write to the same file: a line is one write at the file's end."""
    path = os.environ.get("AMLFIX_METRICS")
    if not path:
        return
    try:
        line = '{"t": %r, "name": %s, "value": %s}\n' % (time.time(), json.dumps(_string(name)), json.dumps(plain(value)))
        folder = os.path.dirname(path)
        if folder and not os.path.isdir(folder):
            os.makedirs(folder)
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        out = os.open(path, flags, 0o666)
        try:
            os.write(out, line.encode("ascii"))
        finally:
            os.close(out)
    except Exception as problem:
        if not _warned:
            _warned.append(problem)
            sys.stderr.write("amlfix: metrics cannot be recorded: %s\n" % (problem,))


def plain(value, depth=0):
    """Return value as a number, a string or a list of these, whatever library it comes from."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (bytes, _text)):
        return _string(value)
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real) or type(value).__name__ == "Decimal":
        return _number(float(value))
    if value is None or depth > 8:
        return _string(value)
    if isinstance(value, dict):
        return [[_string(k), plain(v, depth + 1)] for k, v in value.items()]
    for method in ("tolist", "numpy"):  # arrays of NumPy and pandas, tensors
        if callable(getattr(value, method, None)):
            return plain(getattr(value, method)(), depth + 1)
    if hasattr(value, "__iter__"):
        return [plain(v, depth + 1) for v in value]
    return _string(value)


def _number(value):
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return value


def _string(value):
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value if isinstance(value, _text) else _text(value)
