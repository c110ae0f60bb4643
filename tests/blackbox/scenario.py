"""What has to hold on any stand-in, asserted through the services' own APIs."""

import base64
import functools
import glob
import json
import os
import subprocess
import tempfile

from jsonschema import Draft202012Validator
from services import plain_environment, wait_for
from subscribers import Subscribers


def text(value):
    return {"S": value}


@functools.cache
def schemas(root, model):
    """The published schema of each event of a shipped model, by the name of its file."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "documents")
        command = [os.path.join(root, "target/debug/instep"), "contract", model, "--out", out]
        subprocess.run(command, capture_output=True, check=True)
        found = {}
        for path in glob.glob(os.path.join(out, "schemas/*.json")):
            with open(path, encoding="utf-8") as file:
                found[os.path.basename(path).removesuffix(".json")] = json.load(file)
        return found


def validate(root, model, event):
    """The whole event, as the bus delivered it, is as its published schema says."""
    name = event["detail-type"].replace(" ", "")
    Draft202012Validator(schemas(root, model)[name]).validate(event)


class Scenario:
    """A deployed stack with its writers and its subscribers."""

    def __init__(self, stack, clients, root, folder, subscriber_at):
        self.stack, self.root, self.folder, self.subscriber_at = stack, root, folder, subscriber_at
        self.dynamodb, self.lambdas, self.sqs, self.logs = (clients[name] for name in ("dynamodb", "lambda", "sqs", "logs"))
        self.s3, self.cognito, self.events, self.subscriber, self.stepfunctions = (
            clients[name] for name in ("s3", "cognito-idp", "events", "subscriber", "stepfunctions")
        )
        # What runs beside it; what events of a history tell that is not this table's; what subscribers received.
        self.processes, self.told, self.heard = [], [], []
        self.queue = self.subscribe("subscriber")
        self.subscribers = Subscribers(self)

    def subscribe(self, name, pattern=None, attributes=None, **target):
        """A queue with the events that match. Returns its URL."""
        url = self.subscriber.create_queue(QueueName=name, Attributes=attributes or {})["QueueUrl"]
        arn = self.subscriber.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
        rule = name.partition(".")[0]
        pattern = {"source": ["instep.access-management"], **(pattern or {})}
        self.events.put_rule(Name=rule, EventBusName=self.stack.bus, EventPattern=json.dumps(pattern))
        self.events.put_targets(Rule=rule, EventBusName=self.stack.bus, Targets=[{"Id": "queue", "Arn": arn, **target}])
        return url

    # Writers -----------------------------------------------------------------------------------------------------------

    def put(self, **item):
        self.dynamodb.put_item(TableName=self.stack.table, Item={name: text(value) for name, value in item.items()})

    def delete(self, pk, sk):
        self.dynamodb.delete_item(TableName=self.stack.table, Key={"pk": text(pk), "sk": text(sk)})

    def group(self, name):
        self.put(pk=f"G:{name}", sk=f"G:{name}", siKey1="G", id=name, name=name)

    def user(self, email):
        self.put(pk=f"U:{email}", sk=f"U:{email}", siKey1="U", email=email, createdAt="2022-08-10T23:55:20.322Z")

    def membership(self, email, group, role):
        self.put(pk=f"U:{email}", sk=f"G:{group}", role=role)

    # What is looked at -------------------------------------------------------------------------------------------------

    def groups(self):
        names, token = set(), {}
        while True:
            page = self.cognito.list_groups(UserPoolId=self.stack.pool, Limit=60, **token)
            names |= {group["GroupName"] for group in page["Groups"]}
            if "NextToken" not in page:
                return names
            token = {"NextToken": page["NextToken"]}

    def members(self, group):
        if group not in self.groups():
            return None
        users = self.cognito.list_users_in_group(UserPoolId=self.stack.pool, GroupName=group, Limit=60)["Users"]
        return sorted(self.email(user) for user in users)

    @staticmethod
    def email(user):
        return next(value["Value"] for value in user["Attributes"] if value["Name"] == "email")

    def users(self):
        users, token = [], {}
        while True:
            page = self.cognito.list_users(UserPoolId=self.stack.pool, Limit=60, **token)
            users += page["Users"]
            if "PaginationToken" not in page:
                return sorted(self.email(user) for user in users)
            token = {"PaginationToken": page["PaginationToken"]}

    def enabled(self, email):
        return self.cognito.admin_get_user(UserPoolId=self.stack.pool, Username=email)["Enabled"]

    def items(self):
        items = self.dynamodb.scan(TableName=self.stack.table, ConsistentRead=True)["Items"]
        return sorted((item["pk"]["S"], item["sk"]["S"]) for item in items if not item["pk"]["S"].startswith("INSTEP#"))

    def hear(self):
        while True:
            answer = self.subscriber.receive_message(QueueUrl=self.queue, MaxNumberOfMessages=10)
            for message in answer.get("Messages", []):
                event = json.loads(message["Body"])
                self.validate(event)
                self.heard.append(event)
                self.subscriber.delete_message(QueueUrl=self.queue, ReceiptHandle=message["ReceiptHandle"])
            if not answer.get("Messages"):
                return self.heard

    def validate(self, event):
        validate(self.root, "access-management", event)

    def has_heard(self, *detail_types):
        said = [event["detail-type"] for event in self.hear()]
        return all(said.count(wanted) >= detail_types.count(wanted) for wanted in detail_types)

    def parked(self):
        count = self.sqs.get_queue_attributes(QueueUrl=self.stack.queue, AttributeNames=["All"])["Attributes"]
        return int(count["ApproximateNumberOfMessages"]) + int(count.get("ApproximateNumberOfMessagesNotVisible", 0))

    def work_is_done(self):
        """Whether the work queue holds no message: none visible, none delayed, none in flight."""
        names = ("", "NotVisible", "Delayed")
        count = self.sqs.get_queue_attributes(QueueUrl=self.stack.work_queue, AttributeNames=["All"])["Attributes"]
        return not any(int(count.get(f"ApproximateNumberOfMessages{name}", 0)) for name in names)

    def log_lines(self):
        """What the functions wrote that is JSON."""
        lines = []
        for group in self.logs.describe_log_groups()["logGroups"]:
            token = {}
            while True:
                page = self.logs.filter_log_events(logGroupName=group["logGroupName"], **token)
                for event in page["events"]:
                    for line in event["message"].splitlines():
                        if line.startswith("{"):
                            lines.append(json.loads(line))
                if "nextToken" not in page:
                    break
                token = {"nextToken": page["nextToken"]}
        return lines

    def invoke(self, function, payload):
        answer = self.lambdas.invoke(FunctionName=function, Payload=json.dumps(payload).encode(), LogType="Tail")
        body = json.loads(answer["Payload"].read())
        log = base64.b64decode(answer.get("LogResult", "")).decode(errors="replace")
        assert "FunctionError" not in answer, (body, log)
        return body

    def instep(self, *arguments, status=0):
        """The command line, against this stack."""
        environment = plain_environment(
            INSTEP_MODEL="access-management", INSTEP_TABLE=self.stack.table, INSTEP_USER_POOL=self.stack.pool,
            INSTEP_BUS=self.stack.bus, INSTEP_PARKED_QUEUE=self.stack.queue, INSTEP_BUCKET=self.stack.bucket,
            INSTEP_WORK_QUEUE_URL=self.stack.work_queue, INSTEP_SWEEP_MACHINE=self.stack.machine, NO_COLOR="1",
        )
        environment.update(self.stack.environment)
        command = [os.path.join(self.root, "target/debug/instep"), *arguments]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, cwd=self.root)
        assert ran.returncode == status, (command, ran.returncode, ran.stdout[-2000:], ran.stderr[-2000:])
        return ran.stdout

    # What has to hold --------------------------------------------------------------------------------------------------

    def grants_are_followed(self):
        """Promise 1: Cognito is what the table implies, through the stream."""
        self.group("/usa")
        self.user("ann@example.com")
        self.membership("ann@example.com", "/usa", "reader")
        wait_for("ann is a reader", lambda: self.members("/usa|||reader") == ["ann@example.com"])
        self.membership("ann@example.com", "/usa", "admin")
        wait_for("ann is an admin", lambda: self.members("/usa|||admin") == ["ann@example.com"])
        assert self.members("/usa|||reader") == []
        # A membership before its user and its group waits for them.
        self.membership("bob@example.com", "/peru", "reader")
        self.user("bob@example.com")
        self.group("/peru")
        wait_for("bob is a reader", lambda: self.members("/peru|||reader") == ["bob@example.com"])

    def subscribers_hear(self):
        """Promise 4: every change is heard, by an EventBridge rule, and says what subscribers are told that it says."""
        expected = ["Group Created"] * 2 + ["User Created"] * 2 + ["User Granted"] * 3 + ["User Revoked"]
        wait_for("the events", lambda: self.has_heard(*expected))
        ids = [event["detail"]["metadata"]["id"] for event in self.heard]
        assert len(set(ids)) == len(ids), "an event twice"
        granted = [event["detail"]["data"].get("role") for event in self.heard if event["detail-type"] == "User Granted"]
        assert sorted(granted) == ["admin", "reader", "reader"], granted

    def removals_cascade(self):
        """Promises 1 and 3: a group takes its memberships along, and Cognito's groups go."""
        self.delete("G:/peru", "G:/peru")
        wait_for("the groups are gone", lambda: not any(name.startswith("/peru") for name in self.groups()))
        wait_for("the membership is gone", lambda: ("U:bob@example.com", "G:/peru") not in self.items())

    def the_last_revocation_ends_the_user(self):
        """She is disabled at once, and deleted a week later: until then, a mistake can be undone."""
        self.delete("U:ann@example.com", "G:/usa")
        wait_for("ann is disabled", lambda: not self.enabled("ann@example.com"))
        assert self.members("/usa|||admin") == [], "she is in no group"
        wait_for("her item is gone", lambda: ("U:ann@example.com", "U:ann@example.com") not in self.items())
        wait_for("it is heard", lambda: self.has_heard("User Deleted"))
        waiting = self.instep("due", *self.stack.at)
        assert "deletes the user of User ann@example.com" in waiting, waiting

    def a_poison_record_harms_itself_only(self):
        """Promise 6: one in the middle of a batch of a hundred leaves ninety-nine handled and one parked, and none reported."""
        before, users = self.parked(), len(self.users())

        def record(place):
            email = f"u{place:02}@example.com"
            key = {"pk": text(f"U:{email}"), "sk": text("X:poison" if place == 50 else f"U:{email}")}
            body = {"Keys": key, "NewImage": {**key, "email": text(email)}, "SequenceNumber": str(100000 + place)}
            return {"eventName": "INSERT", "eventSource": "aws:dynamodb", "dynamodb": body}

        records = [record(place) for place in range(100)]
        for item in records:
            self.dynamodb.put_item(TableName=self.stack.table, Item=item["dynamodb"]["NewImage"])
        # First by the stream, in batches as they come; then by hand, all in one.
        wait_for("99 users", lambda: len(self.users()) == users + 99)
        wait_for("one parked", lambda: self.parked() == before + 1)
        answer = self.invoke(self.stack.stream_function, {"Records": records})
        assert answer == {"batchItemFailures": []}, answer
        assert len(self.users()) == users + 99 and self.parked() == before + 2
        is_total = lambda line: line.get("Records") == 100 and "_aws" in line and "ItemType" not in line
        totals = wait_for("its metrics", lambda: [line for line in self.log_lines() if is_total(line)])
        assert totals[-1]["Parked"] == 1 and totals[-1]["Retried"] == 0, totals

    def what_is_parked_can_be_run_again(self):
        """A record that asks for the impossible is parked. When its item is corrected, a redrive takes it out of the queue."""
        before = self.parked()
        self.group("/chile")
        self.user("eve@example.com")
        self.membership("eve@example.com", "/chile", "king")
        wait_for("it is parked", lambda: self.parked() == before + 1)
        messages = self.peek()
        assert any(message["code"] == "wrong-value" and message["instepParked"] == "1" for message in messages), messages
        self.membership("eve@example.com", "/chile", "reader")
        wait_for("eve is a reader", lambda: self.members("/chile|||reader") == ["eve@example.com"])
        tally = self.invoke(self.stack.redrive_function, {"redrive": "parked", "dryRun": True})
        assert self.parked() == before + 1 and tally["done"] >= 1, tally
        tally = self.invoke(self.stack.redrive_function, {"redrive": "parked"})
        # All are sent to the work queue. The poison parks again, eve's record does not.
        assert (tally["done"], tally["kept"]) == (before + 1, 0), tally
        wait_for("the poison is parked again", lambda: self.parked() == before)

    def peek(self):
        answer = self.sqs.receive_message(QueueUrl=self.stack.queue, MaxNumberOfMessages=10, VisibilityTimeout=0)
        return [json.loads(message["Body"]) for message in answer.get("Messages", [])]

    def a_queue_hands_over_what_is_parked(self):
        """The redrive function answers an event source mapping with the messages that are to stay."""
        key = {"pk": text("G:/chile"), "sk": text("G:/chile")}
        body = {"Keys": key, "NewImage": key, "SequenceNumber": "7"}
        good = {"instepParked": "1", "code": "c", "reason": "r", "record": {"eventName": "INSERT", "dynamodb": body}}
        messages = [("good", json.dumps(good)), ("bad", "nonsense")]
        event = {"Records": [{"messageId": name, "body": body, "eventSource": "aws:sqs"} for name, body in messages]}
        answer = self.invoke(self.stack.redrive_function, event)
        assert answer == {"batchItemFailures": [{"itemIdentifier": "bad"}]}, answer

    def batches_that_lambda_gave_up_are_run_again(self):
        """An object of the on-failure destination is sent and deleted. A revoked grant in it stays revoked."""
        self.user("zoe@example.com")
        wait_for("zoe is there", lambda: "zoe@example.com" in self.users())
        capture = os.path.join(self.root, "events/access-management/10-membership-granted.json")
        with open(capture, encoding="utf-8") as file:
            event = file.read()
        object_ = {"version": "1.0", "DDBStreamBatchInfo": {}, "payload": event.replace("access-management", self.stack.table)}
        key = "aws/lambda/mapping/shard/2026/11/21/2026-11-21T09.00.00-x"
        self.s3.put_object(Bucket=self.stack.bucket, Key=key, Body=json.dumps(object_).encode())
        tally = self.invoke(self.stack.redrive_function, {"redrive": "failed"})
        assert (tally["done"], tally["kept"]) == (1, 0), tally
        assert self.s3.list_objects_v2(Bucket=self.stack.bucket).get("KeyCount", 0) == 0
        wait_for("the work is done", self.work_is_done)
        # The table has none of what the capture grants.
        assert all(not name.startswith("/japan") for name in self.groups()), self.groups()
        # An event attests a write, and this one was never revoked.
        self.told = [("hana.sato@example.com", "/japan", "admin")]

    def people_find_their_way(self):
        """The command line against the same stack: doctor, redrive, backfill, capture."""
        said = self.instep("doctor", *self.stack.at)
        assert "0 wrong" in said, said
        # The poison is still in the table.
        said = self.instep("doctor", *self.stack.at, "--scan", status=1)
        assert "1 item would be parked (unknown-item)" in said, said
        said = self.instep("doctor", *self.stack.at, "--table", "nowhere", status=1)
        assert "`nowhere` does not exist" in said, said
        # A name that no table has is refused before a call.
        self.instep("doctor", *self.stack.at, "--table", "am", status=2)
        for group in self.groups():
            self.cognito.delete_group(UserPoolId=self.stack.pool, GroupName=group)
        self.instep("backfill", *self.stack.at, "--json")
        wait_for("what the table implies", lambda: self.members("/chile|||reader") == ["eve@example.com"])
        self.instep("redrive", "parked", *self.stack.at, "--dry-run")

    def drift_is_found_and_repaired(self):
        """Promise 1: a sweep finds what somebody changed in the pool, and the work function repairs it."""
        wait_for("the work is done", self.work_is_done)
        sweep = ("sweep", *self.stack.at, "--grace", "0")
        said = self.instep(*sweep)
        assert "0 differences" in said, said
        member = {"UserPoolId": self.stack.pool, "Username": "eve@example.com", "GroupName": "/chile|||reader"}
        self.cognito.admin_remove_user_from_group(**member)
        said = self.instep("explain", "eve@example.com", *self.stack.at, status=1)
        assert "differs: missing-member eve@example.com in /chile|||reader" in said, said
        said = self.instep(*sweep, "--repair")
        assert "1 difference: 1 missing-member" in said and "1 repair sent" in said, said
        wait_for("the membership is back", lambda: self.members("/chile|||reader") == ["eve@example.com"])
        said = self.instep(*sweep)
        assert "0 differences" in said, said

    def the_state_machine_sweeps(self):
        """Promise 1: the machine that the schedule starts finds drift, unit by unit. People read the report, and it is repaired."""
        wait_for("the work is done", self.work_is_done)
        member = {"UserPoolId": self.stack.pool, "Username": "eve@example.com", "GroupName": "/chile|||reader"}
        self.cognito.admin_remove_user_from_group(**member)
        schedule = self.stack.schedule
        assert (schedule["Arn"], json.loads(schedule["Input"])) == (self.stack.machine, {"mode": "repair", "maxRemovals": 100, "change": True}), schedule

        def sweeps(*arguments):
            self.instep("sweep", "--start", "--grace", "3", *arguments, *self.stack.at)
            said = wait_for("the sweep has ended", self.has_swept)
            *differences, state = (json.loads(line) for line in said.splitlines())
            assert [(found["kind"], found["about"]) for found in differences] == [("missing-member", "eve@example.com in /chile|||reader")], said
            # More than a page of users.
            assert state["state"] == "succeeded" and not state["stopped"] and state["tally"]["users"] > 60, said
            return state

        report = sweeps()
        assert report["mode"] == "report" and report["tally"]["sent"] == 0, report
        assert self.members("/chile|||reader") == []
        # One that starts while another is under way ends at once, and the other one goes on.
        self.instep("sweep", "--start", "--grace", "3", *self.stack.at)
        self.instep("sweep", "--start", *self.stack.at)
        wait_for("one has failed", lambda: self.ended("FAILED") == ["SweepUnderWay"] and len(self.ended("SUCCEEDED")) == 2)
        repaired = sweeps("--repair", "--of", report["sweep"])
        assert (repaired["sweep"], repaired["mode"], repaired["tally"]["sent"]) == (report["sweep"], "repair", 1), repaired
        wait_for("the membership is back", lambda: self.members("/chile|||reader") == ["eve@example.com"])
        metrics = [line for line in self.log_lines() if line.get("SweepEnded") == 1]
        assert [(line["DriftFound"], line["DriftRepaired"]) for line in metrics] == [(1, 0), (1, 0), (1, 1)], metrics
        assert "no sweep is under way" in self.instep("sweep", "--stop", *self.stack.at)

    def the_state_machine_backfills(self):
        """Promise 1: a backfill of the machine creates what is missing."""
        wait_for("the work is done", self.work_is_done)
        for group in self.groups():
            self.cognito.delete_group(UserPoolId=self.stack.pool, GroupName=group)
        self.instep("backfill", "--start", *self.stack.at)
        said = wait_for("the backfill has ended", self.has_swept)
        state = json.loads(said.splitlines()[-1])
        assert (state["mode"], state["state"]) == ("backfill", "succeeded") and state["tally"]["sent"] > 60, said
        wait_for("what the table implies", lambda: self.members("/chile|||reader") == ["eve@example.com"])

    def ended(self, status):
        """The errors of the executions that have ended so."""
        listed = self.stepfunctions.list_executions(stateMachineArn=self.stack.machine, statusFilter=status)["executions"]
        described = [self.stepfunctions.describe_execution(executionArn=execution["executionArn"]) for execution in listed]
        return [execution.get("error") for execution in described]

    def has_swept(self):
        """What the last sweep says, once it has ended."""
        command = ("sweep", "--status", *self.stack.at, "--json")
        # Differences that are left are exit code 1.
        for status in (0, 1):
            try:
                said = self.instep(*command, status=status)
            except AssertionError:
                continue
            return said if said and json.loads(said.splitlines()[-1])["state"] != "running" else None
        raise AssertionError("no status")

    def logs_name_nobody(self):
        """Promise 9: no line of any log holds an address, and every line has its time and level, or is a metric."""
        lines = self.log_lines()
        assert lines, "there are no logs"
        for line in lines:
            assert "@example.com" not in json.dumps(line), line
            assert "_aws" in line or {"timestamp", "level", "message"} <= set(line) or line.get("type", "").startswith("platform"), line

    def all(self):
        self.run(
            self.grants_are_followed,
            self.subscribers_hear,
            self.removals_cascade,
            self.the_last_revocation_ends_the_user,
            self.a_poison_record_harms_itself_only,
            self.what_is_parked_can_be_run_again,
            self.a_queue_hands_over_what_is_parked,
            self.batches_that_lambda_gave_up_are_run_again,
            self.people_find_their_way,
            self.drift_is_found_and_repaired,
            self.the_state_machine_sweeps,
            self.the_state_machine_backfills,
            *self.of_subscribers(),
            self.logs_name_nobody,
        )

    def grants(self):
        """What a consumer of grants sees, without failures."""
        self.run(
            self.grants_are_followed,
            self.subscribers_hear,
            self.removals_cascade,
            self.the_last_revocation_ends_the_user,
            *self.of_subscribers(),
            self.logs_name_nobody,
        )

    def of_subscribers(self):
        yield self.subscribers.instep_events_follows
        yield self.subscribers.instep_events_deletes_what_it_printed
        yield self.subscribers.an_ordered_queue_is_in_order
        if self.stack.consumer_table:
            yield self.subscribers.the_consumer_has_the_truth

    def run(self, *steps):
        try:
            for step in steps:
                step()
                print(f"  ok  {step.__name__.replace('_', ' ')}", flush=True)
        finally:
            for process in self.processes:
                process.stop()


def captures(root, system):
    return sorted(glob.glob(os.path.join(root, "events", system, "*.json")))
