# What amlfix has Python 3 do with a tree that it keeps on a job's machine. Arguments: the tree, and
# a file with the request; without it, standard input. The request is a list of NUL-terminated
# words: the mark, the time (in nanoseconds) by which the job had begun, the number of files sent
# and these files (path, size, time, sum), the number of files wanted and these files (path, size,
# time, mode, sum), and the number of folders wanted and these folders. If nothing follows the files
# sent, it lists what is not as it was sent.
#
# A file is as it was sent if it has the size and time that it was sent with, and
# nothing about it has changed since the mark was made, which came last: the
# system itself keeps that time. No link is followed.
import os
import stat
import sys


def words(text):
    return iter(text.split(b"\0"))


def records(given, fields):
    return [[next(given) for _ in range(fields)] for _ in range(int(next(given)))]


def unlock(folder):
    mode = os.lstat(folder).st_mode
    if mode & 0o700 != 0o700:
        os.chmod(folder, mode | 0o700)


def last_change(mark, begun):
    try:
        at = os.lstat(mark).st_ctime_ns
    except OSError:
        return -1
    return at if at <= begun else -1


def look(sent, latest):
    """Returns the files that are as they were sent, all others, and all folders."""
    good, bad, folders, todo = {}, [], [], [b""]
    while todo:
        folder = todo.pop()
        unlock(folder or b".")
        for entry in os.scandir(folder or b"."):
            path = os.path.join(folder, entry.name)
            if entry.is_dir(follow_symlinks=False):
                folders.append(path)
                todo.append(path)
                continue
            s, was = entry.stat(follow_symlinks=False), sent.get(path)
            if (
                was
                and stat.S_ISREG(s.st_mode)
                and s.st_nlink == 1
                and (s.st_size, s.st_mtime_ns) == was[:2]
                and s.st_ctime_ns <= latest
            ):
                good[path] = was[2]
            else:
                bad.append(path)
    return good, bad, folders


def copy(path, to):
    with open(path, "rb") as source, open(to, "xb") as target:
        while True:
            piece = source.read(1 << 20)
            if not piece:
                break
            target.write(piece)


def fit(good, bad, folders, wanted, kept, mark):
    """Makes the tree from what is there, and returns which files are missing."""
    for path in bad:
        os.unlink(path)
    by_path = {w[0]: w for w in wanted}
    spare, source, missing = {}, {}, []
    aside = b".amlfix-aside"
    while os.path.lexists(aside):
        aside += b"-"
    os.mkdir(aside, 0o700)
    for i, (path, total) in enumerate(good.items()):
        w = by_path.get(path)
        if w and w[4] == total:
            source[total] = path
            continue
        to = os.path.join(aside, b"%d" % i)
        os.rename(path, to)
        spare.setdefault(total, []).append(to)
    for folder in sorted(folders, reverse=True):
        if folder not in kept:
            os.rmdir(folder)
    for folder in sorted(kept):
        if not os.path.isdir(folder):
            os.mkdir(folder, 0o755)
    masked = os.umask(0o022)
    os.umask(masked)
    if os.getuid() == 0:
        masked = 0  # as tar does
    for i, (path, _, time, mode, total) in enumerate(wanted):
        if not total:
            missing.append(i)
            continue
        if good.get(path) != total:
            if spare.get(total):
                os.rename(spare[total].pop(), path)
            elif total in source:
                copy(source[total], path)
            else:
                missing.append(i)
                continue
            source[total] = path
        s = os.lstat(path)
        if stat.S_IMODE(s.st_mode) != int(mode) & ~masked:
            os.chmod(path, int(mode) & ~masked)
        if s.st_mtime_ns != int(time):
            os.utime(path, ns=(int(time), int(time)))
    for left in spare.values():
        for path in left:
            os.unlink(path)
    os.rmdir(aside)
    os.makedirs(os.path.dirname(mark), exist_ok=True)
    with open(mark, "wb"):
        return missing  # whoever finds the mark finds the rest


def main():
    if len(sys.argv) > 2:
        with open(sys.argv[2], "rb") as f:
            given = words(f.read())
    else:
        given = words(sys.stdin.buffer.read())
    os.chdir(sys.argv[1])
    mark, begun = next(given), int(next(given))
    sent = {p: (int(size), int(time), total) for p, size, time, total in records(given, 4)}
    good, bad, folders = look(sent, last_change(mark, begun))
    count = next(given)
    out = sys.stdout.buffer
    out.write(b"\0amlfix\0")
    if count:
        wanted = [[next(given) for _ in range(5)] for _ in range(int(count))]
        kept = {f for f, in records(given, 1)}
        for i in fit(good, bad, folders, wanted, kept, mark):
            out.write(b"%d\0" % i)
    else:
        for path in bad:
            out.write(path + b"\0")
    out.write(b"end\0")
    out.flush()


main()
