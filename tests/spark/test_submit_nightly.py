"""The program of the page on a cluster of two executors, each a process of its own, by spark-submit
of another Spark than the module is compiled for. DPADAPT_JARS: the two jars, a colon between."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pyspark

PAGE = pathlib.Path(os.environ["DPADAPT_SOURCE_DIR"], "docs", "embedding.md")
EXAMPLE = re.compile(r"^```java spark\n(.*?)^```$.*?^```text\n(.*?)^```$", re.M | re.S)
CLUSTER = "local-cluster[2,1,1024]"


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def main(jars):
    for jar in jars:
        if not os.path.exists(jar):
            print(f"there is no {jar}: skipped")
            return 77
    home = pathlib.Path(pyspark.__file__).parent
    os.environ.update(SPARK_HOME=str(home), SPARK_LOCAL_IP="127.0.0.1")
    program, wanted = EXAMPLE.search(PAGE.read_text()).groups()
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "Stays.java")
        source.write_text(program.replace("local[2]", CLUSTER))
        path = ":".join([*jars, f"{home}/jars/*"])
        run("javac", "-cp", path, "-d", folder, source)
        run("jar", "cf", f"{folder}/stays.jar", "-C", folder, "Stays.class")
        found = run(home / "bin/spark-submit", "--master", CLUSTER, "--class", "Stays",
                    "--jars", ",".join(jars), f"{folder}/stays.jar")
    print(found)
    return 0 if found == wanted else 1


sys.exit(main(os.environ["DPADAPT_JARS"].split(":")))
