"""The memory of the units of a sweep: the built `sweep` function, driven as the state machine drives it, over a table and a pool that this
program makes up while it answers. Nothing differs between the two.

    cargo build --release --bin sweep && python3 tests/blackbox/sweep_memory.py target/release/sweep 1000000

Of ten items, three are users, one in a thousand is a team, and the others are memberships, as in `cargo run --example sweep`. Each unit has a
process of its own, as a new execution environment has, and all units of a phase are done one after another.
"""

import hashlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MODEL = """
model = "cost"
table = { pk = "pk", sk = "sk" }
indexes = { GSI1 = { pk = "g1p", sk = "g1s" } }
[items.User]
pk = "U#{userId}"
sk = "U"
cognito.user = { name = "{userId}", attributes = { email = "{email}" } }
[items.Team]
pk = "T#{teamId}"
sk = "T"
cognito.groups = "team:{teamId}"
[items.Seat]
pk = "T#{teamId}"
sk = "SEAT#{userId}"
GSI1 = { pk = "U#{userId}", sk = "SEAT#{teamId}" }
parent = ["Team", "User"]
grant = { subject = "User", scope = "Team" }
cognito.member = { user = "User", group = "Team" }
"""
# A page of a scan has at most 1 MB: some 7,000 of these items. Source: Amazon DynamoDB Developer Guide, "Quotas".
SCANNED = 7_000


class World:
    """A table and a pool of so many items."""

    def __init__(self, count):
        self.count, self.users, self.teams = count, count * 3 // 10, max(count // 1_000, 1)
        self.objects = {}

    def seat(self, nth):
        return nth % self.users, (nth // self.users + nth) % self.teams

    def item(self, place):
        if place < self.users:
            return self.user_item(place)
        if place < self.users + self.teams:
            return self.team_item(place - self.users)
        user, team = self.seat(place - self.users - self.teams)
        keys = {"pk": f"T#t{team}", "sk": f"SEAT#u{user}", "g1p": f"U#u{user}", "g1s": f"SEAT#t{team}"}
        return {name: {"S": text} for name, text in keys.items()}

    def user_item(self, nth):
        return {"pk": {"S": f"U#u{nth}"}, "sk": {"S": "U"}, "email": {"S": f"u{nth}@x.example"}}

    def team_item(self, nth):
        return {"pk": {"S": f"T#t{nth}"}, "sk": {"S": "T"}}

    def scan(self, asked):
        nth, of = asked.get("Segment", 0), asked.get("TotalSegments", 1)
        first, last = self.count * nth // of, self.count * (nth + 1) // of
        start = int(asked["ExclusiveStartKey"]["place"]["S"]) if "ExclusiveStartKey" in asked else first
        end = min(start + min(SCANNED, asked.get("Limit", SCANNED)), last)
        answer = {"Items": [self.item(place) for place in range(start, end)], "Count": end - start}
        return answer | ({"LastEvaluatedKey": {"place": {"S": str(end)}}} if end < last else {})

    def batch_get(self, asked):
        def found(key):
            pk, sk = key["pk"]["S"], key["sk"]["S"]
            if sk == "U":
                return self.user_item(int(pk[3:]))
            if sk == "T":
                return self.team_item(int(pk[3:]))
            if sk.startswith("SEAT#"):
                return {"pk": key["pk"], "sk": key["sk"], "g1p": {"S": f"U#{sk[5:]}"}, "g1s": {"S": f"SEAT#{pk[2:]}"}}
            return None

        tables = asked["RequestItems"].items()
        rows = {name: [item for item in map(found, keys["Keys"]) if item] for name, keys in tables}
        return {"Responses": rows, "UnprocessedKeys": {}}

    def page(self, all_of, token, as_object, limit=60):
        start = int(token or 0)
        rows = [as_object(nth) for nth in all_of[start : start + limit]]
        return rows, str(start + limit) if start + limit < len(all_of) else None

    def pool_user(self, nth):
        email = {"Name": "email", "Value": f"u{nth}@x.example"}
        return {"Username": f"u{nth}", "Enabled": True, "UserStatus": "CONFIRMED", "Attributes": [email]}

    def members(self, team):
        seats = self.count - self.users - self.teams
        if not hasattr(self, "by_team"):
            self.by_team = [[] for _ in range(self.teams)]
            for nth in range(seats):
                user, of = self.seat(nth)
                self.by_team[of].append(user)
        return self.by_team[team]

    def cognito(self, operation, asked):
        if operation == "ListUsers":
            users, more = self.page(range(self.users), asked.get("PaginationToken"), self.pool_user)
            return {"Users": users} | ({"PaginationToken": more} if more else {})
        if operation == "ListGroups":
            group = lambda nth: {"GroupName": f"team:t{nth}", "Description": "instep:cost"}
            groups, more = self.page(range(self.teams), asked.get("NextToken"), group)
            return {"Groups": groups} | ({"NextToken": more} if more else {})
        if operation == "ListUsersInGroup":
            team = int(asked["GroupName"].removeprefix("team:t"))
            users, more = self.page(self.members(team), asked.get("NextToken"), self.pool_user)
            return {"Users": users} | ({"NextToken": more} if more else {})
        if operation == "DescribeUserPool":
            return {"UserPool": {"Id": asked["UserPoolId"], "UsernameConfiguration": {"CaseSensitive": True}, "EstimatedNumberOfUsers": self.users}}
        sys.exit(f"no stand-in for {operation}")

    def dynamodb(self, operation, asked):
        if operation == "Scan":
            return self.scan(asked)
        if operation == "BatchGetItem":
            return self.batch_get(asked)
        if operation == "DescribeTable":
            return {"Table": {"TableName": asked["TableName"], "ItemCount": self.count, "TableSizeBytes": self.count * 150}}
        if operation == "Query":
            return {"Items": [], "Count": 0}
        sys.exit(f"no stand-in for {operation}: {asked}")


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, world):
        super().__init__(("127.0.0.1", 0), Handler)
        self.world, self.tasks, self.answers = world, {}, queue.Queue()

    def handle_error(self, request, client_address):
        # A process that is killed closes its connections.
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def reply(self, status, body=b"", **headers):
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def key(self):
        return urllib.parse.unquote(self.path.split("?")[0])

    def do_GET(self):
        if self.path.endswith("/invocation/next"):
            # A process that was killed still waits for its next task.
            task = self.server.tasks[self.path.split("/")[1]].get()
            deadline = str(int((time.time() + 900) * 1000))
            arn = "arn:aws:lambda:eu-west-1:000000000000:function:sweep"
            ids = {"Lambda_Runtime_Aws_Request_Id": "1", "Lambda_Runtime_Deadline_Ms": deadline, "Lambda_Runtime_Invoked_Function_Arn": arn}
            return self.reply(200, json.dumps(task).encode(), **ids)
        body = self.server.world.objects.get(self.key())
        if body is None:
            return self.reply(404, b"<Error><Code>NoSuchKey</Code></Error>", Content_Type="application/xml")
        return self.reply(200, body, ETag=f'"{hashlib.md5(body).hexdigest()}"')

    def do_PUT(self):
        body, objects, key = self.body(), self.server.world.objects, self.key()
        if "aws-chunked" in self.headers.get("Content-Encoding", ""):
            body = unchunked(body)
        known = objects.get(key)
        etag = known and f'"{hashlib.md5(known).hexdigest()}"'
        if (self.headers.get("If-None-Match") and known is not None) or self.headers.get("If-Match", etag) != etag:
            return self.reply(412, b"<Error><Code>PreconditionFailed</Code></Error>", Content_Type="application/xml")
        objects[key] = body
        return self.reply(200, b"", ETag=f'"{hashlib.md5(body).hexdigest()}"')

    def do_POST(self):
        body = self.body()
        if "/runtime/" in self.path:
            is_answer = self.path.endswith("/response")
            self.server.answers.put((is_answer, body))
            return self.reply(202)
        service, operation = self.headers["X-Amz-Target"].split(".")
        asked, world = json.loads(body), self.server.world
        answer = (world.dynamodb if service.startswith("DynamoDB") else world.cognito)(operation, asked)
        return self.reply(200, json.dumps(answer).encode(), Content_Type="application/x-amz-json-1.0")

    def log_message(self, *arguments):
        pass


def unchunked(body):
    whole = b""
    while body:
        head, body = body.split(b"\r\n", 1)
        size = int(head.split(b";")[0], 16)
        if size == 0:
            break
        whole, body = whole + body[:size], body[size + 2 :]
    return whole


class Function:
    """One process of the function."""

    def __init__(self, binary, server, model):
        address = f"127.0.0.1:{server.server_address[1]}"
        environment = {
            "PATH": os.environ["PATH"],
            "AWS_LAMBDA_FUNCTION_NAME": "sweep",
            "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
            "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
            "AWS_REGION": "eu-west-1",
            "AWS_ACCESS_KEY_ID": "x",
            "AWS_SECRET_ACCESS_KEY": "x",
            "AWS_ENDPOINT_URL": f"http://{address}",
            "INSTEP_MODEL": model,
            "INSTEP_TABLE": "table",
            "INSTEP_USER_POOL": "eu-west-1_x",
            "INSTEP_BUS": "bus",
            "INSTEP_PARKED_QUEUE": f"http://{address}/queue",
            "INSTEP_BUCKET": "bucket",
            "INSTEP_WORK_QUEUE_URL": f"http://{address}/work",
            "INSTEP_COGNITO_RATE": "1000",
            "INSTEP_CONCURRENCY": "2",
        }
        self.server, self.tasks = server, queue.Queue()
        name = str(len(server.tasks))
        server.tasks[name] = self.tasks
        environment["AWS_LAMBDA_RUNTIME_API"] = f"http://{address}/{name}"
        self.process = subprocess.Popen([binary], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def invoked(self, task):
        self.tasks.put(task)
        is_answer, body = self.server.answers.get()
        if not is_answer:
            sys.exit(f"{task}: {body.decode()}")
        return json.loads(body)

    def peak_mib(self):
        for line in open(f"/proc/{self.process.pid}/status", encoding="ascii"):
            if line.startswith("VmHWM"):
                return int(line.split()[1]) / 1024
        return 0

    def end(self):
        self.process.kill()
        self.process.wait()


def main():
    binary, count = sys.argv[1], int(sys.argv[2])
    world = World(count)
    server = Server(world)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as model:
        model.write(MODEL)
        model.flush()
        sweep(lambda: Function(binary, server, model.name), world)


def sweep(function, world):
    def once(task):
        process = function()
        answer = process.invoked(task)
        peak = process.peak_mib()
        process.end()
        return answer, peak

    begin = {"do": "begin", "input": {"mode": "report"}, "name": "s", "execution": "arn:s", "running": []}
    begun, _ = once(begin)
    ask = {"do": "plan", "sweep": begun["sweep"], "mode": "report", "maxRemovals": begun["maxRemovals"], "graceSeconds": 0, "ran": None}
    while True:
        planned, peak = once(ask)
        print(f"plan:       peak {peak:5.1f} MiB")
        if planned["over"]:
            print(json.dumps(planned["summary"]))
            return
        began, peaks, invocations = time.monotonic(), [], 0
        units = [entry["unit"] for entry in json.loads(world.objects["/bucket/" + planned["key"]])]
        for unit in units:
            done = False
            while not done:
                answer, peak = once({"do": "unit", "sweep": begun["sweep"], "unit": unit})
                done, invocations = answer["done"], invocations + 1
                peaks.append(peak)
        took = time.monotonic() - began
        print(f"{planned['phase']:<11} peak {max(peaks):5.1f} MiB, {len(units)} units, {invocations} invocations, {took:.1f} s", flush=True)
        ask["ran"] = planned["phase"]


if __name__ == "__main__":
    main()
