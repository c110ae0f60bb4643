"""A read model of who has which role where, from nothing but Instep's published documents.

Run as a program, it reads deliveries, one JSON object a line. After {"end": true} it prints the read
model and starts again.
"""

import json
import sys
from typing import Any, NamedTuple

# `instep contract MODEL --out DIR` writes such declarations for your own model.
from access_management_events import UserGranted as MemberGranted
from access_management_events import UserRevoked as MemberRevoked
from authorization_events import UserGranted, UserRevoked

GrantEvent = MemberGranted | MemberRevoked | UserGranted | UserRevoked


class Grant(NamedTuple):
    """A subject has a role, everywhere or in a scope."""

    entity: str
    entity_id: str
    # Items of two entities can have one id.
    scope_entity: str | None
    scope: str | None
    role: str | None


class Place(NamedTuple):
    """Orders the events of one item. Sequence numbers have the same number of digits."""

    epoch: str
    sequence: str
    nth: int


class Row(NamedTuple):
    """The last thing that is known of a grant."""

    # None: it is from a snapshot, which has seen what happened before `at`.
    place: Place | None
    # When it happened, or the watermark of the snapshot.
    at: str
    is_granted: bool


class Grants:
    """Who has which role where."""

    def __init__(self) -> None:
        # By item and grant. A revoked row stays until a snapshot ends, so that an older `granted` that comes late is
        # known as older.
        self._rows: dict[tuple[str, Grant], Row] = {}
        # What happened before is in the last whole snapshot.
        self._watermark = ""

    def apply(self, event: GrantEvent) -> None:
        metadata, data = event["detail"]["metadata"], event["detail"]["data"]
        scope_entity, scope, role = data.get("scopeEntity"), data.get("scope"), data.get("role")
        grant = Grant(
            metadata["entity"],
            metadata["entityId"],
            scope_entity if isinstance(scope_entity, str) else None,
            scope if isinstance(scope, str) else None,
            role if isinstance(role, str) else None,
        )
        # Two items can give one role: each has a row of its own, because only the events of one item have an order.
        key = (metadata["item"], grant)
        snapshot = metadata.get("snapshot")
        if snapshot is None:
            place = Place(metadata["epoch"], metadata["sequence"], metadata["index"])
            self._set(key, Row(place, metadata["recordedAt"] or "", metadata["verb"] == "granted"))
        else:
            self._set(key, Row(None, snapshot["watermark"], True))

    def _set(self, key: tuple[str, Grant], row: Row) -> None:
        last = self._rows.get(key)
        if row.at >= self._watermark and (last is None or is_newer(row, last)):
            self._rows[key] = row

    def end_of_snapshot(self, watermark: str) -> None:
        """What was not changed since the watermark of a whole snapshot, and is not in it, is gone."""
        self._watermark = max(self._watermark, watermark)
        self._rows = {key: row for key, row in self._rows.items() if row.at >= self._watermark}

    def all(self) -> set[Grant]:
        return {grant for (_, grant), row in self._rows.items() if row.is_granted}


def is_newer(row: Row, last: Row) -> bool:
    if row.place and last.place:
        return row.place > last.place
    # Of the second in which both happened, the event is the later one.
    return row.at > last.at or (row.at == last.at and last.place is None)


def is_of_grant(delivered: dict[str, Any]) -> bool:
    """Whether a delivered event is one of a grant. Others, also those of a later version, are ignored."""
    return delivered.get("detail", {}).get("metadata", {}).get("verb") in ("granted", "revoked")


def whole_snapshot(delivered: dict[str, Any]) -> str | None:
    """The watermark of a whole snapshot, if this is its end."""
    metadata = delivered.get("detail", {}).get("metadata", {})
    if metadata.get("verb") != "ended" or metadata["snapshot"]["complete"] is not True:
        return None
    return str(metadata["snapshot"]["watermark"])


def main() -> None:
    grants = Grants()
    for line in sys.stdin:
        delivered: Any = json.loads(line)
        if "end" in delivered:
            rows = [
                {"entity": grant.entity, "entityId": grant.entity_id, "scope": grant.scope, "role": grant.role}
                for grant in grants.all()
            ]
            print(json.dumps(rows), flush=True)
            grants = Grants()
        elif is_of_grant(delivered):
            grants.apply(delivered)
        elif watermark := whole_snapshot(delivered):
            grants.end_of_snapshot(watermark)


if __name__ == "__main__":
    main()
