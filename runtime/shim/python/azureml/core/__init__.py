"""What scripts use of azureml.core while they run: the class Run."""
from __future__ import absolute_import

from .run import Run

__all__ = ["Run"]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise ImportError("amlfix provides only azureml.core.Run: for %s install azureml-core in the job's environment" % name)
