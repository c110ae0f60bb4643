// The events of the table model `access-management`. Made by `instep contract`: do not edit.

/** Any JSON value: DynamoDB does not say what type an attribute has. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** No fields. */
export type Nothing = Readonly<Record<never, never>>;

/** The snapshot that the event belongs to. Absent if it reports a change. */
export interface SnapshotMark {
  /** The snapshot's id, the same in all its events. */
  readonly id: string;
  /** The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone. */
  readonly watermark: string;
  /** When reading the table began (RFC 3339). */
  readonly startedAt: string;
  /** Only of the end: the number of events between the beginning and the end. */
  readonly count?: number;
  /** Only of the end: whether all items are in it. If not, what is missing may exist. */
  readonly complete?: boolean;
}

/** What happened, to what, and in which order. */
export interface Metadata<Entity, Verb, Kind, Cause> {
  /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
  readonly id: string;
  /** The version of this contract. */
  readonly version: "1";
  /** The table model's name. */
  readonly model: "access-management";
  /** The entity that the event is about. For a grant, the subject's. */
  readonly entity: Entity;
  /** The entity's id. For a grant, the subject's. */
  readonly entityId: string;
  /** What happened. */
  readonly verb: Verb;
  /** The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type. */
  readonly item: string;
  /** What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`. */
  readonly kind: Kind;
  /** The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot. */
  readonly epoch: string;
  /** Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
  readonly sequence: string;
  /** Orders the events of one record, after `sequence`. */
  readonly index: number;
  /** When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot. */
  readonly recordedAt: string | null;
  /** Why the item changed. */
  readonly cause: Cause;
  /** The value of the attribute that the model names as `correlation`, or `null`. */
  readonly correlationId: string | null;
  /** The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again. */
  readonly tenant: string | null;
  /** Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before. */
  readonly replay: boolean;
  /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
  readonly parked: boolean;
  /** The snapshot that the event belongs to. Absent if it reports a change. */
  readonly snapshot?: SnapshotMark;
}

/** Of a conflict or its end: whose unique value it is. */
export interface Conflict {
  /** The guard's item type. */
  readonly guard: string;
  /** The id of the owner that has the value. At the end of a conflict, that is the owner that the event is about. */
  readonly holder: string;
}

/** The item's primary key in the table, with which its present attributes can be read. */
export interface PrimaryKey {
  readonly pk: string;
  readonly sk: string;
}

/** Present if the event would be too large for the bus: what is left out, and where it is. */
export interface Omitted {
  /** The parts that are empty for that reason. `changed` is still complete. */
  readonly parts: ReadonlyArray<"old" | "new">;
  /** The item's primary key in the table, with which its present attributes can be read. */
  readonly key: PrimaryKey;
}

/** The names in the item's key, and the attributes that the model publishes. */
export interface Data<Keys, Old, New> {
  /** The names in the item's key. */
  readonly keys: Keys;
  /** Published attributes before the change. Empty if there was no item. */
  readonly old: Old;
  /** Published attributes after the change. Empty if there is no item. */
  readonly new: New;
  /** The names of the published attributes that differ, sorted. */
  readonly changed: ReadonlyArray<keyof Old | keyof New>;
  /** What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says. */
  readonly types?: { readonly [name: string]: "N" | "B" | "SS" | "NS" | "BS" };
  /** Present if the event would be too large for the bus: what is left out, and where it is. */
  readonly omitted?: Omitted;
}

/** What Instep publishes. */
export interface Detail<OwnMetadata, OwnData> {
  /** What happened, to what, and in which order. */
  readonly metadata: OwnMetadata;
  /** The names in the item's key, and the attributes that the model publishes. */
  readonly data: OwnData;
}

/** An event as EventBridge delivers it. */
export interface InstepEvent<DetailType, OwnDetail> {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": DetailType;
  /** The source of all events of the model. */
  readonly source: "instep.access-management";
  /** The AWS account. */
  readonly account?: string;
  /** When the table was written, or when the event was published if the record does not say that. */
  readonly time?: string;
  /** The AWS region. */
  readonly region?: string;
  /** Empty: Instep names no resources. */
  readonly resources?: ReadonlyArray<string>;
  /** What Instep publishes. */
  readonly detail: OwnDetail;
}

/** The attributes of Group that events show. */
export interface GroupAttributes {
  readonly createdAt?: Json;
  readonly createdBy?: Json;
  readonly description?: Json;
  readonly id?: Json;
  readonly name?: Json;
  readonly state?: Json;
  readonly updatedAt?: Json;
  readonly updatedBy?: Json;
}

/** The names in the key of Group. */
export interface GroupKeys {
  readonly groupId: string;
}

/** The attributes of Hierarchy that events show. */
export interface HierarchyAttributes {
}

/** The names in the key of Hierarchy. */
export interface HierarchyKeys {
  readonly "parent.groupId": string;
  readonly "child.groupId": string;
}

/** The attributes of Membership that events show. */
export interface MembershipAttributes {
  readonly createdAt?: Json;
  readonly createdBy?: Json;
  readonly role?: Json;
}

/** The names in the key of Membership. */
export interface MembershipKeys {
  readonly email: string;
  readonly groupId: string;
}

/** The attributes of User that events show. */
export interface UserAttributes {
  readonly createdAt?: Json;
  readonly createdBy?: Json;
  readonly email?: Json;
  readonly state?: Json;
  readonly updatedAt?: Json;
  readonly updatedBy?: Json;
}

/** The names in the key of User. */
export interface UserKeys {
  readonly email: string;
}

/** An item of type Group was created. */
export interface GroupCreated extends InstepEvent<"Group Created", Detail<Metadata<"Group", "created", "entity", "write">, Data<GroupKeys, Nothing, GroupAttributes>>> {}

/** An item of type Group was deleted. */
export interface GroupDeleted extends InstepEvent<"Group Deleted", Detail<Metadata<"Group", "deleted", "entity", "write" | "ttl">, Data<GroupKeys, GroupAttributes, Nothing>>> {}

/** An item of type Group was changed in what its events show. */
export interface GroupUpdated extends InstepEvent<"Group Updated", Detail<Metadata<"Group", "updated", "entity", "write">, Data<GroupKeys, GroupAttributes, GroupAttributes>>> {}

/** An item of type Hierarchy was created. */
export interface HierarchyCreated extends InstepEvent<"Hierarchy Created", Detail<Metadata<"Hierarchy", "created", "edge", "write">, Data<HierarchyKeys, Nothing, HierarchyAttributes>>> {}

/** An item of type Hierarchy was deleted. */
export interface HierarchyDeleted extends InstepEvent<"Hierarchy Deleted", Detail<Metadata<"Hierarchy", "deleted", "edge", "write" | "ttl">, Data<HierarchyKeys, HierarchyAttributes, Nothing>>> {}

/** An item of type Membership was changed in what its events show, beside its roles. */
export interface MembershipUpdated extends InstepEvent<"Membership Updated", Detail<Metadata<"Membership", "updated", "grant", "write">, Data<MembershipKeys, MembershipAttributes, MembershipAttributes>>> {}

/** A snapshot ended: it says how many events it has, and whether the whole table was read. */
export interface SnapshotEnded extends InstepEvent<"Snapshot Ended", Detail<Metadata<"Snapshot", "ended", "plain", "write"> & { readonly snapshot: SnapshotMark & { readonly count: number; readonly complete: boolean } }, Data<Nothing, Nothing, Nothing>>> {}

/** A snapshot began: until its end come the items that the table has. */
export interface SnapshotStarted extends InstepEvent<"Snapshot Started", Detail<Metadata<"Snapshot", "started", "plain", "write"> & { readonly snapshot: SnapshotMark }, Data<Nothing, Nothing, Nothing>>> {}

/** An item of type User was created. */
export interface UserCreated extends InstepEvent<"User Created", Detail<Metadata<"User", "created", "entity", "write">, Data<UserKeys, Nothing, UserAttributes>>> {}

/** An item of type User was deleted. */
export interface UserDeleted extends InstepEvent<"User Deleted", Detail<Metadata<"User", "deleted", "entity", "write" | "ttl">, Data<UserKeys, UserAttributes, Nothing>>> {}

/** An item of type Membership gave its User a role. There is one event for each role. */
export interface UserGranted extends InstepEvent<"User Granted", Detail<Metadata<"User", "granted", "grant", "write">, Data<MembershipKeys, MembershipAttributes, MembershipAttributes> & { readonly role: "admin" | "contributor" | "reader"; readonly scope: string; readonly scopeEntity: "Group" }>> {}

/** An item of type Membership no longer gives its User a role. There is one event for each role. */
export interface UserRevoked extends InstepEvent<"User Revoked", Detail<Metadata<"User", "revoked", "grant", "write" | "ttl">, Data<MembershipKeys, MembershipAttributes, MembershipAttributes> & { readonly role: "admin" | "contributor" | "reader"; readonly scope: string; readonly scopeEntity: "Group" }>> {}

/** An item of type User was changed in what its events show. */
export interface UserUpdated extends InstepEvent<"User Updated", Detail<Metadata<"User", "updated", "entity", "write">, Data<UserKeys, UserAttributes, UserAttributes>>> {}

/** Every event of the model. */
export type AccessManagementEvent =
  | GroupCreated
  | GroupDeleted
  | GroupUpdated
  | HierarchyCreated
  | HierarchyDeleted
  | MembershipUpdated
  | SnapshotEnded
  | SnapshotStarted
  | UserCreated
  | UserDeleted
  | UserGranted
  | UserRevoked
  | UserUpdated;
