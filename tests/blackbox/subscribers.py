"""Subscribers beside the built functions: `instep events` on queues of its own, an ordered queue, and the example consumer."""

import collections
import json
import os
import signal
import subprocess

from services import plain_environment, wait_for

GRANTS = {"detail": {"metadata": {"verb": ["granted", "revoked"]}}}


class Follower:
    """`instep events`, which runs beside a scenario until it is interrupted."""

    def __init__(self, scenario, name, *arguments):
        self.out = os.path.join(scenario.folder, f"{name}.out")
        self.errors = os.path.join(scenario.folder, f"{name}.errors")
        command = [os.path.join(scenario.root, "target/debug/instep"), "events", *scenario.subscriber_at, *arguments]
        with open(self.out, "wb") as out, open(self.errors, "wb") as errors:
            self.process = subprocess.Popen(
                command, env=plain_environment(NO_COLOR="1"), stdout=out, stderr=errors, cwd=scenario.root, start_new_session=True
            )

    def lines(self):
        with open(self.out, encoding="utf-8") as out:
            return out.read().splitlines()

    def interrupt(self):
        """As a person ends it. Returns all that it printed."""
        with open(self.errors, encoding="utf-8") as errors:
            assert self.process.poll() is None, (self.process.returncode, errors.read())
            self.process.send_signal(signal.SIGINT)
            assert self.process.wait(15) == 0, errors.read()
            assert not errors.read()
        return self.lines()

    def stop(self):
        self.process.kill()


class Subscribers:
    """Those of a scenario. They subscribe before anything is written."""

    def __init__(self, scenario):
        self.scenario = scenario
        self.followed, self.grants = scenario.subscribe("followed"), scenario.subscribe("grants")
        # It delivers the detail alone, where the stand-in knows `InputPath`.
        self.kept = scenario.subscribe("kept", GRANTS, {"VisibilityTimeout": "1"}, InputPath="$.detail")
        fifo = {"FifoQueue": "true", "ContentBasedDeduplication": "true"}
        self.ordered = scenario.subscribe("ordered.fifo", None, fifo, SqsParameters={"MessageGroupId": "instep"})
        self.all = Follower(scenario, "all", "--queue", self.followed, "--json")
        self.some = Follower(scenario, "some", "--queue", self.grants, "--pattern", json.dumps(GRANTS))
        scenario.processes += [self.all, self.some]

    def messages(self, url):
        names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
        count = self.scenario.subscriber.get_queue_attributes(QueueUrl=url, AttributeNames=names)["Attributes"]
        return sum(int(count.get(name, 0)) for name in names)

    def instep_events_follows(self):
        """It printed each event as the bus delivered it, or those that its pattern matches. All messages are deleted."""
        heard = self.scenario.hear
        # moto gives each target another id and time.
        as_text = lambda event: json.dumps({**event, "id": None, "time": None}, sort_keys=True)

        def is_all_printed():
            expected, printed = collections.Counter(map(as_text, heard())), collections.Counter(map(as_text, map(json.loads, self.all.lines())))
            assert expected == printed, (list(expected - printed)[:2], list(printed - expected)[:2])
            return True

        wait_for("every event is printed", is_all_printed)
        expected = sorted(self.line(event) for event in heard() if event["detail"]["metadata"]["verb"] in ("granted", "revoked"))
        assert len(expected) > 5 and len(expected) < len(heard()), expected
        wait_for("every grant is printed", lambda: sorted(self.some.lines()) == expected)
        # Also those that the pattern left out, which may come after the last that it prints.
        wait_for("every message is deleted", lambda: (self.messages(self.followed), self.messages(self.grants)) == (0, 0))
        assert len(self.all.interrupt()) == len(heard()) and sorted(self.some.interrupt()) == expected

    @staticmethod
    def line(event):
        metadata, data = event["detail"]["metadata"], event["detail"]["data"]
        marks = "".join(f"  [{mark}]" for mark in ("replay", "parked") if metadata[mark])
        time = metadata["recordedAt"] or event["time"]
        return f"{time}  {event['detail-type']}  {metadata['entityId']}: {data['role']} in {data['scope']}{marks}"

    def instep_events_deletes_what_it_printed(self):
        """With `--keep` it deletes nothing, and with `--most` nothing that it has not printed."""
        said = lambda *more: self.scenario.instep("events", *self.scenario.subscriber_at, "--queue", self.kept, "--json", *more)
        there = self.messages(self.kept)
        assert there > 5, there
        assert len(said("--keep", "--until-empty").splitlines()) >= there and self.messages(self.kept) == there
        wait_for("one is printed, and deleted", lambda: len(said("--most", "1").splitlines()) == 1)
        assert self.messages(self.kept) == there - 1
        seen = []

        def rest():
            seen.extend(json.loads(line)["detail"]["metadata"]["id"] for line in said("--until-empty").splitlines())
            return self.messages(self.kept) == 0

        wait_for("the rest is printed, and deleted", rest)
        assert len(seen) == there - 1, (len(seen), there)

    def an_ordered_queue_is_in_order(self):
        """A rule delivers to a FIFO queue: one group, each item's events in order."""
        places, late, count = collections.defaultdict(list), set(), 0
        receive = {"QueueUrl": self.ordered, "MaxNumberOfMessages": 10, "AttributeNames": ["All"]}
        while messages := self.scenario.subscriber.receive_message(**receive).get("Messages"):
            for message in messages:
                assert message["Attributes"]["MessageGroupId"] == "instep", message
                metadata = json.loads(message["Body"])["detail"]["metadata"]
                places[metadata["item"]].append((metadata["sequence"], metadata["index"]))
                # A parked record is redriven after later ones, and this scenario made up records with small numbers.
                if metadata["parked"] or len(metadata["sequence"].lstrip("0")) < 10:
                    late.add(metadata["item"])
                self.scenario.subscriber.delete_message(QueueUrl=self.ordered, ReceiptHandle=message["ReceiptHandle"])
                count += 1
        assert count == len(self.scenario.hear()) and any(len(some) > 2 for some in places.values()), (count, places)
        for item, some in places.items():
            assert item in late or some == sorted(some), (item, some)

    def the_consumer_has_the_truth(self):
        """The example consumer's table says what the table says: who has which role where."""
        stack, dynamodb = self.scenario.stack, self.scenario.dynamodb
        self.scenario.user("kim@example.com")
        self.scenario.membership("kim@example.com", "/usa", "reader")
        scan = lambda table: dynamodb.scan(TableName=table, ConsistentRead=True)["Items"]

        def is_equal():
            rows = [row for row in scan(stack.consumer_table) if row["granted"]["BOOL"]]
            said = sorted((row["entityId"]["S"], row["scope"]["S"], row["role"]["S"]) for row in rows)
            items = [(item["pk"]["S"], item["sk"]["S"], item) for item in scan(stack.table)]
            grants = [(pk[2:], sk[2:], item["role"]["S"]) for pk, sk, item in items if pk.startswith("U:") and sk.startswith("G:")]
            assert said == sorted(grants + self.scenario.told), (said, grants)
            return True

        wait_for("the consumer's rows", is_equal)
        assert len(scan(stack.consumer_table)) > 3, "revoked ones stay"
        assert self.messages(stack.consumer_dead_letters) == 0
