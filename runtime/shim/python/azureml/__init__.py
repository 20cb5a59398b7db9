"""Put by amlfix on the path of a job whose script was written for Azure ML.

It must run on every Python from 2.7 on. PYTHONPATH comes before the installed packages, so this package is found first:
it hands over to an installed azureml, whose modules win, and provides only those that are missing there.
"""
import os
import sys

_here = os.path.dirname(os.path.abspath(__file__))
_installed = []
for _folder in sys.path:
    _folder = os.path.join(os.path.abspath(_folder or os.curdir), "azureml")
    if os.path.isfile(os.path.join(_folder, "_amlfix_metrics.py")):  # this package, or another copy of it
        continue
    if os.path.isdir(_folder) and _folder not in _installed:
        _installed.append(_folder)
__path__ = _installed + [_here]
for _folder in _installed:
    _file = os.path.join(_folder, "__init__.py")
    if os.path.isfile(_file):
        __file__ = _file
        with open(_file, "rb") as _text:
            exec(compile(_text.read(), _file, "exec"), globals())
        break
__path__ = [_folder for _folder in __path__ if os.path.realpath(_folder) != os.path.realpath(_here)] + [_here]
