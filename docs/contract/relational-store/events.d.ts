// The events of the table model `relational-store`. Made by `instep contract`: do not edit.

/** Any JSON value: DynamoDB does not say what type an attribute has. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** An item of type CollectionMembershipRelationship was created. */
export interface CollectionMembershipRelationshipCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "CollectionMembershipRelationship Created";
  /** The source of all events of the model. */
  readonly source: "instep.relational-store";
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
      readonly model: "relational-store";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "CollectionMembershipRelationship";
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
        readonly "collection.urn": string;
        readonly "member.urn": string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `_accountUrn`. */
        readonly _accountUrn?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"_accountUrn">;
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

/** An item of type CollectionMembershipRelationship was deleted. */
export interface CollectionMembershipRelationshipDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "CollectionMembershipRelationship Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.relational-store";
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
      readonly model: "relational-store";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "CollectionMembershipRelationship";
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
        readonly "collection.urn": string;
        readonly "member.urn": string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `_accountUrn`. */
        readonly _accountUrn?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"_accountUrn">;
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

/** An item of type CollectionMembershipRelationship was changed. */
export interface CollectionMembershipRelationshipUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "CollectionMembershipRelationship Updated";
  /** The source of all events of the model. */
  readonly source: "instep.relational-store";
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
      readonly model: "relational-store";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "CollectionMembershipRelationship";
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
        readonly "collection.urn": string;
        readonly "member.urn": string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `_accountUrn`. */
        readonly _accountUrn?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `_accountUrn`. */
        readonly _accountUrn?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"_accountUrn">;
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

/** An item of type ParentChildRelationship was created. */
export interface ParentChildRelationshipCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "ParentChildRelationship Created";
  /** The source of all events of the model. */
  readonly source: "instep.relational-store";
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
      readonly model: "relational-store";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "ParentChildRelationship";
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
        readonly "parent.urn": string;
        readonly "child.urn": string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `_accountUrn`. */
        readonly _accountUrn?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"_accountUrn">;
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

/** An item of type ParentChildRelationship was deleted. */
export interface ParentChildRelationshipDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "ParentChildRelationship Deleted";
  /** The source of all events of the model. */
  readonly source: "instep.relational-store";
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
      readonly model: "relational-store";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "ParentChildRelationship";
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
        readonly "parent.urn": string;
        readonly "child.urn": string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `_accountUrn`. */
        readonly _accountUrn?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"_accountUrn">;
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

/** An item of type ParentChildRelationship was changed. */
export interface ParentChildRelationshipUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": "ParentChildRelationship Updated";
  /** The source of all events of the model. */
  readonly source: "instep.relational-store";
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
      readonly model: "relational-store";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: "ParentChildRelationship";
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
        readonly "parent.urn": string;
        readonly "child.urn": string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `_accountUrn`. */
        readonly _accountUrn?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `_accountUrn`. */
        readonly _accountUrn?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"_accountUrn">;
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

/** An item of type Resource claims a unique value (UniqueKeyValue) that another owner has. The claim is pending. */
export interface ResourceConflicted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": string;
  /** The source of all events of the model. */
  readonly source: "instep.relational-store";
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
      readonly model: "relational-store";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: string;
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
        readonly urn: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `_accountUrn`. */
        readonly _accountUrn?: Json;
        /** The attribute `_createdAt`. */
        readonly _createdAt?: Json;
        /** The attribute `_id`. */
        readonly _id?: Json;
        /** The attribute `_resourceType`. */
        readonly _resourceType?: Json;
        /** The attribute `_schemaVersion`. */
        readonly _schemaVersion?: Json;
        /** The attribute `_updatedAt`. */
        readonly _updatedAt?: Json;
        /** The attribute `urn`. */
        readonly urn?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `_accountUrn`. */
        readonly _accountUrn?: Json;
        /** The attribute `_createdAt`. */
        readonly _createdAt?: Json;
        /** The attribute `_id`. */
        readonly _id?: Json;
        /** The attribute `_resourceType`. */
        readonly _resourceType?: Json;
        /** The attribute `_schemaVersion`. */
        readonly _schemaVersion?: Json;
        /** The attribute `_updatedAt`. */
        readonly _updatedAt?: Json;
        /** The attribute `urn`. */
        readonly urn?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"_accountUrn" | "_createdAt" | "_id" | "_resourceType" | "_schemaVersion" | "_updatedAt" | "urn">;
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
        readonly guard: "UniqueKeyValue";
        /** The id of the owner that has the value. */
        readonly holder: string;
      };
    };
  };
}

/** An item of type Resource was created. */
export interface ResourceCreated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": string;
  /** The source of all events of the model. */
  readonly source: "instep.relational-store";
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
      readonly model: "relational-store";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: string;
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
        readonly urn: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: { readonly [name: string]: never };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `_accountUrn`. */
        readonly _accountUrn?: Json;
        /** The attribute `_createdAt`. */
        readonly _createdAt?: Json;
        /** The attribute `_id`. */
        readonly _id?: Json;
        /** The attribute `_resourceType`. */
        readonly _resourceType?: Json;
        /** The attribute `_schemaVersion`. */
        readonly _schemaVersion?: Json;
        /** The attribute `_updatedAt`. */
        readonly _updatedAt?: Json;
        /** The attribute `urn`. */
        readonly urn?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"_accountUrn" | "_createdAt" | "_id" | "_resourceType" | "_schemaVersion" | "_updatedAt" | "urn">;
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

/** An item of type Resource was deleted. */
export interface ResourceDeleted {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": string;
  /** The source of all events of the model. */
  readonly source: "instep.relational-store";
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
      readonly model: "relational-store";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: string;
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
        readonly urn: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `_accountUrn`. */
        readonly _accountUrn?: Json;
        /** The attribute `_createdAt`. */
        readonly _createdAt?: Json;
        /** The attribute `_id`. */
        readonly _id?: Json;
        /** The attribute `_resourceType`. */
        readonly _resourceType?: Json;
        /** The attribute `_schemaVersion`. */
        readonly _schemaVersion?: Json;
        /** The attribute `_updatedAt`. */
        readonly _updatedAt?: Json;
        /** The attribute `urn`. */
        readonly urn?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: { readonly [name: string]: never };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"_accountUrn" | "_createdAt" | "_id" | "_resourceType" | "_schemaVersion" | "_updatedAt" | "urn">;
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

/** An item of type Resource was changed. */
export interface ResourceUpdated {
  /** The version of EventBridge's envelope. */
  readonly version?: string;
  /** EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates. */
  readonly id?: string;
  /** The entity and the verb. */
  readonly "detail-type": string;
  /** The source of all events of the model. */
  readonly source: "instep.relational-store";
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
      readonly model: "relational-store";
      /** The entity that the event is about. For a grant, the subject's. */
      readonly entity: string;
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
        readonly urn: string;
      };
      /** Published attributes before the change. Empty if there was no item. */
      readonly old: {
        /** The attribute `_accountUrn`. */
        readonly _accountUrn?: Json;
        /** The attribute `_createdAt`. */
        readonly _createdAt?: Json;
        /** The attribute `_id`. */
        readonly _id?: Json;
        /** The attribute `_resourceType`. */
        readonly _resourceType?: Json;
        /** The attribute `_schemaVersion`. */
        readonly _schemaVersion?: Json;
        /** The attribute `_updatedAt`. */
        readonly _updatedAt?: Json;
        /** The attribute `urn`. */
        readonly urn?: Json;
      };
      /** Published attributes after the change. Empty if there is no item. */
      readonly new: {
        /** The attribute `_accountUrn`. */
        readonly _accountUrn?: Json;
        /** The attribute `_createdAt`. */
        readonly _createdAt?: Json;
        /** The attribute `_id`. */
        readonly _id?: Json;
        /** The attribute `_resourceType`. */
        readonly _resourceType?: Json;
        /** The attribute `_schemaVersion`. */
        readonly _schemaVersion?: Json;
        /** The attribute `_updatedAt`. */
        readonly _updatedAt?: Json;
        /** The attribute `urn`. */
        readonly urn?: Json;
      };
      /** The names of the published attributes that differ, sorted. */
      readonly changed: ReadonlyArray<"_accountUrn" | "_createdAt" | "_id" | "_resourceType" | "_schemaVersion" | "_updatedAt" | "urn">;
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
export type RelationalStoreEvent =
  | CollectionMembershipRelationshipCreated
  | CollectionMembershipRelationshipDeleted
  | CollectionMembershipRelationshipUpdated
  | ParentChildRelationshipCreated
  | ParentChildRelationshipDeleted
  | ParentChildRelationshipUpdated
  | ResourceConflicted
  | ResourceCreated
  | ResourceDeleted
  | ResourceUpdated;
