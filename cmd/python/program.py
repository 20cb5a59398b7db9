"""Puts the program of one platform into a wheel: hatchling calls this."""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProgramHook(BuildHookInterface):
    """Takes the program and the wheel's tag from the environment, see wheels.py."""

    def initialize(self, version, build_data):
        program = os.environ["AMLFIX_PROGRAM"]
        build_data["pure_python"] = False
        build_data["tag"] = os.environ["AMLFIX_TAG"]
        build_data["shared_scripts"][program] = os.path.basename(program)
