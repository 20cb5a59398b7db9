"""Hands files to the vendor's own readers and tells what they say.

Reads one JSON request a line, {"kind", "path"}, from standard input and writes one JSON answer a line, {"accepted",
"faults": [{"path", "message"}], "warnings", "values"}, to standard output. kind is what the file is to be read as:
job, environment, compute (azure-ai-ml) or runconfig (azureml-core; path is the file, in its project's .azureml or
aml_config folder). Sockets are shut first: what passes here, passes without a network, a login or a workspace.
"""
import json
import logging
import os
import socket
import sys
import warnings


def refuse(*_args, **_kwargs):
    raise OSError("the judge has no network")


socket.socket.connect = refuse
socket.getaddrinfo = refuse
os.environ["AZURE_ML_CLI_PRIVATE_FEATURES_ENABLED"] = "false"
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
answers, sys.stdout = sys.stdout, sys.stderr  # libraries print, too


def read_v2(load, path):
    """What azure-ai-ml makes of a file: its schema, and for jobs its checks on the client's side."""
    entity = load(path)
    faults, notes = [], []
    if hasattr(entity, "_validate"):
        result = entity._validate()._to_dict()
        faults = [{"path": e.get("path") or "", "message": e.get("message") or ""} for e in result.get("errors", [])]
        notes = [w.get("message") or "" for w in result.get("warnings", [])]
    return {"accepted": not faults, "faults": faults, "warnings": notes, "values": {"class": type(entity).__name__}}


def job(path):
    from azure.ai.ml import load_job

    return read_v2(load_job, path)


def environment(path):
    from azure.ai.ml import load_environment

    return read_v2(load_environment, path)


def compute(path):
    from azure.ai.ml import load_compute

    return read_v2(load_compute, path)


def runconfig(path):
    """What azureml-core makes of a run configuration: all its settings, as it would write them."""
    from azureml.core.runconfig import RunConfiguration
    from azureml.core._serialization_utils import _serialize_to_dict

    folder, name = os.path.split(os.path.abspath(path))
    config = RunConfiguration.load(os.path.dirname(folder), os.path.splitext(name)[0])
    return {"accepted": True, "faults": [], "warnings": [], "values": _serialize_to_dict(config)}


KINDS = {f.__name__: f for f in (job, environment, compute, runconfig)}

for line in sys.stdin:
    request = json.loads(line)
    try:
        answer = KINDS[request["kind"]](request["path"])
    except Exception as e:  # pylint: disable=broad-except  # whatever a reader raises is its refusal
        answer = {"accepted": False, "faults": [{"path": "", "message": f"{type(e).__name__}: {e}"}], "warnings": [], "values": {}}
    answers.write(json.dumps(answer, default=str) + "\n")
    answers.flush()
