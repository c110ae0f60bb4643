// The events of the table model `access-management`. Made by `instep contract`: do not edit.

/** Any JSON value: DynamoDB does not say what type an attribute has. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** An item of type Group was created. */
export interface GroupCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Group Created";
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
  readonly detail: {
    /** What happened, to what, and in which order. */
    readonly metadata: {
      /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
      readonly id: string;
      /** The version of this contract. */
      readonly version: "1";
      /** The table model's name. */
      readonly model: "access-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Group";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "created";
      /** The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`. */
      readonly kind: "entity";
      /** The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot. */
      readonly epoch: string;
      /** Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again. */
      readonly tenant: string | null;
      /** Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
      /** The snapshot that the event belongs to. Absent if it reports a change. */
      readonly snapshot?: {
        /** The snapshot's id, the same in all its events. */
        readonly id: string;
        /** The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone. */
        readonly watermark: string;
        /** When reading the table began (RFC 3339). */
        readonly startedAt: string;
        /** Only of the end: the number of events between the beginning and the end. */
        readonly count?: number;
        /** Only of the end: whether the whole table was read. If not, what is missing may exist. */
        readonly complete?: boolean;
      };
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly groupId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        readonly createdAt?: Json;
        readonly createdBy?: Json;
        readonly description?: Json;
        readonly id?: Json;
        readonly name?: Json;
        readonly state?: Json;
        readonly updatedAt?: Json;
        readonly updatedBy?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"createdAt" | "createdBy" | "description" | "id" | "name" | "state" | "updatedAt" | "updatedBy">;
      /** What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says. */
      readonly types?: { readonly [name: string]: Json };
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly pk: string;
          readonly sk: string;
        };
      };
    };
  };
}

/** An item of type Group was deleted. */
export interface GroupDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Group Deleted";
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
  readonly detail: {
    /** What happened, to what, and in which order. */
    readonly metadata: {
      /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
      readonly id: string;
      /** The version of this contract. */
      readonly version: "1";
      /** The table model's name. */
      readonly model: "access-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Group";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "deleted";
      /** The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`. */
      readonly kind: "entity";
      /** The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot. */
      readonly epoch: string;
      /** Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again. */
      readonly tenant: string | null;
      /** Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
      /** The snapshot that the event belongs to. Absent if it reports a change. */
      readonly snapshot?: {
        /** The snapshot's id, the same in all its events. */
        readonly id: string;
        /** The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone. */
        readonly watermark: string;
        /** When reading the table began (RFC 3339). */
        readonly startedAt: string;
        /** Only of the end: the number of events between the beginning and the end. */
        readonly count?: number;
        /** Only of the end: whether the whole table was read. If not, what is missing may exist. */
        readonly complete?: boolean;
      };
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly groupId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        readonly createdAt?: Json;
        readonly createdBy?: Json;
        readonly description?: Json;
        readonly id?: Json;
        readonly name?: Json;
        readonly state?: Json;
        readonly updatedAt?: Json;
        readonly updatedBy?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"createdAt" | "createdBy" | "description" | "id" | "name" | "state" | "updatedAt" | "updatedBy">;
      /** What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says. */
      readonly types?: { readonly [name: string]: Json };
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly pk: string;
          readonly sk: string;
        };
      };
    };
  };
}

/** An item of type Group was changed in what its events show. */
export interface GroupUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Group Updated";
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
  readonly detail: {
    /** What happened, to what, and in which order. */
    readonly metadata: {
      /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
      readonly id: string;
      /** The version of this contract. */
      readonly version: "1";
      /** The table model's name. */
      readonly model: "access-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Group";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`. */
      readonly kind: "entity";
      /** The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot. */
      readonly epoch: string;
      /** Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again. */
      readonly tenant: string | null;
      /** Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
      /** The snapshot that the event belongs to. Absent if it reports a change. */
      readonly snapshot?: {
        /** The snapshot's id, the same in all its events. */
        readonly id: string;
        /** The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone. */
        readonly watermark: string;
        /** When reading the table began (RFC 3339). */
        readonly startedAt: string;
        /** Only of the end: the number of events between the beginning and the end. */
        readonly count?: number;
        /** Only of the end: whether the whole table was read. If not, what is missing may exist. */
        readonly complete?: boolean;
      };
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly groupId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        readonly createdAt?: Json;
        readonly createdBy?: Json;
        readonly description?: Json;
        readonly id?: Json;
        readonly name?: Json;
        readonly state?: Json;
        readonly updatedAt?: Json;
        readonly updatedBy?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        readonly createdAt?: Json;
        readonly createdBy?: Json;
        readonly description?: Json;
        readonly id?: Json;
        readonly name?: Json;
        readonly state?: Json;
        readonly updatedAt?: Json;
        readonly updatedBy?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"createdAt" | "createdBy" | "description" | "id" | "name" | "state" | "updatedAt" | "updatedBy">;
      /** What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says. */
      readonly types?: { readonly [name: string]: Json };
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly pk: string;
          readonly sk: string;
        };
      };
    };
  };
}

/** An item of type Hierarchy was created. */
export interface HierarchyCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Hierarchy Created";
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
  readonly detail: {
    /** What happened, to what, and in which order. */
    readonly metadata: {
      /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
      readonly id: string;
      /** The version of this contract. */
      readonly version: "1";
      /** The table model's name. */
      readonly model: "access-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Hierarchy";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "created";
      /** The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`. */
      readonly kind: "edge";
      /** The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot. */
      readonly epoch: string;
      /** Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again. */
      readonly tenant: string | null;
      /** Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
      /** The snapshot that the event belongs to. Absent if it reports a change. */
      readonly snapshot?: {
        /** The snapshot's id, the same in all its events. */
        readonly id: string;
        /** The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone. */
        readonly watermark: string;
        /** When reading the table began (RFC 3339). */
        readonly startedAt: string;
        /** Only of the end: the number of events between the beginning and the end. */
        readonly count?: number;
        /** Only of the end: whether the whole table was read. If not, what is missing may exist. */
        readonly complete?: boolean;
      };
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly "parent.groupId": string;
        readonly "child.groupId": string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says. */
      readonly types?: { readonly [name: string]: Json };
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly pk: string;
          readonly sk: string;
        };
      };
    };
  };
}

/** An item of type Hierarchy was deleted. */
export interface HierarchyDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Hierarchy Deleted";
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
  readonly detail: {
    /** What happened, to what, and in which order. */
    readonly metadata: {
      /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
      readonly id: string;
      /** The version of this contract. */
      readonly version: "1";
      /** The table model's name. */
      readonly model: "access-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Hierarchy";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "deleted";
      /** The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`. */
      readonly kind: "edge";
      /** The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot. */
      readonly epoch: string;
      /** Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again. */
      readonly tenant: string | null;
      /** Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
      /** The snapshot that the event belongs to. Absent if it reports a change. */
      readonly snapshot?: {
        /** The snapshot's id, the same in all its events. */
        readonly id: string;
        /** The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone. */
        readonly watermark: string;
        /** When reading the table began (RFC 3339). */
        readonly startedAt: string;
        /** Only of the end: the number of events between the beginning and the end. */
        readonly count?: number;
        /** Only of the end: whether the whole table was read. If not, what is missing may exist. */
        readonly complete?: boolean;
      };
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly "parent.groupId": string;
        readonly "child.groupId": string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says. */
      readonly types?: { readonly [name: string]: Json };
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly pk: string;
          readonly sk: string;
        };
      };
    };
  };
}

/** An item of type Membership was changed in what its events show, beside its roles. */
export interface MembershipUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Membership Updated";
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
  readonly detail: {
    /** What happened, to what, and in which order. */
    readonly metadata: {
      /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
      readonly id: string;
      /** The version of this contract. */
      readonly version: "1";
      /** The table model's name. */
      readonly model: "access-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Membership";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`. */
      readonly kind: "grant";
      /** The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot. */
      readonly epoch: string;
      /** Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again. */
      readonly tenant: string | null;
      /** Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
      /** The snapshot that the event belongs to. Absent if it reports a change. */
      readonly snapshot?: {
        /** The snapshot's id, the same in all its events. */
        readonly id: string;
        /** The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone. */
        readonly watermark: string;
        /** When reading the table began (RFC 3339). */
        readonly startedAt: string;
        /** Only of the end: the number of events between the beginning and the end. */
        readonly count?: number;
        /** Only of the end: whether the whole table was read. If not, what is missing may exist. */
        readonly complete?: boolean;
      };
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly email: string;
        readonly groupId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        readonly createdAt?: Json;
        readonly createdBy?: Json;
        readonly role?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        readonly createdAt?: Json;
        readonly createdBy?: Json;
        readonly role?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"createdAt" | "createdBy" | "role">;
      /** What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says. */
      readonly types?: { readonly [name: string]: Json };
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly pk: string;
          readonly sk: string;
        };
      };
    };
  };
}

/** An item of type User was created. */
export interface UserCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "User Created";
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
  readonly detail: {
    /** What happened, to what, and in which order. */
    readonly metadata: {
      /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
      readonly id: string;
      /** The version of this contract. */
      readonly version: "1";
      /** The table model's name. */
      readonly model: "access-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "User";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "created";
      /** The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`. */
      readonly kind: "entity";
      /** The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot. */
      readonly epoch: string;
      /** Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again. */
      readonly tenant: string | null;
      /** Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
      /** The snapshot that the event belongs to. Absent if it reports a change. */
      readonly snapshot?: {
        /** The snapshot's id, the same in all its events. */
        readonly id: string;
        /** The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone. */
        readonly watermark: string;
        /** When reading the table began (RFC 3339). */
        readonly startedAt: string;
        /** Only of the end: the number of events between the beginning and the end. */
        readonly count?: number;
        /** Only of the end: whether the whole table was read. If not, what is missing may exist. */
        readonly complete?: boolean;
      };
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly email: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        readonly createdAt?: Json;
        readonly createdBy?: Json;
        readonly email?: Json;
        readonly state?: Json;
        readonly updatedAt?: Json;
        readonly updatedBy?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"createdAt" | "createdBy" | "email" | "state" | "updatedAt" | "updatedBy">;
      /** What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says. */
      readonly types?: { readonly [name: string]: Json };
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly pk: string;
          readonly sk: string;
        };
      };
    };
  };
}

/** An item of type User was deleted. */
export interface UserDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "User Deleted";
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
  readonly detail: {
    /** What happened, to what, and in which order. */
    readonly metadata: {
      /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
      readonly id: string;
      /** The version of this contract. */
      readonly version: "1";
      /** The table model's name. */
      readonly model: "access-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "User";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "deleted";
      /** The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`. */
      readonly kind: "entity";
      /** The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot. */
      readonly epoch: string;
      /** Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again. */
      readonly tenant: string | null;
      /** Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
      /** The snapshot that the event belongs to. Absent if it reports a change. */
      readonly snapshot?: {
        /** The snapshot's id, the same in all its events. */
        readonly id: string;
        /** The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone. */
        readonly watermark: string;
        /** When reading the table began (RFC 3339). */
        readonly startedAt: string;
        /** Only of the end: the number of events between the beginning and the end. */
        readonly count?: number;
        /** Only of the end: whether the whole table was read. If not, what is missing may exist. */
        readonly complete?: boolean;
      };
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly email: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        readonly createdAt?: Json;
        readonly createdBy?: Json;
        readonly email?: Json;
        readonly state?: Json;
        readonly updatedAt?: Json;
        readonly updatedBy?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"createdAt" | "createdBy" | "email" | "state" | "updatedAt" | "updatedBy">;
      /** What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says. */
      readonly types?: { readonly [name: string]: Json };
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly pk: string;
          readonly sk: string;
        };
      };
    };
  };
}

/** An item of type Membership gave its User a role. There is one event for each role. */
export interface UserGranted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "User Granted";
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
  readonly detail: {
    /** What happened, to what, and in which order. */
    readonly metadata: {
      /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
      readonly id: string;
      /** The version of this contract. */
      readonly version: "1";
      /** The table model's name. */
      readonly model: "access-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "User";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "granted";
      /** The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`. */
      readonly kind: "grant";
      /** The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot. */
      readonly epoch: string;
      /** Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again. */
      readonly tenant: string | null;
      /** Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
      /** The snapshot that the event belongs to. Absent if it reports a change. */
      readonly snapshot?: {
        /** The snapshot's id, the same in all its events. */
        readonly id: string;
        /** The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone. */
        readonly watermark: string;
        /** When reading the table began (RFC 3339). */
        readonly startedAt: string;
        /** Only of the end: the number of events between the beginning and the end. */
        readonly count?: number;
        /** Only of the end: whether the whole table was read. If not, what is missing may exist. */
        readonly complete?: boolean;
      };
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly email: string;
        readonly groupId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        readonly createdAt?: Json;
        readonly createdBy?: Json;
        readonly role?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        readonly createdAt?: Json;
        readonly createdBy?: Json;
        readonly role?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"createdAt" | "createdBy" | "role">;
      /** What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says. */
      readonly types?: { readonly [name: string]: Json };
      /** The role. Absent if the grant has none. */
      readonly role: "admin" | "contributor" | "reader";
      /** The scope of the role: the id of its item, as in that item's `metadata.item`, or a value. Absent if the grant applies everywhere. */
      readonly scope: string;
      /** The entity of the scope, which its id alone does not say. Absent if the scope is no item. */
      readonly scopeEntity: "Group";
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly pk: string;
          readonly sk: string;
        };
      };
    };
  };
}

/** An item of type Membership no longer gives its User a role. There is one event for each role. */
export interface UserRevoked {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "User Revoked";
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
  readonly detail: {
    /** What happened, to what, and in which order. */
    readonly metadata: {
      /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
      readonly id: string;
      /** The version of this contract. */
      readonly version: "1";
      /** The table model's name. */
      readonly model: "access-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "User";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "revoked";
      /** The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`. */
      readonly kind: "grant";
      /** The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot. */
      readonly epoch: string;
      /** Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again. */
      readonly tenant: string | null;
      /** Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
      /** The snapshot that the event belongs to. Absent if it reports a change. */
      readonly snapshot?: {
        /** The snapshot's id, the same in all its events. */
        readonly id: string;
        /** The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone. */
        readonly watermark: string;
        /** When reading the table began (RFC 3339). */
        readonly startedAt: string;
        /** Only of the end: the number of events between the beginning and the end. */
        readonly count?: number;
        /** Only of the end: whether the whole table was read. If not, what is missing may exist. */
        readonly complete?: boolean;
      };
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly email: string;
        readonly groupId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        readonly createdAt?: Json;
        readonly createdBy?: Json;
        readonly role?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        readonly createdAt?: Json;
        readonly createdBy?: Json;
        readonly role?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"createdAt" | "createdBy" | "role">;
      /** What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says. */
      readonly types?: { readonly [name: string]: Json };
      /** The role. Absent if the grant has none. */
      readonly role: "admin" | "contributor" | "reader";
      /** The scope of the role: the id of its item, as in that item's `metadata.item`, or a value. Absent if the grant applies everywhere. */
      readonly scope: string;
      /** The entity of the scope, which its id alone does not say. Absent if the scope is no item. */
      readonly scopeEntity: "Group";
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly pk: string;
          readonly sk: string;
        };
      };
    };
  };
}

/** An item of type User was changed in what its events show. */
export interface UserUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "User Updated";
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
  readonly detail: {
    /** What happened, to what, and in which order. */
    readonly metadata: {
      /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
      readonly id: string;
      /** The version of this contract. */
      readonly version: "1";
      /** The table model's name. */
      readonly model: "access-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "User";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`. */
      readonly kind: "entity";
      /** The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot. */
      readonly epoch: string;
      /** Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again. */
      readonly tenant: string | null;
      /** Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
      /** The snapshot that the event belongs to. Absent if it reports a change. */
      readonly snapshot?: {
        /** The snapshot's id, the same in all its events. */
        readonly id: string;
        /** The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone. */
        readonly watermark: string;
        /** When reading the table began (RFC 3339). */
        readonly startedAt: string;
        /** Only of the end: the number of events between the beginning and the end. */
        readonly count?: number;
        /** Only of the end: whether the whole table was read. If not, what is missing may exist. */
        readonly complete?: boolean;
      };
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly email: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        readonly createdAt?: Json;
        readonly createdBy?: Json;
        readonly email?: Json;
        readonly state?: Json;
        readonly updatedAt?: Json;
        readonly updatedBy?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        readonly createdAt?: Json;
        readonly createdBy?: Json;
        readonly email?: Json;
        readonly state?: Json;
        readonly updatedAt?: Json;
        readonly updatedBy?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"createdAt" | "createdBy" | "email" | "state" | "updatedAt" | "updatedBy">;
      /** What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says. */
      readonly types?: { readonly [name: string]: Json };
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly pk: string;
          readonly sk: string;
        };
      };
    };
  };
}

/** Every event of the model. */
export type AccessManagementEvent =
  | GroupCreated
  | GroupDeleted
  | GroupUpdated
  | HierarchyCreated
  | HierarchyDeleted
  | MembershipUpdated
  | UserCreated
  | UserDeleted
  | UserGranted
  | UserRevoked
  | UserUpdated;
