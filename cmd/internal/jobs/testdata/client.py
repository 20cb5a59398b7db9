"""Asks a server of MLflow with MLflow's own client, which takes a second to import: client.py SERVER FOLDER.

Each line is a list of a function's name and its arguments; the answer is a line of JSON. The folder holds readback.py.
"""
import json
import sys

import mlflow

sys.path.insert(0, sys.argv[2])
import readback

mlflow.set_tracking_uri(sys.argv[1])
client = mlflow.MlflowClient()


def new(parent):
    return client.create_run("0", tags={"mlflow.parentRunId": parent}).info.run_id


def found(run):
    return readback.found(client, run)


def document(run, path):
    return json.loads(mlflow.artifacts.load_text(f"runs:/{run}/{path}"))


def registered():
    """The versions of a model, and what the last one predicts."""
    versions = client.search_model_versions("name='doubles'")
    return [[[v.version, v.run_id, v.tags] for v in versions], list(mlflow.pyfunc.load_model("models:/doubles/1").predict([1.5]))]


for line in sys.stdin:
    name, *arguments = json.loads(line)
    print(json.dumps(globals()[name](*arguments)), flush=True)
