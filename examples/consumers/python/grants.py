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
    scope: str | None
    role: str | None


class Place(NamedTuple):
    """Orders the events of one item. Sequence numbers have the same number of digits."""

    sequence: str
    nth: int


class Grants:
    """Who has which role where."""

    def __init__(self) -> None:
        # By item and grant. A revoked row stays, so that an older `granted` that comes late is known as older.
        self._rows: dict[tuple[str, Grant], tuple[Place, bool]] = {}
        # The ids that were seen, and whether each event was of a parked record.
        self._seen: dict[str, bool] = {}

    def apply(self, event: GrantEvent) -> None:
        metadata, data = event["detail"]["metadata"], event["detail"]["data"]
        parked = self._seen.get(metadata["id"])
        if parked is False or (parked and metadata["parked"]):
            return
        self._seen[metadata["id"]] = metadata["parked"]
        scope, role = data.get("scope"), data.get("role")
        grant = Grant(
            metadata["entity"],
            metadata["entityId"],
            scope if isinstance(scope, str) else None,
            role if isinstance(role, str) else None,
        )
        # Two items can give one role: each has a row of its own, because only the events of one item have an order.
        row, place = (metadata["item"], grant), Place(metadata["sequence"], metadata["index"])
        if row in self._rows and self._rows[row][0] >= place:
            return
        self._rows[row] = (place, metadata["verb"] == "granted")

    def all(self) -> set[Grant]:
        return {grant for (_, grant), (_, is_granted) in self._rows.items() if is_granted}


def is_of_grant(delivered: dict[str, Any]) -> bool:
    """Whether a delivered event is one of a grant. Others, also those of a later version, are ignored."""
    return delivered.get("detail", {}).get("metadata", {}).get("verb") in ("granted", "revoked")


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


if __name__ == "__main__":
    main()
