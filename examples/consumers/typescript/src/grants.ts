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
  readonly scope: string | null;
  readonly role: string | null;
}

/** The last thing that happened to a row. */
interface Last {
  readonly grant: Grant;
  readonly sequence: string;
  readonly index: number;
  readonly isGranted: boolean;
}

const GRANTED: ReadonlySet<string> = new Set(["User Granted", "Role Granted"]);
const REVOKED: ReadonlySet<string> = new Set(["User Revoked", "Role Revoked"]);

/** Whether a delivered event is one of a grant. Others, also those of a later version, are ignored. */
export function isOfGrant(event: { readonly "detail-type": string }): event is GrantEvent {
  return GRANTED.has(event["detail-type"]) || REVOKED.has(event["detail-type"]);
}

export class Grants {
  /** By item and grant. A revoked row stays, so that an older `granted` that comes late is known as older. */
  private readonly rows = new Map<string, Last>();
  /** The ids that were seen, and whether each event was of a parked record. */
  private readonly seen = new Map<string, boolean>();

  apply(event: GrantEvent): void {
    const { metadata, data } = event.detail;
    const isParked = this.seen.get(metadata.id);
    if (isParked === false || (isParked === true && metadata.parked)) return;
    this.seen.set(metadata.id, metadata.parked);
    const grant: Grant = {
      entity: metadata.entity,
      entityId: metadata.entityId,
      scope: "scope" in data ? data.scope : null,
      role: "role" in data ? data.role : null,
    };
    // Two items can give one role: each has a row of its own, because only the events of one item have an order.
    const key = JSON.stringify([metadata.item, grant.entity, grant.entityId, grant.scope, grant.role]);
    const last = this.rows.get(key);
    const { sequence, index } = metadata;
    // Sequence numbers have the same number of digits, so they compare as texts.
    if (last && (last.sequence > sequence || (last.sequence === sequence && last.index >= index))) return;
    this.rows.set(key, { grant, sequence, index, isGranted: GRANTED.has(event["detail-type"]) });
  }

  /** Who has which role where. */
  all(): Grant[] {
    const granted = [...this.rows.values()].filter((row) => row.isGranted).map((row) => row.grant);
    return [...new Map(granted.map((grant) => [JSON.stringify(grant), grant])).values()];
  }
}
