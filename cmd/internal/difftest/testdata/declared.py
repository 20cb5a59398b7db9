"""Holds repairs against what they declare, with the readers of YAML that Azure ML's tools use.

Reads a JSON object a line: {"id", "old", "new" (base64), "changes", "readers"}, and answers each with
{"id", "results": {reader: [verdict, detail]}}. It knows nothing of how amlfix edits or proves: the old tree
is changed as finding.Change is documented, and must then be the new one, in values, types, order and aliases.
"""
import base64
import json
import sys

import yaml
from azureml._vendor.ruamel import yaml as ruamel

sys.setrecursionlimit(5000)
LOADERS = {
    "libyaml": lambda text: yaml.compose_all(text, Loader=yaml.CSafeLoader),
    "pyyaml": lambda text: yaml.compose_all(text, Loader=yaml.SafeLoader),
    "ruamel": lambda text: ruamel.compose_all(text, Loader=ruamel.RoundTripLoader),
}
TRUE = {"yes", "true", "on"}


class Declared(Exception):
    """A change that cannot be made in the old tree as it is declared."""


class Tree:
    """A node of any reader: kind is "scalar", "list" or "map"; below holds [item] or [key, value]."""

    def __init__(self, kind, tag, value, below):
        self.kind, self.tag, self.value, self.below, self.parents = kind, str(tag), value, below, 0


def convert(node, seen):
    if id(node) in seen:
        tree = seen[id(node)]
        tree.parents += 1
        return tree
    kind = type(node).__name__
    tree = seen[id(node)] = Tree("scalar", node.tag, None, None)
    tree.parents, tree.node = 1, node  # the node is kept, so that no other one gets its id
    if kind == "ScalarNode":
        tree.value = node.value
    elif kind == "SequenceNode":
        tree.kind, tree.below = "list", [[convert(n, seen)] for n in node.value]
    else:
        tree.kind, tree.below = "map", [[convert(k, seen), convert(v, seen)] for k, v in node.value]
    return tree


def load(reader, text):
    return [convert(node, {}) for node in LOADERS[reader](text) if node is not None]


def scalar(declared):
    tag = {0: "str", 1: "bool", 2: "null", 3: "int"}[declared["Kind"]]
    return Tree("scalar", "tag:yaml.org,2002:" + tag, declared["Text"], None)


def follow(root, pointer):
    """Returns (holder, index, node); pointers lead through nothing that an alias shares, but may end at an alias."""
    at = (None, None, root)
    for token in pointer.split("/")[1:]:
        token, node = token.replace("~1", "/").replace("~0", "~"), at[2]
        if node.kind == "map":
            found = [i for i, (k, _) in enumerate(node.below) if k.kind == "scalar" and k.value == token]
            if len(found) != 1:
                raise Declared("%d entries are at %s" % (len(found), pointer))
            at = (node, found[0], node.below[found[0]][1])
        elif node.kind == "list" and int(token) < len(node.below):
            at = (node, int(token), node.below[int(token)][0])
        else:
            raise Declared("nothing is at %s" % pointer)
        if node.parents > 1:
            raise Declared("%s is shared through an alias" % pointer)
    return at


def change(roots, changes):
    """Makes the changes; all pointers mean the tree as it was before any of them."""
    places = [follow(roots[c["Document"]], c["Pointer"]) for c in changes]
    removed, after = [], {}
    for c, (holder, index, node) in zip(changes, places):
        op = c["Op"]
        if op == "set":
            if node.kind != "scalar":
                raise Declared("%s is no single value" % c["Pointer"])
            if holder is None:
                roots[c["Document"]] = scalar(c["Value"])
            else:
                holder.below[index][-1] = scalar(c["Value"])
        elif op == "rename":
            holder.below[index][0] = scalar({"Kind": 0, "Text": c["Key"]})
        elif op == "remove":
            removed.append((holder, holder.below[index]))
        elif op in ("insert", "append"):
            if node.parents > 1:
                raise Declared("%s is shared through an alias" % c["Pointer"])
            after.setdefault(id(node), (node, []))[1].append(c)
        else:
            raise Declared("the operation %s is unknown" % op)
    for node, additions in after.values():
        last, before = {}, list(node.below)
        for c in additions:
            if c["Op"] == "append":
                at = [e is before[int(c["After"])] for e in node.below].index(True) + 1 if c["After"] else len(node.below)
                node.below.insert(at, [scalar(c["Value"])])
                continue
            entry = [scalar({"Kind": 0, "Text": c["Key"]}), scalar(c["Value"])]
            at = last.get(c["After"])
            if at is None and c["After"]:
                at = [e for e in node.below if e[0].value == c["After"]][0]
            if c.get("First"):
                node.below.insert(0, entry)
                continue
            node.below.insert(len(node.below) if at is None else [e is at for e in node.below].index(True) + 1, entry)
            if c["After"]:
                last[c["After"]] = entry
    for holder, gone in removed:
        holder.below[:] = [child for child in holder.below if child is not gone]


def differ(want, got, where, pairs):
    """Returns where two trees differ, or None; pairs are those that are the same node."""
    if pairs.setdefault(("want", id(want)), got) is not got or pairs.setdefault(("got", id(got)), want) is not want:
        return "%s: an alias stands for another value" % where
    if ("compared", id(want)) in pairs:
        return None
    pairs["compared", id(want)] = True
    if want.kind != got.kind or want.tag != got.tag:
        return "%s: %s %r instead of %s %r" % (where, got.tag, got.value, want.tag, want.value)
    if want.kind == "scalar":
        same = want.value == got.value
        if want.tag.endswith(":bool"):
            same = (want.value.lower() in TRUE) == (got.value.lower() in TRUE)
        elif want.tag.endswith(":null"):
            same = True
        return None if same else "%s: %r instead of %r" % (where, got.value, want.value)
    if len(want.below) != len(got.below):
        return "%s: %d below it instead of %d" % (where, len(got.below), len(want.below))
    for i, (w, g) in enumerate(zip(want.below, got.below)):
        if want.kind == "list":
            found = differ(w[0], g[0], "%s/%d" % (where, i), pairs)
        else:
            found = differ(w[0], g[0], "%s/(key %d)" % (where, i), pairs) or differ(w[1], g[1], "%s/%s" % (where, w[0].value), pairs)
        if found:
            return found
    return None


def spliced(text, changes):
    """Returns the text with raw changes made; their offsets mean the text as it was."""
    for c in sorted(changes, key=lambda c: -c["Offset"]):
        start, old = c["Offset"], c["Old"].encode()
        if c["Op"] != "splice" or text[start : start + len(old)] != old:
            return None
        text = text[:start] + c["Value"]["Text"].encode() + text[start + len(old) :]
    return text


def judge(reader, old, new, changes):
    """Verdicts: equal; raw: bytes are as declared; unreadable: the old text; broken: only the new one; undeclared."""
    if any(c["Op"] == "splice" for c in changes):
        return ["raw", ""] if spliced(old, changes) == new else ["undeclared", "the bytes are not those declared"]
    try:
        before = load(reader, old)
    except Exception as e:
        return ["unreadable", str(e)]
    try:
        after = load(reader, new)
    except Exception as e:
        return ["broken", str(e)]
    try:
        change(before, [c for c in changes if not c["Op"].endswith("-comment")])
    except (Declared, IndexError, ValueError) as e:
        return ["undeclared", "%s" % e]
    if len(before) != len(after):
        return ["undeclared", "%d documents instead of %d" % (len(after), len(before))]
    for w, g in zip(before, after):
        found = differ(w, g, "", {})
        if found:
            return ["undeclared", found]
    return ["equal", ""]


for line in sys.stdin:
    request = json.loads(line)
    old, new = base64.b64decode(request["old"] or ""), base64.b64decode(request["new"] or "")
    results = {reader: judge(reader, old, new, request["changes"] or []) for reader in request["readers"]}
    print(json.dumps({"id": request["id"], "results": results}))
