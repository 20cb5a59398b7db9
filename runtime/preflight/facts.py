''':'
exit 3  # a shell mistaken for Python stops here: to it, this starts with an empty command; to Python, with a string
Says, as one line of JSON after a marker, what of this Python and machine a job depends on.

It must run on every Python from 2.7 on, and imports none of the packages that it reports.
'''
import sys
sys.path[:1] = [p for p in sys.path[:1] if p]  # a json.py in the project is not Python's
sys.dont_write_bytecode = True
import os

quick = False  # amlfix may set this to True: whatever is only about GPUs is then neither imported nor reported
plain = set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def names():
    """Return the names of what pip and conda have installed, as in their file names."""
    found = set()
    for folder in sys.path + [os.path.join(sys.prefix, "conda-meta")]:
        try:
            files = os.listdir(folder)
        except OSError:
            continue
        for name in files:
            base, kind = os.path.splitext(name)
            if kind == ".json":
                found.add(base.rsplit("-", 2)[0])
            elif kind in (".dist-info", ".egg-info", ".egg-link", ".egg"):
                found.add(base.split("-")[0])
    return sorted(name for name in found if set(name) <= plain)


def packages():
    """Return [name, version] of each installed distribution."""
    try:
        from importlib import metadata
        return [[d.metadata["Name"] or "", d.version or ""] for d in metadata.distributions()]
    except ImportError:
        pass
    try:
        import pkg_resources
        return [[d.project_name, d.version] for d in pkg_resources.working_set]
    except ImportError:
        return []


def conda():
    """Return [name, version, build] of each package that conda has installed."""
    import json
    found = []
    folder = os.path.join(sys.prefix, "conda-meta")
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if name.endswith(".json"):
            try:
                with open(os.path.join(folder, name)) as text:
                    p = json.load(text)
                found.append([p["name"], p["version"], p.get("build_string") or p.get("build") or ""])
            except (ValueError, KeyError, IOError):
                pass
    return found


def built():
    """Return the CUDA version that a package was built with, according to its own files; "" for none."""
    import re
    says = {
        "torch": ("torch/version.py", r"(?m)^cuda\b[^=\n]*=\s*(?:['\"]([\d.]*)['\"]|None)"),
        "tensorflow": ("tensorflow/python/platform/build_info.py", r"(?:['\"]?cuda_version(?:_number)?['\"]?\s*[:=,]\s*['\"]([\d.]*)['\"]|is_cuda_build['\"]?\s*[:=,]\s*False)"),
    }
    found = {}
    for name, (path, pattern) in says.items():
        for folder in sys.path:
            path_here = os.path.join(folder, *path.split("/"))
            if os.path.isfile(path_here):
                with open(path_here) as text:
                    m = re.search(pattern, text.read())
                if m:
                    found[name] = m.group(1) or ""
                break
    return found


def nvidia():
    """Return the first line of the driver's own version file, and the output of nvidia-smi."""
    import subprocess
    import threading
    driver = ""
    if os.path.isfile("/proc/driver/nvidia/version"):
        with open("/proc/driver/nvidia/version") as text:
            driver = text.readline().strip()
    said = ""
    for query in ("name,driver_version,compute_cap", "name,driver_version"):
        try:
            p = subprocess.Popen(["nvidia-smi", "--query-gpu=" + query, "--format=csv,noheader"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except OSError:
            return driver, None
        out = []
        wait = threading.Thread(target=lambda: out.extend(p.communicate()[:1]))
        wait.daemon = True
        wait.start()
        wait.join(40)
        if not out:  # a driver that hangs; perhaps not even a kill ends it
            p.kill()
            return driver, "has not answered within 40 s"
        said = out[0].decode("utf-8", "replace")
        if p.returncode == 0:
            return driver, said
    return driver, said


line = '"version": "%d.%d.%d", "names": ["' % sys.version_info[:3] + '", "'.join(names()) + '"]'
if not quick:
    import json
    driver, smi = nvidia()
    facts = {"packages": packages(), "conda": conda(), "built": built(), "driver": driver, "smi": smi}
    line += ", " + json.dumps(facts)[1:-1]
sys.stdout.write("\nAMLFIX-FACTS {" + line + "}\n")
