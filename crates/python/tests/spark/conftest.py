"""A real cluster on this machine: a master and two workers with one core each, on the loopback interface alone."""

import os
import subprocess
import sys

import pytest

CONF = {
    "spark.master": "local-cluster[2,1,1024]",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.executor.memory": "1024m",
    # Under one master, so that a killed executor is replaced and not waited for.
    "spark.task.maxFailures": "4",
}


@pytest.fixture(scope="session")
def spark_environment(tmp_path_factory):
    scratch = tmp_path_factory.mktemp("spark")
    conf = dict(CONF)
    conf["spark.sql.warehouse.dir"] = str(scratch / "warehouse")
    conf["spark.local.dir"] = str(scratch / "local")
    conf["spark.driver.extraJavaOptions"] = f"-Dderby.system.home={scratch}"
    arguments = " ".join(f"--conf '{key}={value}'" for key, value in conf.items())
    return {
        **os.environ,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(scratch / "work"),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_SUBMIT_ARGS": f"{arguments} pyspark-shell",
    }


@pytest.fixture(scope="session")
def start(spark_environment):
    """Starts the job; gives the process."""

    def run(*arguments, cwd=None):
        command = [sys.executable, "-m", "huller.spark", *map(str, arguments), "--log_level", "WARN"]
        return subprocess.Popen(command, env=spark_environment, cwd=cwd, stderr=subprocess.PIPE, text=True)

    return run


@pytest.fixture(scope="session")
def spark(spark_environment):
    """A session in this process."""
    before = dict(os.environ)
    os.environ.update(spark_environment)
    from pyspark.sql import SparkSession

    session = SparkSession.builder.appName("huller tests").getOrCreate()
    yield session
    session.stop()
    os.environ.clear()
    os.environ.update(before)
