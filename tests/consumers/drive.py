"""Delivers every captured history to each consumer as EventBridge and SQS might: repeated, in any order, and with
one delivery lost and redriven at the end. Then it loses events for good, or all rows, and recovers with a snapshot. Each
read model must end equal to the table.

    drive.py INSTEP CONSUMER...    where a CONSUMER is NAME=COMMAND

What the table says is read from its items here, by hand for each design: no code of Instep's decides it.
"""

import json
import random
import re
import shlex
import subprocess
import sys
import tempfile
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MODELS = ["access-management", "account-management", "authorization", "platform", "relational-store"]
SHUFFLES = 3
LOSSES = 20
LONG_AFTER = "2031-01-01T00:00:00Z"


def plain(value):
    """A DynamoDB value as plain JSON. Sets are lists."""
    ((kind, inner),) = value.items()
    if kind == "L":
        return [plain(one) for one in inner]
    if kind == "M":
        return {name: plain(one) for name, one in inner.items()}
    return None if kind == "NULL" else list(inner) if kind in ("SS", "NS", "BS") else inner


def texts(value):
    if isinstance(value, str):
        return [value] if value else []
    return [one for one in value or [] if isinstance(one, str) and one]


def moment(text, is_end):
    """A time, or the beginning or end of a day."""
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", text):
        day = date.fromisoformat(text) + timedelta(days=1 if is_end else 0)
        return datetime(day.year, day.month, day.day, tzinfo=timezone.utc)
    if text.isdigit():
        return datetime.fromtimestamp(int(text), timezone.utc)
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def access_management(item, now):
    user, group = item["pk"], item["sk"]
    if user.startswith("U:") and group.startswith("G:"):
        for role in texts(item.get("role")):
            yield "User", user[2:], group[2:], role


def authorization(item, now):
    pk, sk = item["PK"], item["SK"]
    if pk.startswith("USER#") and pk == sk:
        for role in texts(item.get("roles")):
            yield "User", pk[5:], None, role
    if pk.startswith("TENANT#") and sk.startswith("USER#"):
        for role in texts(item.get("roles")):
            yield "User", sk[5:], pk[7:], role


def platform(item, now):
    pk, sk = item["PK"], item["SK"]
    if pk.startswith("USER#") and sk.startswith("WORKSTREAM#"):
        yield "User", pk[5:], sk[11:], None
    if pk.startswith("ROLE#") and sk.startswith("PERMISSION#"):
        yield "Role", pk[5:], sk[11:], None


def account_management(item, now):
    pk, sk = item["PK"], item["SK"]
    if not (pk.startswith("USER#") and sk.startswith("ROLE#")):
        return
    kind, scope, role = sk[5:].split("#")
    start, end = item.get("start_at"), item.get("expires_at")
    if start and moment(start, False) > now or end and moment(end, True) <= now:
        return
    yield "User", pk[5:], scope, role


TRUTH = {
    "access-management": access_management,
    "account-management": account_management,
    "authorization": authorization,
    "platform": platform,
    "relational-store": lambda item, now: (),
}


class History:
    """A capture, replayed on the embedded stand-in."""

    def __init__(self, instep, model, path, *more):
        out = subprocess.run(
            [instep, "replay", str(path), "--model", model, "--json", "--state", *more], cwd=ROOT, capture_output=True, text=True
        )
        assert out.returncode in (0, 1), out.stderr
        lines = [json.loads(line) for line in out.stdout.splitlines()]
        self.events = [line["event"] for line in lines if line["kind"] == "event"]
        self.items = [
            {name: plain(value) for name, value in line["item"].items()}
            for line in lines
            if line["kind"] == "state" and line["of"] == "item"
        ]
        recorded = [event["detail"]["metadata"]["recordedAt"] for event in self.events]
        self.now = max((moment(time, False) for time in recorded if time), default=datetime.now(timezone.utc))

    def truth(self, model, now):
        rows = {row for item in self.items for row in TRUTH[model](item, now)}
        return sorted(rows, key=str)


def deliveries(events, chance):
    """Events as a subscriber may get them."""
    found = list(events)
    lost = [found.pop(chance.randrange(len(found)))] if found else []
    found += [event for event in found if chance.random() < 0.3]
    chance.shuffle(found)
    # SQS's dead-letter queue is redriven when everything else has come.
    return found + lost


class Consumer:
    """A consumer in a process of its own."""

    def __init__(self, name, command):
        self.name = name
        self.process = subprocess.Popen(
            shlex.split(command), cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1 << 16
        )

    def read_model(self, events):
        for event in events:
            self.process.stdin.write(json.dumps(event) + "\n")
        self.process.stdin.write('{"end": true}\n')
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"{self.name} ended: {self.process.wait()}"
        rows = {(row["entity"], row["entityId"], row["scope"], row["role"]) for row in json.loads(line)}
        return sorted(rows, key=str)


def compare(consumers, what, events, truth):
    for consumer in consumers:
        model = consumer.read_model(events)
        assert model == truth, f"{consumer.name}, {what}: it says\n  {model}\nbut the table says\n  {truth}"


def every_history(instep, consumers, chance):
    histories = grants = 0
    for model in MODELS:
        for path in sorted((ROOT / "events" / model).glob("*.json")):
            for more in ([], ["--now", LONG_AFTER]) if model == "account-management" else ([],):
                history = History(instep, model, path, *more)
                truth = history.truth(model, moment(LONG_AFTER, False) if more else history.now)
                histories, grants = histories + 1, grants + len(truth)
                for _ in range(SHUFFLES):
                    compare(consumers, f"{path.name} {more}", deliveries(history.events, chance), truth)
    return histories, grants


def snapshot(instep, data, *more):
    out = subprocess.run([instep, "contract", "snapshot", "--data", data, *more], cwd=ROOT, capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    return [json.loads(line) for line in out.stdout.splitlines()]


def from_snapshots(instep, consumers, chance):
    """A subscriber that comes in the middle: it subscribes, takes a snapshot, and gets what comes afterwards, in any order."""
    for model in MODELS:
        captures = sorted((ROOT / "events" / model).glob("*.json"))
        if not captures:
            continue
        with tempfile.TemporaryDirectory() as folder:
            data = f"{folder}/data"
            half = len(captures) // 2
            histories = []
            for place, path in enumerate(captures):
                histories.append(History(instep, model, path, "--data", data))
                if place == half:
                    taken = snapshot(instep, data, "--now", histories[-1].now.strftime("%Y-%m-%dT%H:%M:%SZ"))
            truth = histories[-1].truth(model, histories[-1].now)
            # It subscribed some histories before the snapshot.
            since = max(0, half - 3)
            events = [event for history in histories[since:] for event in history.events]
            for _ in range(SHUFFLES):
                found = deliveries(events, chance)
                at = chance.randrange(len(found) + 1)
                compare(consumers, f"{model} from a snapshot", found[:at] + taken + found[at:], truth)
            # And one that comes when nothing happens any more.
            last = snapshot(instep, data, "--now", histories[-1].now.strftime("%Y-%m-%dT%H:%M:%SZ"))
            compare(consumers, f"{model}, only a snapshot", last, truth)


class Losses:
    """All histories of a model, one after the other on one table, and a snapshot an hour after the last."""

    def __init__(self, instep, model):
        self.model = model
        with tempfile.TemporaryDirectory() as folder:
            data = f"{folder}/data"
            captures = sorted((ROOT / "events" / model).glob("*.json"))
            self.histories = [History(instep, model, path, "--data", data) for path in captures]
            now = max(history.now for history in self.histories) + timedelta(hours=1)
            self.truth = self.histories[-1].truth(model, now)
            self.snapshot = snapshot(instep, data, "--now", now.strftime("%Y-%m-%dT%H:%M:%SZ"))
        self.events = [event for history in self.histories for event in history.events]

    def taken(self, chance):
        """The snapshot as a queue delivers it: twice, in any order."""
        lines = self.snapshot + chance.sample(self.snapshot, len(self.snapshot) // 4)
        chance.shuffle(lines)
        return lines

    def lossy(self, chance):
        """A tenth of the events never comes. Some come while the snapshot does, and after it."""
        left = [event for event in self.events if chance.random() >= 0.1]
        chance.shuffle(left)
        late = chance.sample(left, len(left) // 4)
        during = self.taken(chance) + late[::2]
        chance.shuffle(during)
        return left + during + late[1::2]

    def wiped(self, chance):
        """The rows are lost. After the snapshot, a quarter of the old events comes again."""
        old = chance.sample(self.events, len(self.events) // 4)
        during = self.taken(chance) + old[::2]
        chance.shuffle(during)
        return during + old[1::2]

    def with_a_part(self, chance):
        """Nothing is lost. A snapshot of some items comes, such as one of what has changed since a time."""
        started, *entries, ended = self.snapshot
        ended = json.loads(json.dumps(ended))
        ended["detail"]["metadata"]["snapshot"]["complete"] = False
        return deliveries(self.events, chance) + [started] + chance.sample(entries, len(entries) // 2) + [ended]

    def restored(self, chance):
        """The second half of each item's events is of a table that was restored: its sequence numbers begin anew."""
        of_items = {}
        for event in self.events:
            of_items.setdefault(event["detail"]["metadata"]["item"], []).append(event)
        halves = [(events[: len(events) // 2], events[len(events) // 2 :]) for events in of_items.values()]
        before = [in_epoch(event, "2000-01-01T00:00:00.000", "9") for half, _ in halves for event in half]
        return deliveries(before + [event for _, half in halves for event in half], chance)


def in_epoch(event, epoch, digit):
    """The event as one of another stream, with sequence numbers that begin with another digit."""
    event = json.loads(json.dumps(event))
    metadata = event["detail"]["metadata"]
    metadata["epoch"], metadata["sequence"] = epoch, digit + metadata["sequence"][1:]
    return event


def without_end(events):
    return [event for event in events if event["detail"]["metadata"]["verb"] != "ended"]


def without_epoch(events):
    return [in_epoch(event, "", event["detail"]["metadata"]["sequence"][0]) for event in events]


def after_losses(instep, consumers, chance):
    """Every experiment ends right, and without the end of a snapshot, or without epochs, some ends wrong."""
    noticed = {"the end of a snapshot": False, "epochs": False}
    for model in MODELS:
        losses = Losses(instep, model)
        now = max(history.now for history in losses.histories)
        present = losses.histories[-1].truth(model, now)
        for nth in range(LOSSES):
            lossy, restored = losses.lossy(chance), losses.restored(chance)
            compare(consumers, f"{model}, loss {nth}", lossy, losses.truth)
            compare(consumers, f"{model}, wiped {nth}", losses.wiped(chance), losses.truth)
            compare(consumers, f"{model}, restored {nth}", restored, present)
            compare(consumers, f"{model}, with a part {nth}", losses.with_a_part(chance), losses.truth)
            without = {"the end of a snapshot": (without_end(lossy), losses.truth), "epochs": (without_epoch(restored), present)}
            for what, (events, truth) in without.items():
                noticed[what] |= any(consumer.read_model(events) != truth for consumer in consumers[:1])
    assert all(noticed.values()), f"the experiment does not notice what is missing: {noticed}"


def main():
    instep, *named = sys.argv[1:]
    seed = random.randrange(1 << 32)
    print(f"seed {seed}")
    chance = random.Random(seed)
    consumers = [Consumer(*consumer.split("=", 1)) for consumer in named]
    histories, grants = every_history(instep, consumers, chance)
    assert histories > 100 and grants > 50, f"only {histories} histories with {grants} grants"
    from_snapshots(instep, consumers, chance)
    after_losses(instep, consumers, chance)
    names = ", ".join(consumer.name for consumer in consumers)
    print(f"{names}: {histories} histories, {SHUFFLES} orders each, {grants} grants in the end; from snapshots; and after {LOSSES} losses of each model")


if __name__ == "__main__":
    main()
