"""Stands in for Spark's way to Java, of which it has only the file system: the folder that the stand-in hdfs has too."""
import os
import shutil


class Names(object):
    def __init__(self, **names):
        self.__dict__.update(names)


class Files(object):
    def exists(self, path):
        return os.path.exists(path)

    def create(self, path, overwrite):
        return open(path, "w")

    def delete(self, path, recursive):
        return os.path.exists(path) and not os.remove(path)

    def copyFromLocalFile(self, move, overwrite, source, path):
        shutil.copy(source[source.index("file://") + 7:], path)

    def rename(self, source, path):
        os.rename(source, path)


def launch_gateway():
    util = Names(newConfiguration=lambda settings: settings)
    spark = Names(SparkConf=dict, deploy=Names(SparkHadoopUtil=Names(get=lambda: util)))
    files = Names(FileSystem=Names(newInstance=lambda conf: Files()), Path=lambda name: os.path.join(os.environ["HOME"], "hdfs", name))
    return Names(jvm=Names(org=Names(apache=Names(spark=spark, hadoop=Names(fs=files)))))
