"""What Python itself says about the arguments of scripts, one JSON request a line.

{"read": PATH} is answered with all add_argument calls that the module ast finds in the file: their names where these are
literal, what they say else, and how many parsers are made. {"run": SCRIPT, "words": [...]} runs the text of a script
with a command line, and is answered with its exit status.
"""
import ast
import contextlib
import io
import json
import sys


def literal(node):
    try:
        return ast.literal_eval(node)
    except Exception:
        return None


def kind(node):
    name = getattr(node, "id", "") if node else "str"
    return name if name in ("int", "float", "str") else ""


def read(path):
    try:
        with open(path, encoding="utf-8-sig") as f:
            tree = ast.parse(f.read())
    except Exception as e:
        return {"error": str(e)}
    parsers, found = 0, []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        parsers += name == "ArgumentParser"
        if name != "add_argument" or not isinstance(node.func, ast.Attribute):
            continue
        keys = {k.arg: k.value for k in node.keywords if k.arg}
        names = [a.value if isinstance(a, ast.Constant) and isinstance(a.value, str) else None for a in node.args]
        if not names:
            names = [literal(keys["dest"]) if "dest" in keys else None]
        choices = literal(keys["choices"]) if "choices" in keys else None
        if not isinstance(choices, (list, tuple)) or not all(type(c) in (str, int) for c in choices) or any(type(c) is int and c < 0 for c in choices):
            choices = None
        action = literal(keys["action"]) if "action" in keys else "store"
        nargs = literal(keys["nargs"]) if "nargs" in keys else None
        found.append({
            "line": node.lineno, "names": names, "type": kind(keys.get("type")),
            "required": literal(keys["required"]) is True if "required" in keys else False,
            "choices": [str(c) for c in choices] if choices else None,
            "none": action in ("store_const", "append_const", "store_true", "store_false", "count", "version", "help"), "nargs": str(nargs or ""),
        })
    return {"parsers": parsers, "arguments": sorted(found, key=lambda a: a["line"])}


def run(script, words):
    sys.argv = ["script.py", *words]
    try:
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            exec(compile(script, "script.py", "exec"), {"__name__": "__main__"})
    except SystemExit as e:
        return {"status": e.code or 0}
    return {"status": 0}


for line in sys.stdin:
    request = json.loads(line)
    answer = read(request["read"]) if "read" in request else run(request["run"], request["words"])
    print(json.dumps(answer), flush=True)
