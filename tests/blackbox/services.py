"""Starts and stops what stands in for AWS: ministack, moto and cargo-lambda's emulator of the runtime API. Loopback only."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import boto3
from botocore.config import Config

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
INSTEP = os.path.join(ROOT, "target/debug/instep")
BINARIES = os.environ.get("INSTEP_BINARIES", os.path.join(ROOT, "target/debug"))
REGION = "us-east-1"
START_SECONDS = 60
WAIT_SECONDS = 60


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def wait_for(what, condition, seconds=WAIT_SECONDS):
    """Asks until the condition holds, and returns what it gave."""
    deadline = time.monotonic() + seconds
    last = None
    while time.monotonic() < deadline:
        try:
            last = condition()
            if last:
                return last
        except (AssertionError, KeyError, IndexError) as error:
            last = error
        time.sleep(0.2)
    raise AssertionError(f"{what}: not within {seconds} s; last: {last!r}")


class Process:
    """A process with its log, in a group of its own so that its children end with it."""

    def __init__(self, name, command, environment, folder, cwd=None):
        self.name = name
        self.log = os.path.join(folder, f"{name}.log")
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                command, env=environment, stdout=log, stderr=subprocess.STDOUT, cwd=cwd or folder, start_new_session=True
            )

    def wait_until_it_listens(self, port):
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port), 2).close()
                return
            except OSError:
                time.sleep(0.1)
        self.stop()
        sys.exit(f"{self.name} did not start:\n{self.tail()}")

    def tail(self, lines=40):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return "".join(log.readlines()[-lines:])

    def stop(self):
        for kind in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, kind)
            except ProcessLookupError:
                pass
            try:
                self.process.wait(10)
                return
            except subprocess.TimeoutExpired:
                continue


def plain_environment(**more):
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    keys = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_REGION": REGION, "AWS_DEFAULT_REGION": REGION}
    return {**kept, **keys, **more}


class Services:
    """What a scenario runs on."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="instep-blackbox-")
        self.processes = []

    def start(self, process, port):
        self.processes.append(process)
        process.wait_until_it_listens(port)

    def ministack(self, **more):
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        environment = plain_environment(
            BIND_HOST="127.0.0.1",
            MINISTACK_HOST="127.0.0.1",
            GATEWAY_PORT=str(port),
            # It would listen on all interfaces for this.
            IOT_MTLS_ENABLED="0",
            TMPDIR=self.folder,
            # Functions have its environment.
            AWS_ENDPOINT_URL=url,
            **more,
        )
        command = [os.path.join(os.path.dirname(sys.executable), "ministack")]
        self.start(Process("ministack", command, environment, self.folder), port)
        return url

    def moto(self):
        port = free_port()
        url = f"http://127.0.0.1:{port}"
        command = [os.path.join(os.path.dirname(sys.executable), "moto_server"), "-H", "127.0.0.1", "-p", str(port)]
        self.start(Process("moto", command, plain_environment(), self.folder), port)
        return url

    def emulator(self, root):
        """cargo-lambda's emulator of the runtime API, which compiles nothing here."""
        port = free_port()
        command = [
            os.path.join(os.path.dirname(sys.executable), "cargo-lambda"), "lambda", "watch",
            "--only-lambda-apis", "--ignore-changes", "-A", "127.0.0.1", "-P", str(port),
        ]
        self.start(Process("emulator", command, plain_environment(), self.folder, cwd=root), port)
        return port

    def stop(self):
        for process in reversed(self.processes):
            process.stop()
        shutil.rmtree(self.folder, ignore_errors=True)


def client(service, url):
    config = Config(retries={"max_attempts": 1}, s3={"addressing_style": "path"}, read_timeout=330)
    return boto3.client(
        service, endpoint_url=url, region_name=REGION, aws_access_key_id="test", aws_secret_access_key="test", config=config
    )
