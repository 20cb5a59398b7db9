"""Passes task files to SkyPilot's own parser and prints its results.

Reads one JSON request per line, {"path", "folder", "whole"}, from standard input and writes one JSON response per line,
{"accepted", "faults": [{"path", "message"}], "values"}, to standard output. folder is where sky is started: relative
paths start there. whole also checks the local files that are named. Sockets are disabled first. SkyPilot fetches its
catalog of accelerators from the network, and the package has none: the names that the package itself knows for Azure
and for common GPUs replace it, and any other name is rejected.
"""
import json
import logging
import os
import socket
import sys
import tempfile

home = tempfile.mkdtemp()
os.environ.update(HOME=home, SKY_RUNTIME_DIR=home, SKYPILOT_DISABLE_USAGE_COLLECTION="1", SKYPILOT_DEBUG="0")


def refuse(*_args, **_kwargs):
    raise OSError("the judge has no network")


socket.socket.connect = refuse
socket.getaddrinfo = refuse
answers, sys.stdout = sys.stdout, sys.stderr  # libraries also print
logging.disable(logging.CRITICAL)

from sky import catalog  # noqa: E402  after the network is shut
from sky.catalog import common  # noqa: E402
from sky.catalog.data_fetchers import fetch_azure  # noqa: E402
from sky.utils import common_utils, dag_utils  # noqa: E402

common_utils.get_git_commit = lambda _path: None  # only metadata of the task, but a process each time

names = sorted(set(fetch_azure.FAMILY_NAME_TO_SKYPILOT_GPU_NAME.values()) | set(catalog.get_common_gpus()))
table = common.get_catalog_path("common/accelerators.csv")
os.makedirs(os.path.dirname(table))
with open(table, "w", encoding="utf-8") as f:
    f.write("AcceleratorName,Clouds\n" + "".join(f"{name},['Azure']\n" for name in names))


def read(request):
    os.chdir(request["folder"])
    dag = dag_utils.load_dag_from_yaml(request["path"])
    assert dag.is_chain()
    values = []
    for task in dag.tasks:
        task.validate(skip_file_mounts=not request["whole"], skip_workdir=not request["whole"])
        resources = list(task.resources)
        assert len(resources) == 1
        r = resources[0]
        for name in r.accelerators or {}:
            assert name in names, f"no accelerator is called {name}"
        for store in (task.storage_mounts or {}).values():
            store._validate_storage_spec(store.name)  # as it does once a machine exists
        stores = {at: {"name": s.name, "source": s.source, "mode": s.mode.value} for at, s in (task.storage_mounts or {}).items()}
        values.append({
            "name": task.name, "run": task.run, "setup": task.setup, "nodes": task.num_nodes, "workdir": task.workdir,
            "envs": task.envs, "secrets": sorted(ref.name for ref in task.managed_secret_refs), "mounts": task.file_mounts or {},
            "buckets": stores, "accelerators": r.accelerators, "cpus": r.cpus, "memory": r.memory, "spot": r.use_spot,
            "image": r.extract_docker_image(), "options": (r.cluster_config_overrides or {}).get("docker", {}).get("run_options"),
        })
    return {"accepted": True, "faults": [], "values": {"name": dag.name, "tasks": values}}


for line in sys.stdin:
    try:
        answer = read(json.loads(line))
    except BaseException as e:  # pylint: disable=broad-except  # any exception means that the parser rejects the file
        answer = {"accepted": False, "faults": [{"path": "", "message": f"{type(e).__name__}: {e}"}], "values": {}}
    answers.write(json.dumps(answer, default=str) + "\n")
    answers.flush()
