"""The logger of Azure ML Workbench, as far as scripts used it: get_azureml_logger().log(name, value)."""
from __future__ import absolute_import

from ._amlfix_metrics import record


class Logger(object):
    """Logs to the record of the run."""

    def log(self, name, value):
        """Log a number, a string, a list or an array."""
        record(name, value)


_logger = Logger()


def get_azureml_logger():
    """Return the logger of this run."""
    return _logger
