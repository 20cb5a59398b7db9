"""Gives pre-commit the program: hatchling calls this for the repository's root.

A release depends on its wheel. Other commits have none, so they are built with Go.
"""

import os
import shutil
import subprocess
import sys

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


def released(version):
    return ".dev" not in version


class DependencyHook(MetadataHookInterface):
    """Adds the wheel of a release as a dependency."""

    def update(self, metadata):
        metadata["dependencies"] = [f"amlfix=={metadata['version']}"] if released(metadata["version"]) else []


class ProgramHook(BuildHookInterface):
    """Adds the program of a commit that is no release."""

    def initialize(self, version, build_data):
        if released(self.metadata.version):
            return
        if not shutil.which("go"):
            sys.exit(
                f"amlfix {self.metadata.version} is not released, so it is built with Go, which is not installed: "
                "use the hook amlfix-go, for which pre-commit downloads Go"
            )
        name = "amlfix.exe" if os.name == "nt" else "amlfix"
        program = os.path.join(self.directory, name)
        build = ["go", "build", "-trimpath", "-o", program, "./cmd/amlfix"]
        subprocess.run(build, cwd=self.root, env=dict(os.environ, CGO_ENABLED="0"), check=True)
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["shared_scripts"][program] = name
