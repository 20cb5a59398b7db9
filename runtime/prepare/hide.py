"""Masks the secrets in what pip, conda and git have noted about where they found packages.

The arguments are a file with the secrets, separated by NUL, a mask, and the
folders to search. It runs with Python 2.7 and 3.
"""

import io
import os
import sys

NAMES = {"direct_url.json", "origin.json", "repodata_record.json", "urls", "urls.txt"}


def noted(folder, name):
    parent = os.path.basename(folder)
    return name in NAMES or parent in (".git", "conda-meta") or parent == "cache" and name.endswith(".json")


def replacements(texts, mask):
    for text in texts:
        if len(text) >= 8:
            yield text, mask
        elif text:  # it could be part of a word, except where a URL has a password, a user or a conda token
            for before, after in ((b":", b"@"), (b"//", b"@"), (b"/t/", b"/")):
                yield before + text + after, before + mask + after


def main(secrets, mask, *tops):
    with io.open(secrets, "rb") as f:
        masked = list(replacements(f.read().split(b"\0"), mask.encode()))
    for top in tops:
        for folder, _, names in os.walk(os.path.expanduser(top)):
            for path in [os.path.join(folder, name) for name in names if noted(folder, name)]:
                if os.path.islink(path) or not os.path.isfile(path):
                    continue
                with io.open(path, "rb") as f:
                    was = f.read()
                now = was
                for text, instead in masked:
                    now = now.replace(text, instead)
                if now != was:
                    with io.open(path, "wb") as f:
                        f.write(now)


main(*sys.argv[1:])
