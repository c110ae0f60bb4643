// The events of the table model `platform`. Made by `instep contract`: do not edit.

/** Any JSON value: DynamoDB does not say what type an attribute has. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** An item of type Account was created. */
export interface AccountCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Account Created";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Account";
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
        readonly account_id: string;
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

/** An item of type Account was deleted. */
export interface AccountDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Account Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Account";
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
        readonly account_id: string;
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

/** An item of type Account was changed. */
export interface AccountUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Account Updated";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Account";
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
        readonly account_id: string;
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

/** An item of type Address was created. */
export interface AddressCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Address Created";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Address";
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
        readonly account_id: string;
        readonly address_id: string;
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

/** An item of type Address was deleted. */
export interface AddressDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Address Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Address";
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
        readonly account_id: string;
        readonly address_id: string;
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

/** An item of type Address was changed. */
export interface AddressUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Address Updated";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Address";
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
        readonly account_id: string;
        readonly address_id: string;
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

/** An item of type Enterprise was created. */
export interface EnterpriseCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Enterprise Created";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Enterprise";
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
        readonly enterprise_id: string;
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

/** An item of type Enterprise was deleted. */
export interface EnterpriseDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Enterprise Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Enterprise";
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
        readonly enterprise_id: string;
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

/** An item of type EnterpriseProduct was created. */
export interface EnterpriseProductCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "EnterpriseProduct Created";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "EnterpriseProduct";
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
        readonly enterprise_id: string;
        readonly product_id: string;
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

/** An item of type EnterpriseProduct was deleted. */
export interface EnterpriseProductDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "EnterpriseProduct Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "EnterpriseProduct";
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
        readonly enterprise_id: string;
        readonly product_id: string;
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

/** An item of type EnterpriseProduct was changed. */
export interface EnterpriseProductUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "EnterpriseProduct Updated";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "EnterpriseProduct";
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
        readonly enterprise_id: string;
        readonly product_id: string;
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

/** An item of type EnterpriseService was created. */
export interface EnterpriseServiceCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "EnterpriseService Created";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "EnterpriseService";
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
        readonly enterprise_id: string;
        readonly service_id: string;
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

/** An item of type EnterpriseService was deleted. */
export interface EnterpriseServiceDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "EnterpriseService Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "EnterpriseService";
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
        readonly enterprise_id: string;
        readonly service_id: string;
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

/** An item of type EnterpriseService was changed. */
export interface EnterpriseServiceUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "EnterpriseService Updated";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "EnterpriseService";
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
        readonly enterprise_id: string;
        readonly service_id: string;
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

/** An item of type Enterprise was changed. */
export interface EnterpriseUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Enterprise Updated";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Enterprise";
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
        readonly enterprise_id: string;
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

/** An item of type Group was created. */
export interface GroupCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Group Created";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Group";
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
        readonly group_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `account_id`. */
        readonly account_id?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"accountId" | "account_id">;
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

/** An item of type Group was deleted. */
export interface GroupDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Group Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Group";
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
        readonly group_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `account_id`. */
        readonly account_id?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"accountId" | "account_id">;
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

/** An item of type Group was changed. */
export interface GroupUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Group Updated";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Group";
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
        readonly group_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `account_id`. */
        readonly account_id?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `account_id`. */
        readonly account_id?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"accountId" | "account_id">;
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

/** An item of type License was created. */
export interface LicenseCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "License Created";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "License";
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
        readonly account_id: string;
        readonly license_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `endDate`. */
        readonly endDate?: Json;
        /** The attribute `end_date`. */
        readonly end_date?: Json;
        /** The attribute `status`. */
        readonly status?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"endDate" | "end_date" | "status">;
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

/** An item of type License was deleted. */
export interface LicenseDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "License Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "License";
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
        readonly account_id: string;
        readonly license_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `endDate`. */
        readonly endDate?: Json;
        /** The attribute `end_date`. */
        readonly end_date?: Json;
        /** The attribute `status`. */
        readonly status?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"endDate" | "end_date" | "status">;
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

/** An item of type License was changed. */
export interface LicenseUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "License Updated";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "License";
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
        readonly account_id: string;
        readonly license_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `endDate`. */
        readonly endDate?: Json;
        /** The attribute `end_date`. */
        readonly end_date?: Json;
        /** The attribute `status`. */
        readonly status?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `endDate`. */
        readonly endDate?: Json;
        /** The attribute `end_date`. */
        readonly end_date?: Json;
        /** The attribute `status`. */
        readonly status?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"endDate" | "end_date" | "status">;
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

/** An item of type NotificationAudit was created. */
export interface NotificationAuditCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": string;
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Notification";
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
        readonly audit_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `deliveryStatus`. */
        readonly deliveryStatus?: Json;
        /** The attribute `notificationType`. */
        readonly notificationType?: Json;
        /** The attribute `sentAt`. */
        readonly sentAt?: Json;
        /** The attribute `skipReason`. */
        readonly skipReason?: Json;
        /** The attribute `userId`. */
        readonly userId?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"accountId" | "deliveryStatus" | "notificationType" | "sentAt" | "skipReason" | "userId">;
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

/** An item of type NotificationAudit was created. */
export interface NotificationCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Notification Created";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Notification";
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
        readonly audit_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `deliveryStatus`. */
        readonly deliveryStatus?: Json;
        /** The attribute `notificationType`. */
        readonly notificationType?: Json;
        /** The attribute `sentAt`. */
        readonly sentAt?: Json;
        /** The attribute `skipReason`. */
        readonly skipReason?: Json;
        /** The attribute `userId`. */
        readonly userId?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"accountId" | "deliveryStatus" | "notificationType" | "sentAt" | "skipReason" | "userId">;
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

/** An item of type NotificationAudit was created. */
export interface NotificationFailed {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Notification Failed";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Notification";
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
        readonly audit_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `deliveryStatus`. */
        readonly deliveryStatus?: Json;
        /** The attribute `notificationType`. */
        readonly notificationType?: Json;
        /** The attribute `sentAt`. */
        readonly sentAt?: Json;
        /** The attribute `skipReason`. */
        readonly skipReason?: Json;
        /** The attribute `userId`. */
        readonly userId?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"accountId" | "deliveryStatus" | "notificationType" | "sentAt" | "skipReason" | "userId">;
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

/** An item of type NotificationAudit was created. */
export interface NotificationSent {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Notification Sent";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Notification";
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
        readonly audit_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `deliveryStatus`. */
        readonly deliveryStatus?: Json;
        /** The attribute `notificationType`. */
        readonly notificationType?: Json;
        /** The attribute `sentAt`. */
        readonly sentAt?: Json;
        /** The attribute `skipReason`. */
        readonly skipReason?: Json;
        /** The attribute `userId`. */
        readonly userId?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"accountId" | "deliveryStatus" | "notificationType" | "sentAt" | "skipReason" | "userId">;
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

/** An item of type NotificationAudit was created. */
export interface NotificationSkipped {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Notification Skipped";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Notification";
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
        readonly audit_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `deliveryStatus`. */
        readonly deliveryStatus?: Json;
        /** The attribute `notificationType`. */
        readonly notificationType?: Json;
        /** The attribute `sentAt`. */
        readonly sentAt?: Json;
        /** The attribute `skipReason`. */
        readonly skipReason?: Json;
        /** The attribute `userId`. */
        readonly userId?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"accountId" | "deliveryStatus" | "notificationType" | "sentAt" | "skipReason" | "userId">;
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

/** An item of type Product was created. */
export interface ProductCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Product Created";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Product";
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
        readonly product_id: string;
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

/** An item of type Product was deleted. */
export interface ProductDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Product Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Product";
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
        readonly product_id: string;
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

/** An item of type Product was changed. */
export interface ProductUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Product Updated";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Product";
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
        readonly product_id: string;
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
  readonly source: "instep.platform";
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
      readonly model: "platform";
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
        readonly role_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `account_id`. */
        readonly account_id?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"accountId" | "account_id">;
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
  readonly source: "instep.platform";
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
      readonly model: "platform";
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
        readonly role_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `account_id`. */
        readonly account_id?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"accountId" | "account_id">;
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

/** An item of type RolePermission gave its Role a role. There is one event for each role. */
export interface RoleGranted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Role Granted";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Role";
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
        readonly role_id: string;
        readonly menu_key: string;
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
      /** The scope of the role. Absent if the grant applies everywhere. */
      readonly scope: string;
    };
  };
}

/** An item of type RolePermission was changed in anything but its roles, or was written without granting or revoking a role. */
export interface RolePermissionUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "RolePermission Updated";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "RolePermission";
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
        readonly role_id: string;
        readonly menu_key: string;
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

/** An item of type RolePermission no longer gives its Role a role. There is one event for each role. */
export interface RoleRevoked {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Role Revoked";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Role";
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
        readonly role_id: string;
        readonly menu_key: string;
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
      /** The scope of the role. Absent if the grant applies everywhere. */
      readonly scope: string;
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
  readonly source: "instep.platform";
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
      readonly model: "platform";
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
        readonly role_id: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `account_id`. */
        readonly account_id?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `account_id`. */
        readonly account_id?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"accountId" | "account_id">;
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

/** An item of type Service was created. */
export interface ServiceCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Service Created";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Service";
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
        readonly service_id: string;
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

/** An item of type Service was deleted. */
export interface ServiceDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Service Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Service";
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
        readonly service_id: string;
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

/** An item of type Service was changed. */
export interface ServiceUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Service Updated";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Service";
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
        readonly service_id: string;
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

/** An item of type TechUser was created. */
export interface TechUserCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "TechUser Created";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "TechUser";
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
        readonly account_id: string;
        readonly user_id: string;
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

/** An item of type TechUser was deleted. */
export interface TechUserDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "TechUser Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "TechUser";
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
        readonly account_id: string;
        readonly user_id: string;
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

/** An item of type TechUser was changed. */
export interface TechUserUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "TechUser Updated";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "TechUser";
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
        readonly account_id: string;
        readonly user_id: string;
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

/** An item of type Tool was created. */
export interface ToolCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Tool Created";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Tool";
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
        readonly workstream_id: string;
        readonly tool_id: string;
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

/** An item of type Tool was deleted. */
export interface ToolDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Tool Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Tool";
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
        readonly workstream_id: string;
        readonly tool_id: string;
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

/** An item of type Tool was changed. */
export interface ToolUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Tool Updated";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Tool";
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
        readonly workstream_id: string;
        readonly tool_id: string;
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

/** An item of type User was created. */
export interface UserCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "User Created";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
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
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `account_id`. */
        readonly account_id?: Json;
        /** The attribute `assignedGroup`. */
        readonly assignedGroup?: Json;
        /** The attribute `endDate`. */
        readonly endDate?: Json;
        /** The attribute `end_date`. */
        readonly end_date?: Json;
        /** The attribute `status`. */
        readonly status?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"accountId" | "account_id" | "assignedGroup" | "endDate" | "end_date" | "status">;
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
  readonly source: "instep.platform";
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
      readonly model: "platform";
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
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `account_id`. */
        readonly account_id?: Json;
        /** The attribute `assignedGroup`. */
        readonly assignedGroup?: Json;
        /** The attribute `endDate`. */
        readonly endDate?: Json;
        /** The attribute `end_date`. */
        readonly end_date?: Json;
        /** The attribute `status`. */
        readonly status?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"accountId" | "account_id" | "assignedGroup" | "endDate" | "end_date" | "status">;
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

/** An item of type UserWorkstream gave its User a role. There is one event for each role. */
export interface UserGranted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "User Granted";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
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
        readonly user_id: string;
        readonly workstream_id: string;
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
      /** The scope of the role. Absent if the grant applies everywhere. */
      readonly scope: string;
    };
  };
}

/** An item of type UserWorkstream no longer gives its User a role. There is one event for each role. */
export interface UserRevoked {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "User Revoked";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
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
        readonly user_id: string;
        readonly workstream_id: string;
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
      /** The scope of the role. Absent if the grant applies everywhere. */
      readonly scope: string;
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
  readonly source: "instep.platform";
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
      readonly model: "platform";
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
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `account_id`. */
        readonly account_id?: Json;
        /** The attribute `assignedGroup`. */
        readonly assignedGroup?: Json;
        /** The attribute `endDate`. */
        readonly endDate?: Json;
        /** The attribute `end_date`. */
        readonly end_date?: Json;
        /** The attribute `status`. */
        readonly status?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `accountId`. */
        readonly accountId?: Json;
        /** The attribute `account_id`. */
        readonly account_id?: Json;
        /** The attribute `assignedGroup`. */
        readonly assignedGroup?: Json;
        /** The attribute `endDate`. */
        readonly endDate?: Json;
        /** The attribute `end_date`. */
        readonly end_date?: Json;
        /** The attribute `status`. */
        readonly status?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"accountId" | "account_id" | "assignedGroup" | "endDate" | "end_date" | "status">;
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

/** An item of type UserWorkstream was changed in anything but its roles, or was written without granting or revoking a role. */
export interface UserWorkstreamUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "UserWorkstream Updated";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "UserWorkstream";
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
        readonly workstream_id: string;
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

/** An item of type Workstream was created. */
export interface WorkstreamCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Workstream Created";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Workstream";
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
        readonly account_id: string;
        readonly workstream_id: string;
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

/** An item of type Workstream was deleted. */
export interface WorkstreamDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Workstream Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Workstream";
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
        readonly account_id: string;
        readonly workstream_id: string;
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

/** An item of type Workstream was changed. */
export interface WorkstreamUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "Workstream Updated";
  /** The source of all events of the model. */
  readonly source: "instep.platform";
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
      readonly model: "platform";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "Workstream";
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
        readonly account_id: string;
        readonly workstream_id: string;
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

/** Every event of the model. */
export type PlatformEvent =
  | AccountCreated
  | AccountDeleted
  | AccountUpdated
  | AddressCreated
  | AddressDeleted
  | AddressUpdated
  | EnterpriseCreated
  | EnterpriseDeleted
  | EnterpriseProductCreated
  | EnterpriseProductDeleted
  | EnterpriseProductUpdated
  | EnterpriseServiceCreated
  | EnterpriseServiceDeleted
  | EnterpriseServiceUpdated
  | EnterpriseUpdated
  | GroupCreated
  | GroupDeleted
  | GroupUpdated
  | LicenseCreated
  | LicenseDeleted
  | LicenseUpdated
  | NotificationAuditCreated
  | NotificationCreated
  | NotificationFailed
  | NotificationSent
  | NotificationSkipped
  | ProductCreated
  | ProductDeleted
  | ProductUpdated
  | RoleCreated
  | RoleDeleted
  | RoleGranted
  | RolePermissionUpdated
  | RoleRevoked
  | RoleUpdated
  | ServiceCreated
  | ServiceDeleted
  | ServiceUpdated
  | TechUserCreated
  | TechUserDeleted
  | TechUserUpdated
  | ToolCreated
  | ToolDeleted
  | ToolUpdated
  | UserCreated
  | UserDeleted
  | UserGranted
  | UserRevoked
  | UserUpdated
  | UserWorkstreamUpdated
  | WorkstreamCreated
  | WorkstreamDeleted
  | WorkstreamUpdated;
