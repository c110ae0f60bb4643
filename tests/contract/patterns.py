"""Matches the published rule patterns against the published examples, with moto's engine for EventBridge's patterns.

    patterns.py DOCUMENTS    where DOCUMENTS has a folder for each model

What each pattern should match is said here by hand.
"""

import json
import sys
from pathlib import Path

from moto.events.models import EventPattern

DOCUMENTS = Path(sys.argv[1])


def meant(name, pattern, event):
    """Whether a pattern of this name is meant to match."""
    metadata, data = event["detail"]["metadata"], event["detail"]["data"]
    kind, _, value = name.partition("-")
    # The beginning or the end of a snapshot.
    is_mark = metadata["verb"] in ("started", "ended")
    wanted = {"one-scope": data.get("scope"), "one-role": data.get("role"), "one-item": metadata["item"], "one-tenant": metadata["tenant"]}
    if name in wanted:
        part = "metadata" if name in ("one-item", "one-tenant") else "data"
        (values,) = pattern["detail"]["$or"][0][part].values()
        return wanted[name] in values or is_mark
    if kind == "entity":
        return metadata["entity"] == value or is_mark
    if kind == "verb":
        return metadata["verb"] == value or is_mark and value in ("created", "granted")
    return {
        "everything": True,
        "everything-but-replays": not metadata["replay"],
        "grants-only": metadata["verb"] in ("granted", "revoked", "started", "ended"),
    }[name]


def main():
    checked = matched = 0
    of_all = [json.loads(path.read_text()) for path in sorted(DOCUMENTS.glob("*/examples/*.json"))]
    # No example is of a replay, or of a parked record.
    for mark in ("replay", "parked"):
        for example in list(of_all[:20]):
            marked = json.loads(json.dumps(example))
            marked["detail"]["metadata"][mark] = True
            of_all.append(marked)
    of_all.extend(without_example(of_all))
    for path in sorted(DOCUMENTS.glob("*/rule-patterns.json")):
        for rule in json.loads(path.read_text()):
            pattern = rule["pattern"]
            engine = EventPattern.load(json.dumps(pattern))
            for event in of_all:
                is_own = event["source"] == pattern["source"][0]
                expected = is_own and meant(rule["name"], pattern, event)
                found = bool(engine.matches_event(event))
                assert found == expected, f"{path.parent.name}: {rule['name']} {'matches' if found else 'misses'} {event}"
                checked, matched = checked + 1, matched + found
            if is_example_there(path.parent):
                assert any(engine.matches_event(event) for event in of_all), f"{path.parent.name}: {rule['name']} matches no example"
    print(f"rule patterns: {checked} pairs with examples, {matched} match")


def without_example(examples):
    """Events of the entities and verbs of which no capture has one."""
    for path in sorted(DOCUMENTS.glob("*/rule-patterns.json")):
        own = [event for event in examples if event["source"].endswith(path.parent.name)]
        there = {event["detail"]["metadata"]["entity"] for event in own}
        for rule in json.loads(path.read_text()):
            choices = rule["pattern"].get("detail", {}).get("$or", [{}])
            entities = choices[0].get("metadata", {}).get("entity", [])
            verbs = rule["pattern"].get("detail", {}).get("metadata", {}).get("verb", [])
            for verb in verbs if own and not any(event["detail"]["metadata"]["verb"] in verbs for event in own) else []:
                event = json.loads(json.dumps(own[0]))
                event["detail"]["metadata"]["verb"] = verb
                yield event
            for entity in entities if own and rule["name"].startswith("entity-") else []:
                if entity not in there:
                    event = json.loads(json.dumps(own[0]))
                    event["detail"]["metadata"]["entity"] = entity
                    yield event


def is_example_there(model):
    """Whether captures have events of the model. Of every model there are those of a snapshot."""
    return any(not path.name.startswith("Snapshot") for path in (model / "examples").glob("*.json"))


if __name__ == "__main__":
    sys.exit(main())
