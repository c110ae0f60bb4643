// The events of the table model `authorization`. Made by `instep contract`: do not edit.

/** Any JSON value: DynamoDB does not say what type an attribute has. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** An item of type Policy was created. */
export interface PolicyCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Policy Created";
  /** The source of all events of the model. */
  readonly source: "instep.authorization";
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
      readonly model: "authorization";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Policy";
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
        readonly name: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `policyId`. */
        readonly policyId?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"policyId">;
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

/** An item of type Policy was deleted. */
export interface PolicyDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Policy Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.authorization";
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
      readonly model: "authorization";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Policy";
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
        readonly name: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `policyId`. */
        readonly policyId?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"policyId">;
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

/** An item of type Policy was changed. */
export interface PolicyUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Policy Updated";
  /** The source of all events of the model. */
  readonly source: "instep.authorization";
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
      readonly model: "authorization";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Policy";
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
        readonly name: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `policyId`. */
        readonly policyId?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `policyId`. */
        readonly policyId?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"policyId">;
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
  readonly source: "instep.authorization";
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
      readonly model: "authorization";
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
        readonly scope: "tenant" | "global";
        readonly name: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `roleId`. */
        readonly roleId?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"roleId">;
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
  readonly source: "instep.authorization";
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
      readonly model: "authorization";
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
        readonly scope: "tenant" | "global";
        readonly name: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `roleId`. */
        readonly roleId?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"roleId">;
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
  readonly source: "instep.authorization";
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
      readonly model: "authorization";
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
        readonly scope: "tenant" | "global";
        readonly name: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `roleId`. */
        readonly roleId?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `roleId`. */
        readonly roleId?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"roleId">;
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

/** An item of type Tenant claims a unique value (TenantName) that another owner has. The claim is pending. */
export interface TenantConflicted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Tenant Conflicted";
  /** The source of all events of the model. */
  readonly source: "instep.authorization";
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
      readonly model: "authorization";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Tenant";
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
        readonly tenantId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `name`. */
        readonly name?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `name`. */
        readonly name?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"name">;
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
        readonly guard: "TenantName";
        /** The id of the owner that has the value. */
        readonly holder: string;
      };
    };
  };
}

/** An item of type Tenant was created. */
export interface TenantCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Tenant Created";
  /** The source of all events of the model. */
  readonly source: "instep.authorization";
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
      readonly model: "authorization";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Tenant";
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
        readonly tenantId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `name`. */
        readonly name?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"name">;
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

/** An item of type Tenant was deleted. */
export interface TenantDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Tenant Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.authorization";
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
      readonly model: "authorization";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Tenant";
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
        readonly tenantId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `name`. */
        readonly name?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"name">;
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

/** An item of type TenantGrant was changed in anything but its roles, or was written without granting or revoking a role. */
export interface TenantGrantUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "TenantGrant Updated";
  /** The source of all events of the model. */
  readonly source: "instep.authorization";
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
      readonly model: "authorization";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "TenantGrant";
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
        readonly tenantId: string;
        readonly userId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `roles`. */
        readonly roles?: Json;
        /** The attribute `tenantGrantId`. */
        readonly tenantGrantId?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `roles`. */
        readonly roles?: Json;
        /** The attribute `tenantGrantId`. */
        readonly tenantGrantId?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"roles" | "tenantGrantId">;
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

/** An item of type Tenant was changed. */
export interface TenantUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Tenant Updated";
  /** The source of all events of the model. */
  readonly source: "instep.authorization";
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
      readonly model: "authorization";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Tenant";
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
        readonly tenantId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `name`. */
        readonly name?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `name`. */
        readonly name?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"name">;
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

/** An item of type User claims a unique value (UserEmail, UserPhone, UserPreferredUsername) that another owner has. The claim is pending. */
export interface UserConflicted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "User Conflicted";
  /** The source of all events of the model. */
  readonly source: "instep.authorization";
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
      readonly model: "authorization";
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
        readonly userId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `email`. */
        readonly email?: Json;
        /** The attribute `familyName`. */
        readonly familyName?: Json;
        /** The attribute `givenName`. */
        readonly givenName?: Json;
        /** The attribute `phone`. */
        readonly phone?: Json;
        /** The attribute `preferredUsername`. */
        readonly preferredUsername?: Json;
        /** The attribute `roles`. */
        readonly roles?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `email`. */
        readonly email?: Json;
        /** The attribute `familyName`. */
        readonly familyName?: Json;
        /** The attribute `givenName`. */
        readonly givenName?: Json;
        /** The attribute `phone`. */
        readonly phone?: Json;
        /** The attribute `preferredUsername`. */
        readonly preferredUsername?: Json;
        /** The attribute `roles`. */
        readonly roles?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"email" | "familyName" | "givenName" | "phone" | "preferredUsername" | "roles">;
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
        readonly guard: "UserEmail" | "UserPhone" | "UserPreferredUsername";
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
  readonly source: "instep.authorization";
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
      readonly model: "authorization";
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
        readonly userId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `email`. */
        readonly email?: Json;
        /** The attribute `familyName`. */
        readonly familyName?: Json;
        /** The attribute `givenName`. */
        readonly givenName?: Json;
        /** The attribute `phone`. */
        readonly phone?: Json;
        /** The attribute `preferredUsername`. */
        readonly preferredUsername?: Json;
        /** The attribute `roles`. */
        readonly roles?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"email" | "familyName" | "givenName" | "phone" | "preferredUsername" | "roles">;
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
  readonly source: "instep.authorization";
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
      readonly model: "authorization";
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
        readonly userId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `email`. */
        readonly email?: Json;
        /** The attribute `familyName`. */
        readonly familyName?: Json;
        /** The attribute `givenName`. */
        readonly givenName?: Json;
        /** The attribute `phone`. */
        readonly phone?: Json;
        /** The attribute `preferredUsername`. */
        readonly preferredUsername?: Json;
        /** The attribute `roles`. */
        readonly roles?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"email" | "familyName" | "givenName" | "phone" | "preferredUsername" | "roles">;
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

/** An item of type User gave its User a role. There is one event for each role. Or: An item of type TenantGrant gave its User a role. There is one event for each role. */
export interface UserGranted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "User Granted";
  /** The source of all events of the model. */
  readonly source: "instep.authorization";
  /** The AWS account. */
  readonly account?: string;
  /** When the table was written, or when the event was published if the record does not say that. */
  readonly time?: string;
  /** The AWS region. */
  readonly region?: string;
  /** Empty: Instep names no resources. */
  readonly resources?: ReadonlyArray<string>;
  readonly detail: {
    /** What happened, to what, and in which order. */
    readonly metadata: {
      /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
      readonly id: string;
      /** The version of this contract. */
      readonly version: "1";
      /** The table model's name. */
      readonly model: "authorization";
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
        readonly userId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `email`. */
        readonly email?: Json;
        /** The attribute `familyName`. */
        readonly familyName?: Json;
        /** The attribute `givenName`. */
        readonly givenName?: Json;
        /** The attribute `phone`. */
        readonly phone?: Json;
        /** The attribute `preferredUsername`. */
        readonly preferredUsername?: Json;
        /** The attribute `roles`. */
        readonly roles?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `email`. */
        readonly email?: Json;
        /** The attribute `familyName`. */
        readonly familyName?: Json;
        /** The attribute `givenName`. */
        readonly givenName?: Json;
        /** The attribute `phone`. */
        readonly phone?: Json;
        /** The attribute `preferredUsername`. */
        readonly preferredUsername?: Json;
        /** The attribute `roles`. */
        readonly roles?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"email" | "familyName" | "givenName" | "phone" | "preferredUsername" | "roles">;
      /** The role. Absent if the grant has none. */
      readonly role: string;
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
  } | {
    /** What happened, to what, and in which order. */
    readonly metadata: {
      /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
      readonly id: string;
      /** The version of this contract. */
      readonly version: "1";
      /** The table model's name. */
      readonly model: "authorization";
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
        readonly tenantId: string;
        readonly userId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `roles`. */
        readonly roles?: Json;
        /** The attribute `tenantGrantId`. */
        readonly tenantGrantId?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `roles`. */
        readonly roles?: Json;
        /** The attribute `tenantGrantId`. */
        readonly tenantGrantId?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"roles" | "tenantGrantId">;
      /** The role. Absent if the grant has none. */
      readonly role: string;
      /** The scope of the role. Absent if the grant applies everywhere. */
      readonly scope: string;
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

/** An item of type User no longer gives its User a role. There is one event for each role. Or: An item of type TenantGrant no longer gives its User a role. There is one event for each role. */
export interface UserRevoked {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "User Revoked";
  /** The source of all events of the model. */
  readonly source: "instep.authorization";
  /** The AWS account. */
  readonly account?: string;
  /** When the table was written, or when the event was published if the record does not say that. */
  readonly time?: string;
  /** The AWS region. */
  readonly region?: string;
  /** Empty: Instep names no resources. */
  readonly resources?: ReadonlyArray<string>;
  readonly detail: {
    /** What happened, to what, and in which order. */
    readonly metadata: {
      /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
      readonly id: string;
      /** The version of this contract. */
      readonly version: "1";
      /** The table model's name. */
      readonly model: "authorization";
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
        readonly userId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `email`. */
        readonly email?: Json;
        /** The attribute `familyName`. */
        readonly familyName?: Json;
        /** The attribute `givenName`. */
        readonly givenName?: Json;
        /** The attribute `phone`. */
        readonly phone?: Json;
        /** The attribute `preferredUsername`. */
        readonly preferredUsername?: Json;
        /** The attribute `roles`. */
        readonly roles?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `email`. */
        readonly email?: Json;
        /** The attribute `familyName`. */
        readonly familyName?: Json;
        /** The attribute `givenName`. */
        readonly givenName?: Json;
        /** The attribute `phone`. */
        readonly phone?: Json;
        /** The attribute `preferredUsername`. */
        readonly preferredUsername?: Json;
        /** The attribute `roles`. */
        readonly roles?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"email" | "familyName" | "givenName" | "phone" | "preferredUsername" | "roles">;
      /** The role. Absent if the grant has none. */
      readonly role: string;
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
  } | {
    /** What happened, to what, and in which order. */
    readonly metadata: {
      /** The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`. */
      readonly id: string;
      /** The version of this contract. */
      readonly version: "1";
      /** The table model's name. */
      readonly model: "authorization";
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
        readonly tenantId: string;
        readonly userId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `roles`. */
        readonly roles?: Json;
        /** The attribute `tenantGrantId`. */
        readonly tenantGrantId?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `roles`. */
        readonly roles?: Json;
        /** The attribute `tenantGrantId`. */
        readonly tenantGrantId?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"roles" | "tenantGrantId">;
      /** The role. Absent if the grant has none. */
      readonly role: string;
      /** The scope of the role. Absent if the grant applies everywhere. */
      readonly scope: string;
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
  readonly source: "instep.authorization";
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
      readonly model: "authorization";
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
        readonly userId: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `email`. */
        readonly email?: Json;
        /** The attribute `familyName`. */
        readonly familyName?: Json;
        /** The attribute `givenName`. */
        readonly givenName?: Json;
        /** The attribute `phone`. */
        readonly phone?: Json;
        /** The attribute `preferredUsername`. */
        readonly preferredUsername?: Json;
        /** The attribute `roles`. */
        readonly roles?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `email`. */
        readonly email?: Json;
        /** The attribute `familyName`. */
        readonly familyName?: Json;
        /** The attribute `givenName`. */
        readonly givenName?: Json;
        /** The attribute `phone`. */
        readonly phone?: Json;
        /** The attribute `preferredUsername`. */
        readonly preferredUsername?: Json;
        /** The attribute `roles`. */
        readonly roles?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"email" | "familyName" | "givenName" | "phone" | "preferredUsername" | "roles">;
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
export type AuthorizationEvent =
  | PolicyCreated
  | PolicyDeleted
  | PolicyUpdated
  | RoleCreated
  | RoleDeleted
  | RoleUpdated
  | TenantConflicted
  | TenantCreated
  | TenantDeleted
  | TenantGrantUpdated
  | TenantUpdated
  | UserConflicted
  | UserCreated
  | UserDeleted
  | UserGranted
  | UserRevoked
  | UserUpdated;
