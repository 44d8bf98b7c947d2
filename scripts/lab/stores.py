#!/usr/bin/env python3
"""Compares runs over real servers on this machine with runs over the same local files.

Rows and run files must be equal, byte for byte.

    scripts/lab/stores.py PROGRAM [ARCHIVE...] [--bytes N] [--pairs N] [--only SERVER]

Reads data/sample.warc.gz if no archive is named. With s3s-fs and moto, outputs go to the store too,
and are compared as objects. With s3s-fs and nginx, one request in twenty fails
(scripts/lab/faulty_proxy.py), and a run is killed and resumed. With --bytes the archives are read under
enough names to have N bytes in all. With --pairs local runs alternate with runs over the sound
servers, and the script prints CPU time, wall time and peak memory.

PROGRAM is huller with the feature `remote`. The script uses the installed servers: moto (PyPI) and
s3s-fs (crates.io) for s3://, nginx for http://. `scripts/lab/run stores` installs moto. The requests
are signed, and s3s-fs checks the signatures. Exit status 3 if a server is missing.
"""

import argparse
import contextlib
import hashlib
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import faulty_proxy

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


def digest(data):
    """Instead of the bytes: what this program holds when it starts another counts as that one's peak memory."""
    return hashlib.sha256(data).hexdigest()


def tree(folder):
    """Digests of all files below a folder but those that tell times."""
    paths = (path for path in folder.rglob("*") if path.is_file() and path.name not in {"lock", "run.timing"})
    return {str(path.relative_to(folder)): digest(path.read_bytes()) for path in paths}


def command_to(program, listed, output):
    return [program, "extract", listed, "-o", str(output), "-q", "-j2"]


def run(program, listed, output, environment):
    subprocess.run(command_to(program, listed, output), check=True, env={**os.environ, **environment})
    return tree(output)


def killed(program, listed, output, environment, after, staging):
    """A run that is killed after so many seconds, goes on, is killed again, and goes on to its end."""
    words = [*command_to(program, listed, output), *(["--staging", str(staging)] if staging else [])]
    environment = {**os.environ, **environment}
    for resume in [[], ["--resume"]]:
        process = subprocess.Popen([*words, *resume], env=environment)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(after)
        if process.poll() is None:
            print(f"killed after {after:.1f} s", flush=True)
            process.kill()
        process.wait()
    subprocess.run([*words, "--resume"], check=True, env=environment)


def measured(words, environment):
    """Seconds of CPU, seconds by the clock and peak memory in MB of a program."""
    start = time.monotonic()
    process = subprocess.Popen(words, env={**os.environ, **environment})
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise RuntimeError(f"{words} ended with {status}")
    return used.ru_utime + used.ru_stime, time.monotonic() - start, used.ru_maxrss / 1000


def compare_runs(name, here, there, pairs):
    """Runs two commands in alternation, each of which is a function that makes words, environment and what clears up after it."""
    figures = []
    for number in range(pairs):
        both = [here, there] if number % 2 == 0 else [there, here]
        taken = {}
        for run in both:
            words, environment, clear = run()
            taken[run] = measured(words, environment)
            clear()
        figures.append((taken[here], taken[there]))
    for what, unit, at in [("CPU time", "s", 0), ("time by the clock", "s", 1), ("peak memory", "MB", 2)]:
        ratios = sorted(there[at] / here[at] for here, there in figures)
        middle = [statistics.median(side[at] for side in sides) for sides in zip(*figures)]
        print(
            f"{name}: {what}: local {middle[0]:.1f} {unit}, store {middle[1]:.1f} {unit}; "
            f"ratio {statistics.median(ratios):.3f} ({ratios[0]:.3f} to {ratios[-1]:.3f}, {pairs} pairs)",
            flush=True,
        )


def compare(name, expected, found):
    if expected == found:
        print(f"{name}: {len(found)} files equal")
        return True
    for path in sorted(expected.keys() | found.keys()):
        if expected.get(path) != found.get(path):
            print(f"{name}: {path} differs", file=sys.stderr)
    return False


def objects_below(folder):
    """The files of a run among those by which s3s-fs keeps objects: its own begin with a dot."""
    return {name: data for name, data in tree(folder).items() if not pathlib.Path(name).name.startswith(".")}


def over_moto(program, files, work, expected, _):
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
        environment = {**KEYS, "AWS_ENDPOINT_URL": url}
        is_equal = compare("moto, inputs", expected, run(program, f"s3://{BUCKET}/all.paths", work / "moto", environment))
        words = command_to(program, f"s3://{BUCKET}/all.paths", f"s3://{BUCKET}/corpus")
        subprocess.run(words, check=True, env={**os.environ, **environment})
        pages = client.get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix="corpus/")
        keys = [found["Key"] for page in pages for found in page["Contents"] if not found["Key"].endswith("run.timing")]
        found = {key.removeprefix("corpus/"): digest(client.get_object(Bucket=BUCKET, Key=key)["Body"].read()) for key in keys}
        return compare("moto, outputs", expected, found) and is_equal


def over_s3s(program, files, work, expected, options):
    port, root = free_port(), work / "s3s-root"
    shutil.copytree(files, root / BUCKET, copy_function=os.link)
    keys = ["--access-key", KEYS["AWS_ACCESS_KEY_ID"], "--secret-key", KEYS["AWS_SECRET_ACCESS_KEY"]]
    server = [shutil.which("s3s-fs"), "--host", "127.0.0.1", "--port", str(port), *keys, str(root)]
    listed = f"s3://{BUCKET}/all.paths"
    with serving(server, port):
        environment = {**KEYS, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}"}
        is_equal = compare("s3s-fs, inputs", expected, run(program, listed, work / "s3s", environment))
        wrong = {**environment, "AWS_SECRET_ACCESS_KEY": "another"}
        refused = subprocess.run(
            [program, "records", f"s3://{BUCKET}/{next(files.iterdir()).name}"],
            env={**os.environ, **wrong}, capture_output=True, text=True,
        )  # fmt: skip
        if refused.returncode != 1 or "403" not in refused.stderr or "another" in refused.stderr:
            raise RuntimeError(f"a wrong key was not refused: {refused.stderr}")

        def to_store(name, environment):
            subprocess.run(command_to(program, listed, f"s3://{BUCKET}/{name}"), check=True, env={**os.environ, **environment})
            return compare(f"s3s-fs, {name}", expected, objects_below(root / BUCKET / name))

        started = time.monotonic()
        is_equal &= to_store("outputs", environment)
        took = time.monotonic() - started
        proxy = faulty_proxy.Proxy(port)
        bad = {**KEYS, "AWS_ENDPOINT_URL": f"http://127.0.0.1:{proxy.port}"}
        is_equal &= to_store("outputs-with-faults", bad)
        for name, staging in [("killed", None), ("killed-staged", work / "staging")]:
            killed(program, listed, f"s3://{BUCKET}/{name}", bad, took / 3, staging)
            is_equal &= compare(f"s3s-fs, {name}, with faults", expected, objects_below(root / BUCKET / name))
        print(f"requests by what became of them: {proxy.counts}")
        proxy.close()
        if options.pairs:
            here = local_run(program, files, work)

            def there(output):
                def make():
                    remote = output.startswith("s3://")
                    place = output if remote else str(work / output)
                    return command_to(program, listed, place), environment, lambda: shutil.rmtree(
                        root / BUCKET / "pair" if remote else place
                    )

                return make

            compare_runs("s3s-fs, inputs", here, there("pair"), options.pairs)
            compare_runs("s3s-fs, inputs and outputs", here, there(f"s3://{BUCKET}/pair"), options.pairs)
    return is_equal


def local_run(program, files, work):
    def make():
        return command_to(program, str(files / "all.paths"), str(work / "pair-here")), {}, lambda: shutil.rmtree(work / "pair-here")

    return make


def over_nginx(program, files, work, expected, options):
    port = free_port()
    config = work / "nginx.conf"
    config.write_text(NGINX.format(folder=work, port=port, root=files))
    with serving([shutil.which("nginx"), "-p", str(work), "-c", str(config)], port):
        started = time.monotonic()
        listed = f"http://127.0.0.1:{port}/all.paths"
        is_equal = compare("nginx", expected, run(program, listed, work / "nginx", {}))
        took = time.monotonic() - started
        proxy = faulty_proxy.Proxy(port)
        bad = f"http://127.0.0.1:{proxy.port}/all.paths"
        is_equal &= compare("nginx, with faults", expected, run(program, bad, work / "nginx-bad", {}))
        killed(program, bad, work / "nginx-killed", {}, took / 3, None)
        is_equal &= compare("nginx, killed, with faults", expected, tree(work / "nginx-killed"))
        print(f"requests by what became of them: {proxy.counts}")
        proxy.close()
        if options.pairs:

            def there():
                return command_to(program, listed, str(work / "pair")), {}, lambda: shutil.rmtree(work / "pair")

            compare_runs("nginx", local_run(program, files, work), there, options.pairs)
    return is_equal


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("archives", nargs="*", type=pathlib.Path, default=[pathlib.Path("data/sample.warc.gz")])
    parser.add_argument("--bytes", type=int, default=0)
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--only", choices=["nginx", "s3s-fs", "moto"])
    parser.add_argument("--work", type=pathlib.Path, help="a folder for all files, on the disk of the archives")
    options = parser.parse_args()
    program = str(options.program.resolve())
    servers = {"nginx": (over_nginx, shutil.which("nginx")), "s3s-fs": (over_s3s, shutil.which("s3s-fs"))}
    servers["moto"] = (over_moto, (pathlib.Path(sys.executable).parent / "moto_server").exists())
    status = 0
    with tempfile.TemporaryDirectory(dir=options.work) as folder:
        work = pathlib.Path(folder).resolve()
        work.chmod(0o755)  # the workers of nginx may be another user
        os.environ["TMPDIR"] = str(work)
        files = work / "files"
        files.mkdir()
        names, total = [], 0
        while not names or total < options.bytes:
            for archive in options.archives:
                names.append(f"{len(names):03}-{archive.name}")
                (files / names[-1]).hardlink_to(shutil.copy(archive, work) if len(names) <= len(options.archives) else work / archive.name)
                total += archive.stat().st_size
        (files / "all.paths").write_text("".join(f"{name}\n" for name in names))
        print(f"{len(names)} archives, {total} bytes", flush=True)
        expected = run(program, str(files / "all.paths"), work / "local", {})
        for name, (over, is_there) in servers.items():
            if options.only not in {None, name}:
                continue
            if not is_there:
                print(f"{name}: not installed", file=sys.stderr)
                status = status or 3
            elif not over(program, files, work, expected, options):
                status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
