"""Writes a folder as the archive of an image of one layer: image.py ARCHIVE NAME FOLDER [ENTRYPOINT...]"""
import hashlib, io, json, sys, tarfile

archive, name, folder, *entrypoint = sys.argv[1:]


def owned_by_root(member):
    member.uid = member.gid = member.mtime = 0
    member.uname = member.gname = ""
    return member


layer = io.BytesIO()
with tarfile.open(fileobj=layer, mode="w") as tar:
    tar.add(folder, ".", filter=owned_by_root)
layer = layer.getvalue()
config = json.dumps({
    "architecture": "amd64",
    "os": "linux",
    "config": {"Env": ["PATH=/usr/local/bin:/usr/bin:/bin"], "Entrypoint": entrypoint or None},
    "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer).hexdigest()]},
}).encode()
manifest = json.dumps([{"Config": "config.json", "RepoTags": [name], "Layers": ["layer.tar"]}]).encode()
with tarfile.open(archive, "w") as tar:
    for member, content in (("config.json", config), ("layer.tar", layer), ("manifest.json", manifest)):
        info = tarfile.TarInfo(member)
        info.size = len(content)
        tar.addfile(info, io.BytesIO(content))
