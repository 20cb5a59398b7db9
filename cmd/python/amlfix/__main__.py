"""Runs amlfix: python -m amlfix [ARGUMENT ...]"""

import os
import subprocess
import sys

from amlfix import find_program


def main() -> int:
    command = [find_program(), *sys.argv[1:]]
    if os.name == "nt":  # there, exec starts a second process and does not wait
        return subprocess.run(command).returncode
    os.execv(command[0], command)
    return 126  # not reached: execv returns only by an error


if __name__ == "__main__":
    sys.exit(main())
