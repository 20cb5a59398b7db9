"""Passes files to the vendor's own parsers and prints their results.

Reads one JSON request per line, {"kind", "path", "given"}, from standard input and writes one JSON response per line,
{"accepted", "faults": [{"path", "message"}], "warnings", "values"}, to standard output. kind is what the file is read
as: job, environment, compute (azure-ai-ml), runconfig (azureml-core; path is the file, in its project's .azureml or
aml_config folder), or any loader of azure-ai-ml, load_NAME: these also build the request to the service, as far as that
needs no workspace. given are the keys that come from the command line. Sockets are disabled first: what passes here
passes without a network, a login or a workspace.
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
answers, sys.stdout = sys.stdout, sys.stderr  # libraries also print


def read_v2(load, path):
    """Validates a file with azure-ai-ml: its schema and, for jobs, its client-side checks."""
    entity = load(path)
    faults, notes = [], []
    if hasattr(entity, "_validate"):
        try:
            result = entity._validate()
        except NotImplementedError:  # a monitor's schedule
            result = None
        result = result._to_dict() if hasattr(result, "_to_dict") else {}  # others raise exceptions
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
    """Reads a run configuration with azureml-core and returns all settings, as it would write them."""
    from azureml.core.runconfig import RunConfiguration
    from azureml.core._serialization_utils import _serialize_to_dict

    folder, name = os.path.split(os.path.abspath(path))
    config = RunConfiguration.load(os.path.dirname(folder), os.path.splitext(name)[0])
    return {"accepted": True, "faults": [], "warnings": [], "values": _serialize_to_dict(config)}


def loader(name, path, given):
    """Processes a file as `az ml` does before it sends anything."""
    from azure.ai.ml import entities as e
    from azure.ai.ml.entities import _load_functions
    from azure.ai.ml.entities._job.sweep.sweep_job import SweepJob

    load = getattr(_load_functions, name)
    kept = []

    def loaded(path):
        kept.append(load(path, params_override=[{key: value} for key, value in given.items()]))
        return kept[0]

    answer = read_v2(loaded, path)
    if answer["accepted"] and isinstance(kept[0], (e.CommandJob, e.Command, SweepJob, e.Spark, e.SparkJob)):
        job = kept[0]._to_job() if hasattr(kept[0], "_to_job") else kept[0]
        job._to_rest_object()
    return answer


KINDS = {f.__name__: f for f in (job, environment, compute, runconfig)}

for line in sys.stdin:
    request = json.loads(line)
    try:
        if request["kind"].startswith("load_"):
            answer = loader(request["kind"], request["path"], request.get("given") or {})
        else:
            answer = KINDS[request["kind"]](request["path"])
    except Exception as e:  # pylint: disable=broad-except  # any exception means that the parser rejects the file
        answer = {"accepted": False, "faults": [{"path": "", "message": f"{type(e).__name__}: {e}"}], "warnings": [], "values": {}}
    answers.write(json.dumps(answer, default=str) + "\n")
    answers.flush()
