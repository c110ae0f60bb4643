// The events of the table model `account-management`. Made by `instep contract`: do not edit.

/** Any JSON value: DynamoDB does not say what type an attribute has. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** An item of type AuditLog was created. */
export interface AuditLogCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "AuditLog Created";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "AuditLog";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "created";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly client_id: string;
        readonly timestamp: string;
        readonly log_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type AuditLog was deleted. */
export interface AuditLogDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "AuditLog Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "AuditLog";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "deleted";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly client_id: string;
        readonly timestamp: string;
        readonly log_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type AuditLog was changed. */
export interface AuditLogUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "AuditLog Updated";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "AuditLog";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly client_id: string;
        readonly timestamp: string;
        readonly log_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Building was created. */
export interface BuildingCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Building Created";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Building";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "created";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly project_id: string;
        readonly building_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"GSI1PK" | "client_id">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Building was deleted. */
export interface BuildingDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Building Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Building";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "deleted";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly project_id: string;
        readonly building_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"GSI1PK" | "client_id">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Building was changed. */
export interface BuildingUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Building Updated";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Building";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly project_id: string;
        readonly building_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"GSI1PK" | "client_id">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Client was created. */
export interface ClientCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Client Created";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Client";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "created";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly client_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Client was deleted. */
export interface ClientDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Client Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Client";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "deleted";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly client_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Client was changed. */
export interface ClientUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Client Updated";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Client";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly client_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Device was created. */
export interface DeviceCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Device Created";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Device";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "created";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly building_id: string;
        readonly device_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"GSI1PK" | "client_id">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Device was deleted. */
export interface DeviceDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Device Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Device";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "deleted";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly building_id: string;
        readonly device_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"GSI1PK" | "client_id">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Device was changed. */
export interface DeviceUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Device Updated";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Device";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly building_id: string;
        readonly device_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"GSI1PK" | "client_id">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Permission was created. */
export interface PermissionCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Permission Created";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Permission";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "created";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly permission_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `action`. */
        readonly action?: Json;
        /** The attribute `description`. */
        readonly description?: Json;
        /** The attribute `is_dangerous`. */
        readonly is_dangerous?: Json;
        /** The attribute `module`. */
        readonly module?: Json;
        /** The attribute `resource`. */
        readonly resource?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"action" | "description" | "is_dangerous" | "module" | "resource">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Permission was deleted. */
export interface PermissionDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Permission Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Permission";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "deleted";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly permission_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `action`. */
        readonly action?: Json;
        /** The attribute `description`. */
        readonly description?: Json;
        /** The attribute `is_dangerous`. */
        readonly is_dangerous?: Json;
        /** The attribute `module`. */
        readonly module?: Json;
        /** The attribute `resource`. */
        readonly resource?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"action" | "description" | "is_dangerous" | "module" | "resource">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Permission was changed. */
export interface PermissionUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Permission Updated";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Permission";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly permission_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `action`. */
        readonly action?: Json;
        /** The attribute `description`. */
        readonly description?: Json;
        /** The attribute `is_dangerous`. */
        readonly is_dangerous?: Json;
        /** The attribute `module`. */
        readonly module?: Json;
        /** The attribute `resource`. */
        readonly resource?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `action`. */
        readonly action?: Json;
        /** The attribute `description`. */
        readonly description?: Json;
        /** The attribute `is_dangerous`. */
        readonly is_dangerous?: Json;
        /** The attribute `module`. */
        readonly module?: Json;
        /** The attribute `resource`. */
        readonly resource?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"action" | "description" | "is_dangerous" | "module" | "resource">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Project was created. */
export interface ProjectCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Project Created";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Project";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "created";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly client_id: string;
        readonly project_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Project was deleted. */
export interface ProjectDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Project Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Project";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "deleted";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly client_id: string;
        readonly project_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Project was changed. */
export interface ProjectUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Project Updated";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Project";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly client_id: string;
        readonly project_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Role was created. */
export interface RoleCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Role Created";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Role";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "created";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly client_id?: string;
        readonly role_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `description`. */
        readonly description?: Json;
        /** The attribute `is_system`. */
        readonly is_system?: Json;
        /** The attribute `name`. */
        readonly name?: Json;
        /** The attribute `parent_role_id`. */
        readonly parent_role_id?: Json;
        /** The attribute `permissions`. */
        readonly permissions?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"description" | "is_system" | "name" | "parent_role_id" | "permissions">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Role was deleted. */
export interface RoleDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Role Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Role";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "deleted";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly client_id?: string;
        readonly role_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `description`. */
        readonly description?: Json;
        /** The attribute `is_system`. */
        readonly is_system?: Json;
        /** The attribute `name`. */
        readonly name?: Json;
        /** The attribute `parent_role_id`. */
        readonly parent_role_id?: Json;
        /** The attribute `permissions`. */
        readonly permissions?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"description" | "is_system" | "name" | "parent_role_id" | "permissions">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type RolePermissionLink was created. */
export interface RolePermissionLinkCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "RolePermissionLink Created";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "RolePermissionLink";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "created";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly role_id: string;
        readonly permission_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `action`. */
        readonly action?: Json;
        /** The attribute `granted_at`. */
        readonly granted_at?: Json;
        /** The attribute `granted_by`. */
        readonly granted_by?: Json;
        /** The attribute `module`. */
        readonly module?: Json;
        /** The attribute `resource`. */
        readonly resource?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"action" | "granted_at" | "granted_by" | "module" | "resource">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type RolePermissionLink was deleted. */
export interface RolePermissionLinkDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "RolePermissionLink Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "RolePermissionLink";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "deleted";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly role_id: string;
        readonly permission_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `action`. */
        readonly action?: Json;
        /** The attribute `granted_at`. */
        readonly granted_at?: Json;
        /** The attribute `granted_by`. */
        readonly granted_by?: Json;
        /** The attribute `module`. */
        readonly module?: Json;
        /** The attribute `resource`. */
        readonly resource?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"action" | "granted_at" | "granted_by" | "module" | "resource">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type RolePermissionLink was changed. */
export interface RolePermissionLinkUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "RolePermissionLink Updated";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "RolePermissionLink";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly role_id: string;
        readonly permission_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `action`. */
        readonly action?: Json;
        /** The attribute `granted_at`. */
        readonly granted_at?: Json;
        /** The attribute `granted_by`. */
        readonly granted_by?: Json;
        /** The attribute `module`. */
        readonly module?: Json;
        /** The attribute `resource`. */
        readonly resource?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `action`. */
        readonly action?: Json;
        /** The attribute `granted_at`. */
        readonly granted_at?: Json;
        /** The attribute `granted_by`. */
        readonly granted_by?: Json;
        /** The attribute `module`. */
        readonly module?: Json;
        /** The attribute `resource`. */
        readonly resource?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"action" | "granted_at" | "granted_by" | "module" | "resource">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Role was changed. */
export interface RoleUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Role Updated";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Role";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly client_id?: string;
        readonly role_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `description`. */
        readonly description?: Json;
        /** The attribute `is_system`. */
        readonly is_system?: Json;
        /** The attribute `name`. */
        readonly name?: Json;
        /** The attribute `parent_role_id`. */
        readonly parent_role_id?: Json;
        /** The attribute `permissions`. */
        readonly permissions?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `description`. */
        readonly description?: Json;
        /** The attribute `is_system`. */
        readonly is_system?: Json;
        /** The attribute `name`. */
        readonly name?: Json;
        /** The attribute `parent_role_id`. */
        readonly parent_role_id?: Json;
        /** The attribute `permissions`. */
        readonly permissions?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"description" | "is_system" | "name" | "parent_role_id" | "permissions">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Setting was created. */
export interface SettingCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Setting Created";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Setting";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "created";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly scope_type: string;
        readonly scope_id: string;
        readonly key: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Setting was deleted. */
export interface SettingDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Setting Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Setting";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "deleted";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly scope_type: string;
        readonly scope_id: string;
        readonly key: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Setting was changed. */
export interface SettingUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Setting Updated";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Setting";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly scope_type: string;
        readonly scope_id: string;
        readonly key: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Subscription was created. */
export interface SubscriptionCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Subscription Created";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Subscription";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "created";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly scope_type: string;
        readonly scope_id: string;
        readonly module_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Subscription was deleted. */
export interface SubscriptionDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Subscription Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Subscription";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "deleted";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly scope_type: string;
        readonly scope_id: string;
        readonly module_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Subscription was changed. */
export interface SubscriptionUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Subscription Updated";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Subscription";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly scope_type: string;
        readonly scope_id: string;
        readonly module_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: readonly [];
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type User claims a unique value (UserEmail) that another owner has. The claim is pending. */
export interface UserConflicted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "User Conflicted";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "User";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "conflicted";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly user_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
        /** The attribute `email`. */
        readonly email?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
        /** The attribute `email`. */
        readonly email?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"GSI1PK" | "client_id" | "email">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
      /** The unique value that another owner has. */
      readonly guard: {
        /** The guard's item type. */
        readonly guard: "UserEmail";
        /** The id of the owner that has the value. */
        readonly holder: string;
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
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "User";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "created";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly user_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
        /** The attribute `email`. */
        readonly email?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"GSI1PK" | "client_id" | "email">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
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
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "User";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "deleted";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly user_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
        /** The attribute `email`. */
        readonly email?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"GSI1PK" | "client_id" | "email">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type UserRoleAssignment gave its User a role, or its window opened. There is one event for each role. */
export interface UserGranted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "User Granted";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "User";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "granted";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "due";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly user_id: string;
        readonly scope_type: string;
        readonly scope_id: string;
        readonly role_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `created_by`. */
        readonly created_by?: Json;
        /** The attribute `expires_at`. */
        readonly expires_at?: Json;
        /** The attribute `start_at`. */
        readonly start_at?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `created_by`. */
        readonly created_by?: Json;
        /** The attribute `expires_at`. */
        readonly expires_at?: Json;
        /** The attribute `start_at`. */
        readonly start_at?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"created_by" | "expires_at" | "start_at">;
      /** The role. Absent if the grant has none. */
      readonly role: string;
      /** The scope of the role. Absent if the grant applies everywhere. */
      readonly scope?: string;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type UserRoleAssignment no longer gives its User a role, or its window closed. There is one event for each role. */
export interface UserRevoked {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "User Revoked";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "User";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "revoked";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl" | "due";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly user_id: string;
        readonly scope_type: string;
        readonly scope_id: string;
        readonly role_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `created_by`. */
        readonly created_by?: Json;
        /** The attribute `expires_at`. */
        readonly expires_at?: Json;
        /** The attribute `start_at`. */
        readonly start_at?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `created_by`. */
        readonly created_by?: Json;
        /** The attribute `expires_at`. */
        readonly expires_at?: Json;
        /** The attribute `start_at`. */
        readonly start_at?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"created_by" | "expires_at" | "start_at">;
      /** The role. Absent if the grant has none. */
      readonly role: string;
      /** The scope of the role. Absent if the grant applies everywhere. */
      readonly scope?: string;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type UserRoleAssignment was changed in anything but its roles, or was written without granting or revoking a role. */
export interface UserRoleAssignmentUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "UserRoleAssignment Updated";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "UserRoleAssignment";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly user_id: string;
        readonly scope_type: string;
        readonly scope_id: string;
        readonly role_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `created_by`. */
        readonly created_by?: Json;
        /** The attribute `expires_at`. */
        readonly expires_at?: Json;
        /** The attribute `start_at`. */
        readonly start_at?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `created_by`. */
        readonly created_by?: Json;
        /** The attribute `expires_at`. */
        readonly expires_at?: Json;
        /** The attribute `start_at`. */
        readonly start_at?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"created_by" | "expires_at" | "start_at">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type User was changed. */
export interface UserUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "User Updated";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "User";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly user_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
        /** The attribute `email`. */
        readonly email?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
        /** The attribute `email`. */
        readonly email?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"GSI1PK" | "client_id" | "email">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Zone was created. */
export interface ZoneCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Zone Created";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Zone";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "created";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly building_id: string;
        readonly zone_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"GSI1PK" | "client_id">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Zone was deleted. */
export interface ZoneDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Zone Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Zone";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "deleted";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write" | "ttl";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly building_id: string;
        readonly zone_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"GSI1PK" | "client_id">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** An item of type Zone was changed. */
export interface ZoneUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Zone Updated";
  /** The source of all events of the model. */
  readonly source: "instep.account-management";
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
      readonly model: "account-management";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Zone";
      /** The entity's id. For a grant, the subject's. */
      readonly entityId: string;
      /** What happened. */
      readonly verb: "updated";
      /** The changed item: its type and id. If a write of a guard led to the event, only the guard's type. */
      readonly item: string;
      /** Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill. */
      readonly sequence: string;
      /** Orders the events of one record, after `sequence`. */
      readonly index: number;
      /** When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed. */
      readonly recordedAt: string | null;
      /** Why the item changed. */
      readonly cause: "write";
      /** The value of the attribute that the model names as `correlation`, or `null`. */
      readonly correlationId: string | null;
      /** The tenant: the value of the name that the model gives as `tenant`, or `null`. */
      readonly tenant: string | null;
      /** Whether the event comes from captures or from a snapshot. As a rule, the change was published before. */
      readonly replay: boolean;
      /** Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`. */
      readonly parked: boolean;
    };
    /** The names in the item's key, and the attributes that the model publishes. */
    readonly data: {
      /** The names in the item's key. */
      readonly keys: {
        readonly building_id: string;
        readonly zone_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `GSI1PK`. */
        readonly GSI1PK?: Json;
        /** The attribute `client_id`. */
        readonly client_id?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"GSI1PK" | "client_id">;
      /** Present if the event would be too large for the bus: what is left out, and where it is. */
      readonly omitted?: {
        /** The parts that are empty for that reason. `changed` is still complete. */
        readonly parts: ReadonlyArray<"old" | "new">;
        /** The item's primary key in the table, with which its present attributes can be read. */
        readonly key: {
          readonly PK: string;
          readonly SK: string;
        };
      };
    };
  };
}

/** Every event of the model. */
export type AccountManagementEvent =
  | AuditLogCreated
  | AuditLogDeleted
  | AuditLogUpdated
  | BuildingCreated
  | BuildingDeleted
  | BuildingUpdated
  | ClientCreated
  | ClientDeleted
  | ClientUpdated
  | DeviceCreated
  | DeviceDeleted
  | DeviceUpdated
  | PermissionCreated
  | PermissionDeleted
  | PermissionUpdated
  | ProjectCreated
  | ProjectDeleted
  | ProjectUpdated
  | RoleCreated
  | RoleDeleted
  | RolePermissionLinkCreated
  | RolePermissionLinkDeleted
  | RolePermissionLinkUpdated
  | RoleUpdated
  | SettingCreated
  | SettingDeleted
  | SettingUpdated
  | SubscriptionCreated
  | SubscriptionDeleted
  | SubscriptionUpdated
  | UserConflicted
  | UserCreated
  | UserDeleted
  | UserGranted
  | UserRevoked
  | UserRoleAssignmentUpdated
  | UserUpdated
  | ZoneCreated
  | ZoneDeleted
  | ZoneUpdated;
