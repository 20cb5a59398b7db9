#!/usr/bin/env python3
"""Makes the wheels of a release from its programs: wheels.py VERSION DIST OUT

DIST is goreleaser's folder, which holds a folder for each platform, for example
amlfix_linux_amd64_v1. The same programs give the same wheels, byte for byte.
Needs hatchling, in the version that pyproject.toml names.
"""

import glob
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# Programs are static, so a wheel for Linux is right for glibc and for musl. Go 1.26
# needs macOS 12: https://go.dev/doc/go1.26#darwin
PLATFORMS = {
    "linux_amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "linux_arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "darwin_amd64": "macosx_12_0_x86_64",
    "darwin_arm64": "macosx_12_0_arm64",
    "windows_amd64": "win_amd64",
    "windows_arm64": "win_arm64",
}


def main(version, dist, out):
    with tempfile.TemporaryDirectory() as folder:
        source = shutil.copytree(HERE, os.path.join(folder, "amlfix"), ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(os.path.join(HERE, "..", "..", "LICENSE"), source)
        make(version, dist, out, source)


def make(version, dist, out, source):
    found = 0
    for platform, tags in PLATFORMS.items():
        programs = glob.glob(os.path.join(dist, f"amlfix_{platform}*", "amlfix*"))
        if not programs:
            continue
        if len(programs) > 1:
            sys.exit(f"wheels.py: several programs for {platform}: {', '.join(programs)}")
        found += 1
        environment = dict(
            os.environ,
            AMLFIX_VERSION=version,
            AMLFIX_PROGRAM=os.path.abspath(programs[0]),
            AMLFIX_TAG=f"py3-none-{tags}",
        )
        build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", os.path.abspath(out)]
        subprocess.run(build, cwd=source, env=environment, check=True)
    if not found:
        sys.exit(f"wheels.py: no programs in {dist}; expected folders such as amlfix_linux_amd64_v1")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
