// A read model of who has which role where, from nothing but Instep's published documents.

// `instep contract MODEL --out DIR` writes such declarations for your own model, in `DIR/events.d.ts`.
import type { AccessManagementEvent } from "./events/access-management.d.ts";
import type { AccountManagementEvent } from "./events/account-management.d.ts";
import type { AuthorizationEvent } from "./events/authorization.d.ts";
import type { PlatformEvent } from "./events/platform.d.ts";

type AnyEvent = AccessManagementEvent | AccountManagementEvent | AuthorizationEvent | PlatformEvent;

/** The events of grants. Of every event, TypeScript keeps those with these names. */
export type GrantEvent = Extract<
  AnyEvent,
  { readonly "detail-type": "User Granted" | "User Revoked" | "Role Granted" | "Role Revoked" }
>;

/** A subject has a role, everywhere or in a scope. */
export interface Grant {
  readonly entity: string;
  readonly entityId: string;
  /** Items of two entities can have one id. */
  readonly scopeEntity: string | null;
  readonly scope: string | null;
  readonly role: string | null;
}

/** The end of a snapshot. */
export type SnapshotEnded = Extract<AnyEvent, { readonly "detail-type": "Snapshot Ended" }>;

/** Orders the events of one item. */
interface Place {
  readonly epoch: string;
  readonly sequence: string;
  readonly index: number;
}

/** The last thing that is known of a grant. */
interface Row {
  readonly grant: Grant;
  /** `null`: it is from a snapshot, which has seen what happened before `at`. */
  readonly place: Place | null;
  /** When it happened, or the watermark of the snapshot. */
  readonly at: string;
  readonly isGranted: boolean;
}

const GRANTED: ReadonlySet<string> = new Set(["User Granted", "Role Granted"]);
const REVOKED: ReadonlySet<string> = new Set(["User Revoked", "Role Revoked"]);

/** Whether a delivered event is one of a grant. Others, also those of a later version, are ignored. */
export function isOfGrant(event: { readonly "detail-type": string }): event is GrantEvent {
  return GRANTED.has(event["detail-type"]) || REVOKED.has(event["detail-type"]);
}

/** Whether a delivered event is the end of a snapshot, of any model. */
export function isEndOfSnapshot(event: object): event is SnapshotEnded {
  return (event as Partial<SnapshotEnded>).detail?.metadata?.verb === "ended";
}

export class Grants {
  /** By item and grant. A revoked row stays until a snapshot ends, so that a `granted` that comes late is known as older. */
  private readonly rows = new Map<string, Row>();
  /** What happened before is in the last whole snapshot. */
  private watermark = "";

  apply(event: GrantEvent): void {
    const { metadata, data } = event.detail;
    const grant: Grant = {
      entity: metadata.entity,
      entityId: metadata.entityId,
      scopeEntity: "scopeEntity" in data ? data.scopeEntity : null,
      scope: "scope" in data ? data.scope : null,
      role: "role" in data ? data.role : null,
    };
    // Two items can give one role: each has a row of its own, because only the events of one item have an order.
    const key = JSON.stringify([metadata.item, ...Object.values(grant)]);
    const { epoch, sequence, index, recordedAt, snapshot } = metadata;
    if (snapshot) {
      this.set(key, { grant, place: null, at: snapshot.watermark, isGranted: true });
    } else {
      const isGranted = GRANTED.has(event["detail-type"]);
      this.set(key, { grant, place: { epoch, sequence, index }, at: recordedAt ?? "", isGranted });
    }
  }

  private set(key: string, row: Row): void {
    const last = this.rows.get(key);
    if (row.at >= this.watermark && (!last || isNewer(row, last))) this.rows.set(key, row);
  }

  /** What was not changed since the watermark of a whole snapshot, and is not in it, is gone. */
  end({ detail }: SnapshotEnded): void {
    const { watermark, complete } = detail.metadata.snapshot;
    if (!complete || watermark < this.watermark) return;
    this.watermark = watermark;
    for (const [key, row] of this.rows) if (row.at < watermark) this.rows.delete(key);
  }

  /** Who has which role where. */
  all(): Grant[] {
    const granted = [...this.rows.values()].filter((row) => row.isGranted).map((row) => row.grant);
    return [...new Map(granted.map((grant) => [JSON.stringify(grant), grant])).values()];
  }
}

function isNewer(row: Row, last: Row): boolean {
  if (row.place && last.place) return isAfter(row.place, last.place);
  // Of the second in which both happened, the event is the later one.
  return row.at > last.at || (row.at === last.at && !last.place);
}

/** Sequence numbers have the same number of digits, so they compare as texts. */
function isAfter(place: Place, last: Place): boolean {
  if (place.epoch !== last.epoch) return place.epoch > last.epoch;
  if (place.sequence !== last.sequence) return place.sequence > last.sequence;
  return place.index > last.index;
}
