"""The run as a script sees it: what it logs goes to the record of the run, its files go to outputs/."""
from __future__ import absolute_import

import json
import os
import shutil
import sys

from .._amlfix_metrics import plain, record

_root = os.getcwd()  # the job's working folder, before the script goes elsewhere


class Run(object):
    """The run of the script that is being executed. Run.get_context() returns it."""

    _current = None

    @classmethod
    def get_context(cls, *_, **__):
        """Return the run of this process."""
        if Run._current is None:
            Run._current = Run()
        return Run._current

    def __init__(self, *_, **__):
        self._metrics = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    @property
    def id(self):
        """The run's id."""
        return os.environ.get("AMLFIX_RUN_ID", "")

    @property
    def run_id(self):
        """The run's id."""
        return self.id

    def log(self, name, value, description="", step=None):
        """Log a number or a string."""
        self._log(name, value)

    def log_list(self, name, value, description=""):
        """Log a list or an array."""
        self._log(name, value)

    def log_row(self, name, description=None, **kwargs):
        """Log one row of a table: each column is the metric name/column."""
        for column, value in kwargs.items():
            self._log("%s/%s" % (name, column), value)

    def log_table(self, name, value, description=""):
        """Log a table, a dictionary of columns: each column is the metric name/column."""
        for column, values in value.items():  # which may be called name, too
            self._log("%s/%s" % (name, column), values)

    def log_image(self, name, path=None, plot=None, description=""):
        """Keep a picture, a file or a plot of matplotlib, in outputs/ and log its path."""
        if path is None:
            kept = self._place("%s.png" % name)
            (plot or __import__("matplotlib.pyplot").pyplot).savefig(os.path.join(_root, kept))
        else:
            kept = self._keep(name + os.path.splitext(path)[1], path)
        self._log(name, kept)

    def log_confusion_matrix(self, name, value, description=""):
        """Log a confusion matrix as JSON text."""
        self._log_document(name, value)

    def log_accuracy_table(self, name, value, description=""):
        """Log an accuracy table as JSON text."""
        self._log_document(name, value)

    def log_residuals(self, name, value, description=""):
        """Log residuals as JSON text."""
        self._log_document(name, value)

    def log_predictions(self, name, value, description=""):
        """Log predictions as JSON text."""
        self._log_document(name, value)

    def tag(self, key, value=None):
        """Log a tag as a string."""
        self._log(key, "" if value is None else str(value))

    def set_tags(self, tags):
        """Log tags as strings."""
        for key, value in tags.items():
            self.tag(key, value)

    def add_properties(self, properties):
        """Log properties as strings."""
        self.set_tags(properties)

    def get_metrics(self, name=None, *_, **__):
        """Return what this process has logged: a value, or the list of values of a name logged more than once."""
        found = {k: v[0] if len(v) == 1 else v for k, v in self._metrics.items()}
        return found if name is None else {k: v for k, v in found.items() if k == name}

    def upload_file(self, name, path_or_stream, *_, **__):
        """Keep a file in outputs/, from where it comes back after the run."""
        if hasattr(path_or_stream, "read"):
            with open(os.path.join(_root, self._place(name)), "wb") as out:
                shutil.copyfileobj(path_or_stream, out)
        else:
            self._keep(name, path_or_stream)

    def upload_folder(self, name, path, *_, **__):
        """Keep the files of a folder in outputs/, from where they come back after the run."""
        for folder, _, files in os.walk(path):
            for file in files:
                full = os.path.join(folder, file)
                self._keep(os.path.join(name, os.path.relpath(full, path)), full)

    def flush(self, *_, **__):
        """Nothing waits to be written."""

    def complete(self, *_, **__):
        """The run ends with its process."""

    def fail(self, error_details=None, *_, **__):
        """Say why the script calls the run failed; its exit code decides."""
        sys.stderr.write("amlfix: the script calls this run failed%s\n" % ("" if error_details is None else ": %s" % (error_details,)))

    def __getattr__(self, name):
        raise AttributeError("amlfix provides a Run that only logs and keeps files: for Run.%s install azureml-core in the job's environment" % name)

    def _log(self, name, value):
        self._metrics.setdefault(name, []).append(value)
        record(name, value)

    def _log_document(self, name, value):
        self._log(name, value if isinstance(value, str) else json.dumps(value, default=plain))

    def _place(self, name):
        """Return the path in outputs/ for a name, relative to the working folder; its folder is made."""
        parts = [p for p in name.replace("\\", "/").split("/") if p not in ("", os.curdir, os.pardir)]
        if parts[:1] != ["outputs"]:
            parts.insert(0, "outputs")
        folder = os.path.join(_root, *parts[:-1])
        if not os.path.isdir(folder):
            os.makedirs(folder)
        return "/".join(parts)

    def _keep(self, name, path):
        """Copy a file to its place in outputs/, unless it is there, and return that."""
        place = self._place(name)
        if os.path.realpath(os.path.join(_root, place)) != os.path.realpath(path):
            shutil.copyfile(path, os.path.join(_root, place))
        return place
