"""Prints, as JSON, what the client of MLflow itself finds of a run: readback.py SERVER RUN."""
import json
import sys

from mlflow.tracking import MlflowClient


def files(client, run, path=None):
    for entry in client.list_artifacts(run, path):
        if entry.is_dir:
            yield from files(client, run, entry.path)
        else:
            yield entry.path, entry.file_size


def found(client, name):
    run = client.get_run(name)
    return {
        "experiment": client.get_experiment(run.info.experiment_id).name,
        "name": run.info.run_name,
        "status": run.info.status,
        "start": run.info.start_time,
        "end": run.info.end_time,
        "params": run.data.params,
        "tags": {k: v for k, v in run.data.tags.items() if k != "mlflow.user"},
        "metrics": {k: [[repr(m.value), m.step, m.timestamp] for m in client.get_metric_history(name, k)] for k in run.data.metrics},
        "artifacts": dict(files(client, name)),
    }


if __name__ == "__main__":
    json.dump(found(MlflowClient(sys.argv[1]), sys.argv[2]), sys.stdout)
