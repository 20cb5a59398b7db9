"""Started by amlfix on a node of the cluster, as the program that YARN runs: it runs the job's script as the same Python
would anywhere else, and keeps what the script prints and leaves in outputs/ in the cluster's file system, however the
script ends. It must run on every Python from 2.7 on.

YARN has put the project into the working folder. .amlfix/job.json says what is to be done: "store" is the folder in the
cluster's file system, "argv" the script and its arguments, "entries" what is in the project's root, "env" variables.
"""
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import threading
import time

OWN = ".amlfix"  # amlfix's own folder
REST = ".amlfix-rest"  # contains what cannot be sent under its own name
LOOK = 2.0  # seconds between two checks for whether the script should stop
HARDER = 10.0  # seconds from one way to end the script to the next, harder one


class Store:
    """The run's folder in the cluster's file system, reached through Spark's own Java process."""

    def __init__(self, folder):
        from pyspark.java_gateway import launch_gateway

        jvm = launch_gateway().jvm
        conf = jvm.org.apache.spark.deploy.SparkHadoopUtil.get().newConfiguration(jvm.org.apache.spark.SparkConf())
        self.files = jvm.org.apache.hadoop.fs.FileSystem.newInstance(conf)
        self.java, self.folder = jvm.org.apache.hadoop.fs.Path, folder

    def path(self, name):
        return self.java(self.folder + "/" + name)

    def has(self, name):
        return self.files.exists(self.path(name))

    def mark(self, name):
        self.files.create(self.path(name), True).close()

    def keep(self, local, name):
        """Copies a file there, completely or not at all."""
        self.files.delete(self.path(name), False)
        self.files.copyFromLocalFile(False, True, self.java("file://" + os.path.abspath(local)), self.path(name + ".part"))
        self.files.rename(self.path(name + ".part"), self.path(name))


def say(text):
    sys.stderr.write("amlfix: " + text + "\n")
    sys.stderr.flush()


def attempt(what, do, *args):
    """Does something optional; returns None if it fails."""
    try:
        return do(*args)
    except Exception as e:
        say("%s: %s" % (what, str(e).strip().split("\n")[0]))


def own(name, source):
    """Replaces YARN's link to a shared file or folder with a copy that the script may write."""
    source = os.path.abspath(source)
    source = os.path.join(os.path.realpath(os.path.dirname(source)), os.path.basename(source))
    if os.path.islink(name):
        source = os.path.realpath(name)
        os.unlink(name)
    if os.path.islink(source):
        os.symlink(os.readlink(source), name)
        return
    if not os.path.isdir(source):
        shutil.copy2(source, name)
        os.chmod(name, os.stat(name).st_mode | 0o600)
        return
    shutil.copytree(source, name, symlinks=True)
    for folder, _, files in os.walk(name):
        for path in [folder] + [os.path.join(folder, f) for f in files]:
            if not os.path.islink(path):
                os.chmod(path, os.stat(path).st_mode | 0o600)


def pump(source, shown, kept):
    """Passes on what the script prints, as it comes, and keeps it."""
    copy = attempt("what the script prints cannot be kept", open, kept, "wb")

    def keeping(piece):
        copy.write(piece)
        copy.flush()

    writers = {"kept": keeping if copy else None, "shown": lambda piece: os.write(shown, piece)}
    while True:
        piece = os.read(source.fileno(), 65536)
        if not piece:
            return
        for name in sorted(writers):  # a script must not wait for a full disk
            try:
                if writers[name]:
                    writers[name](piece)
            except (IOError, OSError) as e:
                writers[name] = None
                attempt("", say, "what the script prints is not %s any more: %s" % (name, e))


def raw(value):
    return value.encode("utf-8")  # whatever the node's locale is


def obey():
    for number in (signal.SIGINT, signal.SIGTERM):  # even if the shells that started this ignore them
        signal.signal(number, signal.SIG_DFL)


def start(job):
    env = dict(getattr(os, "environb", os.environ))  # Python 2 has bytes there
    for name, value in job["env"].items():
        env[raw(name)] = raw(value)
    provided = raw(os.path.abspath(os.path.join(OWN, "python")))
    env[b"PYTHONPATH"] = b":".join([p for p in (env.get(b"PYTHONPATH"), provided) if p])
    env[b"AMLFIX_METRICS"] = raw(os.path.abspath(os.path.join(OWN, "metrics.jsonl")))
    return subprocess.Popen(
        [sys.executable] + [raw(a) for a in job["argv"]], env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=obey)


def watch(child, store):
    """Waits for the script to end, and ends it on request. Returns its exit code as a shell does."""
    harder = [signal.SIGKILL, signal.SIGTERM, signal.SIGINT]
    looked, stopping = 0.0, None
    while child.poll() is None:
        time.sleep(0.1)
        now = time.time()
        if stopping is None and store and now - looked >= LOOK:
            looked = now
            if attempt("whether the script is to stop is not known", store.has, "stop"):
                stopping = now
        if stopping is not None and harder and now >= stopping + (3 - len(harder)) * HARDER:
            child.send_signal(harder.pop())
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


def run(job, store):
    if store and attempt("whether the script is to stop is not known", store.has, "stop"):
        return 130
    child = start(job)
    pumps = []
    for source, shown, name in ((child.stdout, 1, "stdout"), (child.stderr, 2, "stderr")):
        pumps.append(threading.Thread(target=pump, args=(source, shown, os.path.join(OWN, name))))
        pumps[-1].daemon = True
        pumps[-1].start()
    code = watch(child, store)
    for p in pumps:
        p.join(5)  # a process left by the script may hold the other end
    return code


def keep(store, code):
    """Stores what the script has left, the exit code last: if it is there, nothing is missing."""
    last, result = os.path.join(OWN, "exit"), os.path.join(OWN, "result.tar")
    with open(last, "w") as f:
        f.write("%d\n" % code)
    with tarfile.open(result, "w") as tar:
        for name in ["outputs"] + [os.path.join(OWN, n) for n in ("metrics.jsonl", "stdout", "stderr")] + [last]:
            if os.path.lexists(name):
                tar.add(name)
    store.keep(result, "result.tar")


def main():
    with open(os.path.join(OWN, "job.json"), "rb") as f:
        job = json.loads(f.read().decode("utf-8"))
    own(OWN, OWN)
    os.remove(os.path.join(OWN, "job.json"))  # it may hold secrets
    for name in job["entries"]:
        name = raw(name)
        own(name, name if os.path.lexists(name) else os.path.join(raw(REST), name))
    if not os.path.isdir("outputs"):
        os.mkdir("outputs")
    store = attempt("the cluster's file system cannot be reached", Store, job["store"])
    application = re.match(r"container_(?:e\d+_)?(\d+_\d+)_", os.environ.get("CONTAINER_ID", ""))
    if store and application:
        attempt("the application's name cannot be kept", store.mark, "application_" + application.group(1))
    code = run(job, store)
    if store:
        attempt("what the script printed and its outputs/ cannot be kept", keep, store, code)
    sys.exit(code)


if __name__ == "__main__":
    main()
