#!/usr/bin/env python3
"""Holds runs over real servers on this machine against runs over the same local files: rows and run files must be equal, byte for byte.

    scripts/stores.py PROGRAM [ARCHIVE...]      data/sample.warc.gz if none is named

PROGRAM is huller with the feature `remote`. The servers are those that are found: moto (PyPI) and s3s-fs (crates.io) for s3://, nginx for
http://. `make stores-servers` installs moto. Signatures are made for the requests, and checked by s3s-fs. Exit status 3 if a server is missing.
"""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

KEYS = {"AWS_ACCESS_KEY_ID": "huller", "AWS_SECRET_ACCESS_KEY": "only-for-this-test", "AWS_REGION": "us-east-1", "AWS_ALLOW_HTTP": "true"}
BUCKET = "crawls"
NGINX = """
daemon off; pid {folder}/nginx.pid; error_log stderr error;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
    uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
    server {{ listen 127.0.0.1:{port}; root {root}; }}
}}
"""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def serving(command, port, **options):
    """Runs a server until its port answers, and then until the block ends."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    try:
        for _ in range(300):
            if process.poll() is not None:
                raise RuntimeError(f"{command[0]} ended with {process.returncode}")
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


def tree(folder):
    """All files below a folder but those that tell times."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name not in {"lock", "run.timing"})
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def run(program, listed, output, environment):
    command = [program, "extract", listed, "-o", str(output), "-q", "-j2"]
    subprocess.run(command, check=True, env={**os.environ, **environment})
    return tree(output)


def compare(name, expected, found):
    if expected == found:
        print(f"{name}: {len(found)} files equal")
        return True
    for path in sorted(expected.keys() | found.keys()):
        if expected.get(path) != found.get(path):
            print(f"{name}: {path} differs", file=sys.stderr)
    return False


def over_moto(program, files, work):
    import boto3  # comes with moto

    port = free_port()
    command = [str(pathlib.Path(sys.executable).parent / "moto_server"), "-H", "127.0.0.1", "-p", str(port)]
    with serving(command, port):
        url = f"http://127.0.0.1:{port}"
        client = boto3.client(
            "s3",
            endpoint_url=url,
            aws_access_key_id=KEYS["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=KEYS["AWS_SECRET_ACCESS_KEY"],
            region_name=KEYS["AWS_REGION"],
        )
        client.create_bucket(Bucket=BUCKET)
        for file in files.iterdir():
            client.upload_file(str(file), BUCKET, file.name)
        return run(program, f"s3://{BUCKET}/all.paths", work / "moto", {**KEYS, "AWS_ENDPOINT_URL": url})


def over_s3s(program, files, work):
    port, root = free_port(), work / "s3s-root"
    shutil.copytree(files, root / BUCKET)
    keys = ["--access-key", KEYS["AWS_ACCESS_KEY_ID"], "--secret-key", KEYS["AWS_SECRET_ACCESS_KEY"]]
    command = [shutil.which("s3s-fs"), "--host", "127.0.0.1", "--port", str(port), *keys, str(root)]
    with serving(command, port):
        environment = {**KEYS, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"}
        found = run(program, f"s3://{BUCKET}/all.paths", work / "s3s", environment)
        wrong = {**environment, "AWS_SECRET_ACCESS_KEY": "another"}
        refused = subprocess.run(
            [program, "records", f"s3://{BUCKET}/{next(files.iterdir()).name}"],
            env={**os.environ, **wrong}, capture_output=True, text=True,
        )  # fmt: skip
        if refused.returncode != 1 or "403" not in refused.stderr or "another" in refused.stderr:
            raise RuntimeError(f"a wrong key was not refused: {refused.stderr}")
        return found


def over_nginx(program, files, work):
    port = free_port()
    config = work / "nginx.conf"
    config.write_text(NGINX.format(folder=work, port=port, root=files))
    with serving([shutil.which("nginx"), "-p", str(work), "-c", str(config)], port):
        return run(program, f"http://127.0.0.1:{port}/all.paths", work / "nginx", {})


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = str(pathlib.Path(sys.argv[1]).resolve())
    archives = [pathlib.Path(path) for path in sys.argv[2:]] or [pathlib.Path("data/sample.warc.gz")]
    servers = {"nginx": (over_nginx, shutil.which("nginx")), "s3s-fs": (over_s3s, shutil.which("s3s-fs"))}
    servers["moto"] = (over_moto, (pathlib.Path(sys.executable).parent / "moto_server").exists())
    status = 0
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        work.chmod(0o755)  # the workers of nginx may be another user
        files = work / "files"
        files.mkdir()
        for archive in archives:
            shutil.copy(archive, files)
        (files / "all.paths").write_text("".join(f"{archive.name}\n" for archive in archives))
        expected = run(program, str(files / "all.paths"), work / "local", {})
        for name, (over, is_there) in servers.items():
            if not is_there:
                print(f"{name}: not installed", file=sys.stderr)
                status = status or 3
            elif not compare(name, expected, over(program, files, work)):
                status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
