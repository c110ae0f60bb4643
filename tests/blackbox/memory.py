"""The memory of built functions, over a table and a pool that this program makes up while it answers.

    cargo build --release --bin sweep --bin stream
    python3 tests/blackbox/memory.py sweep target/release 1000000
    python3 tests/blackbox/memory.py cascade target/release

`sweep` drives the `sweep` function as the state machine does, over so many items that all agree. Of ten, three are users, one in a thousand is
a team, and the others are memberships, as in `cargo run --example sweep`. Each user has an account item besides. Each invocation has a process of its own, and the units of a phase are
done one after another.

`cascade` gives the `stream` function a batch of 100 deleted parents, with 96 children of 100 KB each.
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

# A page of a scan has at most 1 MB: some 7,000 of these items. Source: Amazon DynamoDB Developer Guide, "Quotas".
SCANNED = 7_000


SWEEP_MODEL = os.path.join(os.path.dirname(__file__), "../end-to-end/examples/sweep.toml")
CASCADE_MODEL = """
model = "cost"
table = { pk = "pk", sk = "sk" }
[items.House]
pk = "H#{houseId}"
sk = "H"
[items.Room]
pk = "H#{houseId}"
sk = "R#{roomId}"
parent = "House"
"""
HOUSES, ROOMS, ROOM_BYTES = 100, 96, 100_000


# The memory of these functions in template.yaml.
FUNCTION_MIB = 256


class Agreeing:
    """A table and a pool of so many items, which agree."""

    def __init__(self, count):
        # What the sweep notes of the model that is deployed.
        self.models = {}
        self.count, self.users, self.teams = count, count * 3 // 10, max(count // 1_000, 1)
        self.objects = {}

    def seat(self, nth):
        return nth % self.users, (nth // self.users + nth) % self.teams

    def item(self, place):
        if place >= self.count:
            return self.account_item(place - self.count)
        if place < self.users:
            return self.user_item(place)
        if place < self.users + self.teams:
            return self.team_item(place - self.users)
        user, team = self.seat(place - self.users - self.teams)
        keys = {"pk": f"T#t{team}", "sk": f"SEAT#u{user}", "g1p": f"U#u{user}", "g1s": f"SEAT#t{team}"}
        return {name: {"S": text} for name, text in keys.items()}

    def user_item(self, nth):
        return {"pk": {"S": f"U#u{nth}"}, "sk": {"S": "U"}, "email": {"S": f"u{nth}@x.example"}}

    def account_item(self, nth):
        fields = {"of": "User", "nonce": f"{nth:032x}", "since": "2026-01-01T00:00:00Z", "sub": f"s{nth}", "username": f"u{nth}"}
        says = {name: {"S": text} for name, text in fields.items()} | {"names": {"M": {"userId": {"S": f"u{nth}"}}}}
        return {"pk": {"S": f"INSTEP#ACCOUNT#User/userId=u{nth}"}, "sk": {"S": "ACCOUNT"}, "instep": {"M": says}}

    def team_item(self, nth):
        return {"pk": {"S": f"T#t{nth}"}, "sk": {"S": "T"}}

    def scan(self, asked):
        nth, of = asked.get("Segment", 0), asked.get("TotalSegments", 1)
        items = self.count + self.users
        first, last = items * nth // of, items * (nth + 1) // of
        start = int(asked["ExclusiveStartKey"]["place"]["S"]) if "ExclusiveStartKey" in asked else first
        end = min(start + min(SCANNED, asked.get("Limit", SCANNED)), last)
        answer = {"Items": [self.item(place) for place in range(start, end)], "Count": end - start}
        return answer | ({"LastEvaluatedKey": {"place": {"S": str(end)}}} if end < last else {})

    def batch_get(self, asked):
        def found(key):
            pk, sk = key["pk"]["S"], key["sk"]["S"]
            if pk == "INSTEP#MODEL":
                return self.models.get(sk)
            if sk == "U":
                return self.user_item(int(pk[3:]))
            if sk == "T":
                return self.team_item(int(pk[3:]))
            if sk == "ACCOUNT":
                return self.account_item(int(pk.rpartition("=u")[2]))
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
        attributes = {"sub": f"s{nth}", "email": f"u{nth}@x.example"}
        attributes = [{"Name": name, "Value": text} for name, text in attributes.items()]
        return {"Username": f"u{nth}", "Enabled": True, "UserStatus": "CONFIRMED", "Attributes": attributes}

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
        if operation == "PutItem" and asked["Item"]["pk"]["S"] == "INSTEP#MODEL":
            self.models[asked["Item"]["sk"]["S"]] = asked["Item"]
            return {}
        sys.exit(f"no stand-in for {operation}: {asked}")


class Cascade:
    """Children of deleted parents."""

    def __init__(self):
        rooms = ((f"H#{house}", f"R#{room}") for house in range(HOUSES) for room in range(ROOMS))
        self.rooms = dict.fromkeys(rooms, True)

    def room(self, key, asked):
        item = {"pk": {"S": key[0]}, "sk": {"S": key[1]}, "note": {"S": "x" * ROOM_BYTES}}
        names = asked.get("ExpressionAttributeNames", {})
        projected = [names.get(name, name) for name in asked.get("ProjectionExpression", "").split(",") if name]
        return {name: value for name, value in item.items() if name in projected or not projected}

    def dynamodb(self, operation, asked):
        if operation == "Query":
            values = asked["ExpressionAttributeValues"]
            partition, prefix = values[":pk"]["S"], values.get(":sk", {"S": ""})["S"]
            found = [key for key in self.rooms if key[0] == partition and key[1].startswith(prefix)]
            page = [self.room(key, asked) for key in found[: asked.get("Limit", len(found))]]
            more = {"LastEvaluatedKey": {"pk": page[-1]["pk"], "sk": page[-1]["sk"]}} if len(page) < len(found) else {}
            return {"Items": page, "Count": len(page)} | more
        if operation == "BatchGetItem":
            table, keys = next(iter(asked["RequestItems"].items()))
            keys_of = ((key["pk"]["S"], key["sk"]["S"]) for key in keys["Keys"])
            return {"Responses": {table: [self.room(key, keys) for key in keys_of if key in self.rooms]}, "UnprocessedKeys": {}}
        if operation == "DescribeTable":
            keys = [("pk", "HASH"), ("sk", "RANGE")]
            table = {"TableName": "table", "TableStatus": "ACTIVE", "KeySchema": [{"AttributeName": name, "KeyType": kind} for name, kind in keys]}
            table["AttributeDefinitions"] = [{"AttributeName": name, "AttributeType": "S"} for name, _ in keys]
            table["StreamSpecification"] = {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"}
            return {"Table": table}
        if operation == "DescribeTimeToLive":
            return {"TimeToLiveDescription": {"TimeToLiveStatus": "ENABLED", "AttributeName": "instepTtl"}}
        for write in asked.get("TransactItems", []):
            if "Delete" in write:
                key = write["Delete"]["Key"]
                self.rooms.pop((key["pk"]["S"], key["sk"]["S"]), None)
        return {"UnprocessedItems": {}} if operation == "BatchWriteItem" else {}

    def events(self, operation, asked):
        if operation == "DescribeEventBus":
            return {"Name": "bus", "Arn": "arn:aws:events:eu-west-1:000000000000:event-bus/bus"}
        return {"FailedEntryCount": 0, "Entries": [{"EventId": "1"} for _ in asked["Entries"]]}


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
    # An answer is sent at once, and not a part of it after 40 ms.
    wbufsize, disable_nagle_algorithm = 1 << 16, True

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
        services = {"DynamoDB_20120810": "dynamodb", "AWSEvents": "events"}
        answer = getattr(world, services.get(service, "cognito"))(operation, asked)
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
            sys.exit(f"an invocation failed: {body.decode()}")
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
    what, folder = sys.argv[1], sys.argv[2]
    is_sweep = what == "sweep"
    world = Agreeing(int(sys.argv[3])) if is_sweep else Cascade()
    server = Server(world)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.NamedTemporaryFile("w", suffix=".toml") as model:
        model.write(open(SWEEP_MODEL, encoding="utf-8").read() if is_sweep else CASCADE_MODEL)
        model.flush()
        function = lambda name: Function(os.path.join(folder, name), server, model.name)
        sweep(lambda: function("sweep"), world) if is_sweep else cascade(function, world)


def within(peak_mib):
    """Promise 8: the memory of a function does not depend on the size of the data."""
    if peak_mib >= FUNCTION_MIB:
        sys.exit(f"the peak is {peak_mib:.1f} MiB, and the function has {FUNCTION_MIB}")


def cascade(function, world):
    arn = "arn:aws:dynamodb:eu-west-1:000000000000:table/table/stream/2026-01-01T00:00:00.000"

    def removed(house):
        image = {"pk": {"S": f"H#{house}"}, "sk": {"S": "H"}}
        change = {"Keys": image, "OldImage": image, "SequenceNumber": str(house + 1), "ApproximateCreationDateTime": int(time.time())}
        return {"eventID": str(house), "eventName": "REMOVE", "eventSource": "aws:dynamodb", "eventSourceARN": arn, "awsRegion": "eu-west-1", "dynamodb": change}

    before = len(world.rooms)
    stream = function("stream")
    answer = stream.invoked({"Records": [removed(house) for house in range(HOUSES)]})
    peak = stream.peak_mib()
    stream.end()
    print(f"cascade     peak {peak:5.1f} MiB, {before - len(world.rooms)} of {before} children deleted")
    within(peak)
    if world.rooms or answer["batchItemFailures"]:
        sys.exit(f"children are left: {len(world.rooms)}, {answer}")


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
        within(peak)
        if planned["over"]:
            tally = planned["summary"]["tally"]
            print(f"plan        peak {peak:5.1f} MiB; read: {tally['items']} items, {tally['users']} users, {tally['members']} memberships")
            if tally["kinds"]:
                sys.exit(f"it found what differs: {tally['kinds']}")
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
        within(max(peaks))
        ask["ran"] = planned["phase"]


if __name__ == "__main__":
    main()
