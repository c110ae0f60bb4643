"""Compares `instep events --pattern` with two engines for EventBridge's patterns that this project did not write: moto's, and
ministack's, which also refuses what EventBridge refuses.

    matching.py INSTEP DOCUMENTS    where DOCUMENTS has a folder for each model

Every published rule pattern, and a list with every operator, is matched against every published example and some events of
other shapes.
"""

import json
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from ministack.services import eventbridge
from moto.events.models import EventPattern

ROOT = Path(__file__).resolve().parents[2]
INSTEP, DOCUMENTS = sys.argv[1], Path(sys.argv[2])

# Values of every type, where the examples have fewer.
SHAPES = [
    {"text": "admin", "number": 5, "flag": False, "nothing": None, "list": ["x", "y", 3], "inner": {"deep": {"text": "Ümlaut*"}}},
    {"text": "ADMIN", "number": -0.5, "flag": True, "list": [], "inner": {"deep": {"text": "back\\slash"}}, "lines": [{"a": 1, "b": 2}]},
    {"text": "", "number": 300.0, "list": [None, False], "inner": {}, "lines": [{"a": 1, "b": 1}, {"a": 2, "b": 2}]},
    {"text": "a*b", "number": "5", "list": "x"},
    {"text": "administrator of all"},
]

TESTS = {
    "text": [
        "admin", 5, None, True, {"prefix": "adm"}, {"prefix": ""}, {"prefix": {"equals-ignore-case": "AdM"}}, {"suffix": "in"},
        {"suffix": ""}, {"suffix": {"equals-ignore-case": "MIN"}}, {"equals-ignore-case": "aDmIn"}, {"wildcard": "a*n"},
        {"wildcard": "*"}, {"wildcard": "*m*i*"}, {"wildcard": "a*a*n"}, {"wildcard": "a\\*b"}, {"wildcard": "admin"}, {"wildcard": ""},
        {"anything-but": "admin"}, {"anything-but": ["admin", ""]}, {"anything-but": 5}, {"anything-but": {"prefix": "adm"}},
        {"anything-but": {"prefix": ["a", "A"]}}, {"anything-but": {"suffix": "in"}}, {"anything-but": {"suffix": ["in", "b"]}},
        {"anything-but": {"equals-ignore-case": "admin"}}, {"anything-but": {"equals-ignore-case": ["admin", "a*B"]}},
        {"anything-but": {"wildcard": "a*"}}, {"anything-but": {"wildcard": ["a*", "A*"]}}, {"exists": True}, {"exists": False},
    ],
    "number": [
        5, -0.5, "5", {"numeric": ["=", 5]}, {"numeric": ["<", 5]}, {"numeric": ["<=", 5]}, {"numeric": [">", -1]}, {"numeric": [">=", 300]},
        {"numeric": [">", 0, "<", 5]}, {"numeric": [">=", 5, "<=", 300]}, {"anything-but": 5}, {"anything-but": [5, 300]},
        {"anything-but": {"prefix": "5"}}, {"exists": False},
    ],
    "flag": [True, False, {"anything-but": "x"}, {"exists": True}],
    "nothing": [None, {"exists": True}, {"exists": False}],
    "list": ["x", 3, None, {"anything-but": "x"}, {"anything-but": ["x", "y"]}, {"prefix": "y"}],
}

# Whole patterns of `detail`.
DETAILS = [
    {"text": ["admin", "ADMIN"], "number": [5]}, {"text": [{"prefix": "z"}, {"suffix": "n"}]}, {"text": [{"exists": False}, "admin"]},
    {"inner": {"deep": {"text": [{"wildcard": "*\\*"}]}}}, {"inner": {"deep": {"text": [{"wildcard": "*\\\\*"}]}}},
    {"inner": {"deep": [{"exists": False}]}}, {"inner": {"deep": {"text": [{"exists": False}]}}}, {"inner": {"deep": [{"exists": True}]}},
    {"$or": [{"text": ["admin"]}, {"number": [{"numeric": [">", 100]}]}]},
    {"flag": [True], "$or": [{"text": ["admin"]}, {"number": [-0.5]}]},
    {"$or": [{"text": ["admin"], "number": [6]}, {"$or": [{"flag": [True]}, {"list": ["y"]}]}]},
    {"metadata": {"verb": [{"anything-but": ["granted", "revoked"]}], "index": [{"numeric": [">=", 1]}]}},
    {"metadata": {"correlationId": [{"exists": True}], "tenant": [None]}}, {"data": {"scope": [{"exists": False}]}},
    {"data": {"changed": ["role", "name"]}}, {"data": {"$or": [{"role": [{"prefix": "a"}]}, {"scope": [{"wildcard": "/*a"}]}]}},
    {"data": {"guard": {"holder": [{"exists": True}]}}},
]

# moto takes a list for one value, so it says nothing of objects in it. It calls an empty list or object a value, and `false` zero.
ONLY_MINISTACK = [
    {"lines": {"a": [1], "b": [2]}}, {"lines": {"a": [2], "b": [1]}}, {"lines": {"a": [{"exists": False}]}}, {"lines": [{"exists": True}]},
    {"list": [{"exists": True}]}, {"list": [{"exists": False}]}, {"inner": [{"exists": True}]}, {"inner": [{"exists": False}]},
    {"inner.deep.text": [{"exists": True}]}, {"list": [False]}, {"list": [0]}, {"flag": [0]}, {"flag": [{"anything-but": 0}]},
    {"list": [{"numeric": ["<", 4]}]},
]

REFUSED = [
    {}, {"text": []}, {"text": "admin"}, {"text": 5}, {"text": {}}, {"text": [["admin"]]}, {"text": [{}]}, {"text": [{"begins": "a"}]},
    {"text": [{"regexp": "a"}]}, {"text": [{"prefix": 5}]}, {"text": [{"prefix": ["a"]}]}, {"text": [{"prefix": {"suffix": "a"}}]},
    {"text": [{"suffix": None}]}, {"text": [{"equals-ignore-case": ["a"]}]}, {"text": [{"equals-ignore-case": 5}]}, {"text": [{"exists": "true"}]},
    {"text": [{"wildcard": "a**"}]}, {"text": [{"wildcard": "a\\b"}]}, {"text": [{"wildcard": "a\\"}]}, {"text": [{"wildcard": ["a*"]}]},
    {"text": [{"anything-but": []}]}, {"text": [{"anything-but": None}]}, {"text": [{"anything-but": True}]}, {"text": [{"anything-but": ["a", 5]}]},
    {"text": [{"anything-but": {"prefix": ""}}]}, {"text": [{"anything-but": {"prefix": []}}]}, {"text": [{"anything-but": {"numeric": ["<", 5]}}]},
    {"text": [{"anything-but": {"exists": True}}]}, {"text": [{"anything-but": [["a"]]}]}, {"text": [{"prefix": "a", "suffix": "b"}]},
    {"number": [{"numeric": []}]}, {"number": [{"numeric": ["<"]}]}, {"number": [{"numeric": ["<>", 5]}]}, {"number": [{"numeric": ["<", "5"]}]},
    {"number": [{"numeric": ["<", 5, ">", 0]}]}, {"number": [{"numeric": [">", 5, "<", 5]}]}, {"number": [{"numeric": 5}]},
    {"number": [{"numeric": [">", 0, "<", 5, "<", 6]}]}, {"number": [{"numeric": ["=", 5, "=", 5]}]},
    {"$or": [{"text": ["a"]}]}, {"$or": []}, {"$or": {"text": ["a"]}}, {"$or": ["a", "b"]},
]


class Ours:
    """`instep events` over a kept stack whose events are those to be matched."""

    def __init__(self, instep, folder, events):
        self.instep, self.data = instep, f"{folder}/data"
        history = ROOT / "events/access-management/01-user-created.json"
        subprocess.run([instep, "replay", str(history), "--data", self.data], cwd=ROOT, capture_output=True, check=True)
        with open(f"{self.data}/events.jsonl", "w", encoding="utf-8") as file:
            for event in events:
                entry = {"EventId": event["id"], "Source": event["source"], "DetailType": event["detail-type"], "EventBusName": "instep", "Time": event["time"]}
                file.write(json.dumps({**entry, "Detail": json.dumps(event["detail"])}) + "\n")

    def run(self, pattern):
        command = [self.instep, "events", "--data", self.data, "--until-empty", "--json", "--pattern", json.dumps(pattern)]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)

    def matched(self, pattern):
        ran = self.run(pattern)
        assert ran.returncode == 0, (pattern, ran.stderr)
        return {json.loads(line)["id"] for line in ran.stdout.splitlines()}


def of_ministack(pattern, event):
    stored = {"Source": event["source"], "DetailType": event["detail-type"], "Detail": json.dumps(event["detail"]), "EventId": event["id"]}
    return eventbridge._matches_pattern(json.dumps(pattern), {**stored, "Time": event["time"]})


def of_moto(pattern, event):
    return bool(EventPattern.load(json.dumps(pattern)).matches_event(event))


def all_events():
    found = [json.loads(path.read_text()) for path in sorted(DOCUMENTS.glob("*/examples/*.json"))]
    found += [{"source": "shapes", "detail-type": "Shape", "time": "2026-01-01T00:00:00Z", "detail": detail} for detail in SHAPES]
    for place, event in enumerate(found):
        event["id"] = f"event-{place}"
    return found


def main():
    events = all_events()
    published = [rule["pattern"] for path in sorted(DOCUMENTS.glob("*/rule-patterns.json")) for rule in json.loads(path.read_text())]
    tests = [{"detail": {name: [test]}} for name, tests in TESTS.items() for test in tests]
    both = published + tests + [{"detail": detail} for detail in DETAILS]
    both += [{"source": ["shapes"], "detail-type": [{"prefix": "Sh"}]}, {"source": [{"anything-but": "shapes"}]}]
    only = [{"detail": detail} for detail in ONLY_MINISTACK]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as threads:
        ours = Ours(INSTEP, folder, events)
        wrong = matches = 0
        for pattern, matched in zip(both + only, threads.map(ours.matched, both + only)):
            matches += len(matched)
            for event in events:
                answers = {"instep": event["id"] in matched, "ministack": of_ministack(pattern, event)}
                if pattern not in only:
                    answers["moto"] = of_moto(pattern, event)
                if len(set(answers.values())) > 1:
                    wrong += 1
                    print(f"{json.dumps(pattern)}: {answers} for {json.dumps(event['detail'])[:200]}", file=sys.stderr)
        refused = [{"detail": detail} for detail in REFUSED]
        for pattern, ran in zip(refused, threads.map(ours.run, refused)):
            by_other = eventbridge._parse_pattern_text(json.dumps(pattern))[0] is None
            # It reads a wrong `$or` as a field of that name, as EventBridge does for old rules.
            if ran.returncode != 2 or not by_other and "$or" not in pattern["detail"]:
                wrong += 1
                print(f"{json.dumps(pattern)}: instep {ran.returncode}, ministack refuses: {by_other}", file=sys.stderr)
    assert not wrong, f"{wrong} answers differ"
    assert matches > 500, matches
    print(f"instep events: {len(both + only)} patterns over {len(events)} events, {matches} match; {len(refused)} refused")


if __name__ == "__main__":
    sys.exit(main())
