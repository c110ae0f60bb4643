#!/usr/bin/env python3
"""Measures a Lambda binary's start: coldstart.py BINARY [RUNS]

From the start of the process to the first invocation that it asks of the runtime API, with what it verifies on the way answered
at once by a server in this process. Prints medians, the binary's size and the memory that it holds then. Needs nothing but
Python.
"""

import json
import os
import statistics
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

KEYS = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}]
INDEX = [{"AttributeName": "siKey1", "KeyType": "HASH"}, {"AttributeName": "pk", "KeyType": "RANGE"}]
TABLE = {
    "KeySchema": KEYS,
    "GlobalSecondaryIndexes": [{"IndexName": "siKey1-pk-index", "KeySchema": INDEX}],
    "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
}
ANSWERS = {
    "DescribeTable": {"Table": TABLE},
    "DescribeUserPool": {"UserPool": {"Id": "eu-west-1_x"}},
    "DescribeEventBus": {"Name": "bus"},
}


class Server(ThreadingHTTPServer):
    daemon_threads = True
    asked = threading.Event()
    asked_at = 0.0
    calls = []


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.server.asked_at = time.perf_counter()
        self.server.asked.set()
        threading.Event().wait()

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        operation = self.headers.get("x-amz-target", ".").split(".")[-1]
        self.server.calls.append(operation)
        body = json.dumps(ANSWERS.get(operation, {})).encode()
        self.send_response(200 if operation in ANSWERS else 400)
        self.send_header("content-type", "application/x-amz-json-1.0")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def memory_kb(pid, field):
    for line in open(f"/proc/{pid}/status", encoding="ascii"):
        if line.startswith(field):
            return int(line.split()[1])
    return 0


def start(binary, server):
    address = f"127.0.0.1:{server.server_address[1]}"
    environment = {
        "PATH": os.environ["PATH"],
        "AWS_LAMBDA_RUNTIME_API": address,
        "AWS_LAMBDA_FUNCTION_NAME": "stream",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
        "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
        "AWS_REGION": "eu-west-1",
        "AWS_ACCESS_KEY_ID": "x",
        "AWS_SECRET_ACCESS_KEY": "x",
        "AWS_ENDPOINT_URL": f"http://{address}",
        "INSTEP_MODEL": "access-management",
        "INSTEP_TABLE": "table",
        "INSTEP_USER_POOL": "eu-west-1_x",
        "INSTEP_BUS": "bus",
        "INSTEP_PARKED_QUEUE": f"http://{address}/queue",
        "INSTEP_BUCKET": "bucket",
        "INSTEP_WORK_QUEUE_URL": f"http://{address}/work",
    }
    server.asked.clear()
    began = time.perf_counter()
    process = subprocess.Popen([binary], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        if not server.asked.wait(20):
            process.kill()
            sys.exit(f"it did not ask for an invocation:\n{process.stdout.read().decode()}")
        took = (server.asked_at - began) * 1000
        times = os.times()
        return took, memory_kb(process.pid, "VmRSS"), memory_kb(process.pid, "VmHWM"), times
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def main():
    binary = sys.argv[1]
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    start(binary, server)  # fills the page cache
    server.calls.clear()
    samples = [start(binary, server) for _ in range(runs)]
    took, resident, peak = (sorted(sample[place] for sample in samples) for place in range(3))
    print(f"start to first request: median {statistics.median(took):.1f} ms, {took[0]:.1f} to {took[-1]:.1f} ms, {runs} runs")
    print(f"API calls on the way:   {len(server.calls) / runs:g} ({', '.join(sorted(set(server.calls)))})")
    print(f"resident memory then:   {statistics.median(resident) / 1024:.1f} MiB, peak {statistics.median(peak) / 1024:.1f} MiB")
    print(f"size of the binary:     {os.path.getsize(binary) / 1024 / 1024:.1f} MiB")


if __name__ == "__main__":
    main()
