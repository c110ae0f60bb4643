// Package events has the events of the table model access-management. Made by `instep contract`: do not edit.
package events

import "encoding/json"

// Nothing: no fields.
type Nothing struct{}

// SnapshotMark: The snapshot that the event belongs to. Absent if it reports a change.
type SnapshotMark struct {
	// The snapshot's id, the same in all its events.
	Id string `json:"id"`

	// The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone.
	Watermark string `json:"watermark"`

	// When reading the table began (RFC 3339).
	StartedAt string `json:"startedAt"`

	// Only of the end: the number of events between the beginning and the end.
	Count *uint32 `json:"count,omitempty"`

	// Only of the end: whether all items are in it. If not, what is missing may exist.
	Complete *bool `json:"complete,omitempty"`
}

// Metadata: What happened, to what, and in which order.
type Metadata struct {
	// The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
	Id string `json:"id"`

	// The version of this contract.
	Version string `json:"version"`

	// The table model's name.
	Model string `json:"model"`

	// The entity that the event is about. For a grant, the subject's.
	Entity string `json:"entity"`

	// The entity's id. For a grant, the subject's.
	EntityId string `json:"entityId"`

	// What happened.
	Verb string `json:"verb"`

	// The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type.
	Item string `json:"item"`

	// What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`.
	Kind string `json:"kind"`

	// The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot.
	Epoch string `json:"epoch"`

	// Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
	Sequence string `json:"sequence"`

	// Orders the events of one record, after `sequence`.
	Index uint32 `json:"index"`

	// When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot.
	RecordedAt *string `json:"recordedAt"`

	// Why the item changed.
	Cause string `json:"cause"`

	// The value of the attribute that the model names as `correlation`, or `null`.
	CorrelationId *string `json:"correlationId"`

	// The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again.
	Tenant *string `json:"tenant"`

	// Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before.
	Replay bool `json:"replay"`

	// Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
	Parked bool `json:"parked"`

	// The snapshot that the event belongs to. Absent if it reports a change.
	Snapshot *SnapshotMark `json:"snapshot,omitempty"`
}

// Conflict: Of a conflict or its end: whose unique value it is.
type Conflict struct {
	// The guard's item type.
	Guard string `json:"guard"`

	// The id of the owner that has the value. At the end of a conflict, that is the owner that the event is about.
	Holder string `json:"holder"`
}

// PrimaryKey: The item's primary key in the table, with which its present attributes can be read.
type PrimaryKey struct {
	Pk string `json:"pk"`
	Sk string `json:"sk"`
}

// Omitted: Present if the event would be too large for the bus: what is left out, and where it is.
type Omitted struct {
	// The parts that are empty for that reason. `changed` is still complete.
	Parts []string `json:"parts"`

	// The item's primary key in the table, with which its present attributes can be read.
	Key PrimaryKey `json:"key"`
}

// Data: The names in the item's key, and the attributes that the model publishes.
type Data[Keys, Attributes any] struct {
	// The names in the item's key.
	Keys Keys `json:"keys"`

	// Published attributes before the change. Empty if there was no item.
	Old Attributes `json:"old"`

	// Published attributes after the change. Empty if there is no item.
	New Attributes `json:"new"`

	// The names of the published attributes that differ, sorted.
	Changed []string `json:"changed"`

	// What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says.
	Types map[string]string `json:"types,omitempty"`

	// The role. Absent if the grant has none.
	Role *string `json:"role,omitempty"`

	// The scope of the role: the id of its item, as in that item's `metadata.item`, or a value. Absent if the grant applies everywhere.
	Scope *string `json:"scope,omitempty"`

	// The entity of the scope, which its id alone does not say. Absent if the scope is no item.
	ScopeEntity *string `json:"scopeEntity,omitempty"`

	// Of a conflict or its end: whose unique value it is.
	Guard *Conflict `json:"guard,omitempty"`

	// Present if the event would be too large for the bus: what is left out, and where it is.
	Omitted *Omitted `json:"omitted,omitempty"`
}

// Detail: What Instep publishes.
type Detail[Keys, Attributes any] struct {
	// What happened, to what, and in which order.
	Metadata Metadata `json:"metadata"`

	// The names in the item's key, and the attributes that the model publishes.
	Data Data[Keys, Attributes] `json:"data"`
}

// InstepEvent: An event as EventBridge delivers it.
type InstepEvent[Keys, Attributes any] struct {
	// The version of EventBridge's envelope.
	Version *string `json:"version,omitempty"`

	// EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
	Id *string `json:"id,omitempty"`

	// The entity and the verb.
	DetailType string `json:"detail-type"`

	// The source of all events of the model.
	Source string `json:"source"`

	// The AWS account.
	Account *string `json:"account,omitempty"`

	// When the table was written, or when the event was published if the record does not say that.
	Time *string `json:"time,omitempty"`

	// The AWS region.
	Region *string `json:"region,omitempty"`

	// Empty: Instep names no resources.
	Resources []string `json:"resources,omitempty"`

	// What Instep publishes.
	Detail Detail[Keys, Attributes] `json:"detail"`
}

// GroupAttributes: The attributes of Group that events show.
type GroupAttributes struct {
	CreatedAt   json.RawMessage `json:"createdAt,omitempty"`
	CreatedBy   json.RawMessage `json:"createdBy,omitempty"`
	Description json.RawMessage `json:"description,omitempty"`
	Id          json.RawMessage `json:"id,omitempty"`
	Name        json.RawMessage `json:"name,omitempty"`
	State       json.RawMessage `json:"state,omitempty"`
	UpdatedAt   json.RawMessage `json:"updatedAt,omitempty"`
	UpdatedBy   json.RawMessage `json:"updatedBy,omitempty"`
}

// GroupKeys: The names in the key of Group.
type GroupKeys struct {
	GroupId string `json:"groupId"`
}

// HierarchyAttributes: The attributes of Hierarchy that events show.
type HierarchyAttributes struct {
}

// HierarchyKeys: The names in the key of Hierarchy.
type HierarchyKeys struct {
	ParentGroupId string `json:"parent.groupId"`
	ChildGroupId  string `json:"child.groupId"`
}

// MembershipAttributes: The attributes of Membership that events show.
type MembershipAttributes struct {
	CreatedAt json.RawMessage `json:"createdAt,omitempty"`
	CreatedBy json.RawMessage `json:"createdBy,omitempty"`
	Role      json.RawMessage `json:"role,omitempty"`
}

// MembershipKeys: The names in the key of Membership.
type MembershipKeys struct {
	Email   string `json:"email"`
	GroupId string `json:"groupId"`
}

// UserAttributes: The attributes of User that events show.
type UserAttributes struct {
	CreatedAt json.RawMessage `json:"createdAt,omitempty"`
	CreatedBy json.RawMessage `json:"createdBy,omitempty"`
	Email     json.RawMessage `json:"email,omitempty"`
	State     json.RawMessage `json:"state,omitempty"`
	UpdatedAt json.RawMessage `json:"updatedAt,omitempty"`
	UpdatedBy json.RawMessage `json:"updatedBy,omitempty"`
}

// UserKeys: The names in the key of User.
type UserKeys struct {
	Email string `json:"email"`
}

// GroupCreated: An item of type Group was created.
type GroupCreated = InstepEvent[GroupKeys, GroupAttributes]

// GroupDeleted: An item of type Group was deleted.
type GroupDeleted = InstepEvent[GroupKeys, GroupAttributes]

// GroupUpdated: An item of type Group was changed in what its events show.
type GroupUpdated = InstepEvent[GroupKeys, GroupAttributes]

// HierarchyCreated: An item of type Hierarchy was created.
type HierarchyCreated = InstepEvent[HierarchyKeys, HierarchyAttributes]

// HierarchyDeleted: An item of type Hierarchy was deleted.
type HierarchyDeleted = InstepEvent[HierarchyKeys, HierarchyAttributes]

// MembershipUpdated: An item of type Membership was changed in what its events show, beside its roles.
type MembershipUpdated = InstepEvent[MembershipKeys, MembershipAttributes]

// SnapshotEnded: A snapshot ended: it says how many events it has, and whether the whole table was read.
type SnapshotEnded = InstepEvent[Nothing, Nothing]

// SnapshotStarted: A snapshot began: until its end come the items that the table has.
type SnapshotStarted = InstepEvent[Nothing, Nothing]

// UserCreated: An item of type User was created.
type UserCreated = InstepEvent[UserKeys, UserAttributes]

// UserDeleted: An item of type User was deleted.
type UserDeleted = InstepEvent[UserKeys, UserAttributes]

// UserGranted: An item of type Membership gave its User a role. There is one event for each role.
type UserGranted = InstepEvent[MembershipKeys, MembershipAttributes]

// UserRevoked: An item of type Membership no longer gives its User a role. There is one event for each role.
type UserRevoked = InstepEvent[MembershipKeys, MembershipAttributes]

// UserUpdated: An item of type User was changed in what its events show.
type UserUpdated = InstepEvent[UserKeys, UserAttributes]

// What DetailType is.
const (
	DetailTypeGroupCreated      = "Group Created"
	DetailTypeGroupDeleted      = "Group Deleted"
	DetailTypeGroupUpdated      = "Group Updated"
	DetailTypeHierarchyCreated  = "Hierarchy Created"
	DetailTypeHierarchyDeleted  = "Hierarchy Deleted"
	DetailTypeMembershipUpdated = "Membership Updated"
	DetailTypeSnapshotEnded     = "Snapshot Ended"
	DetailTypeSnapshotStarted   = "Snapshot Started"
	DetailTypeUserCreated       = "User Created"
	DetailTypeUserDeleted       = "User Deleted"
	DetailTypeUserGranted       = "User Granted"
	DetailTypeUserRevoked       = "User Revoked"
	DetailTypeUserUpdated       = "User Updated"
)
