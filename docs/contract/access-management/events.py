"""The events of the table model `access-management`. Made by `instep contract`: do not edit.

For Python 3.11 or later.
"""

from typing import Any, Generic, List, Literal, NotRequired, TypedDict, TypeVar, Union

Entity = TypeVar("Entity")
Verb = TypeVar("Verb")
Kind = TypeVar("Kind")
Cause = TypeVar("Cause")
Keys = TypeVar("Keys")
Old = TypeVar("Old")
New = TypeVar("New")
OwnMetadata = TypeVar("OwnMetadata")
OwnData = TypeVar("OwnData")
OwnDetail = TypeVar("OwnDetail")


class Nothing(TypedDict):
    """No fields."""


class SnapshotMark(TypedDict):
    """The snapshot that the event belongs to. Absent if it reports a change."""

    # The snapshot's id, the same in all its events.
    id: str
    # The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone.
    watermark: str
    # When reading the table began (RFC 3339).
    startedAt: str
    # Only of the end: the number of events between the beginning and the end.
    count: NotRequired[int]
    # Only of the end: whether all items are in it. If not, what is missing may exist.
    complete: NotRequired[bool]


class Metadata(TypedDict, Generic[Entity, Verb, Kind, Cause]):
    """What happened, to what, and in which order."""

    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    id: str
    # The version of this contract.
    version: Literal["1"]
    # The table model's name.
    model: Literal["access-management"]
    # The entity that the event is about. For a grant, the subject's.
    entity: Entity
    # The entity's id. For a grant, the subject's.
    entityId: str
    # What happened.
    verb: Verb
    # The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type.
    item: str
    # What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`.
    kind: Kind
    # The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot.
    epoch: str
    # Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    sequence: str
    # Orders the events of one record, after `sequence`.
    index: int
    # When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot.
    recordedAt: Union[str, None]
    # Why the item changed.
    cause: Cause
    # The value of the attribute that the model names as `correlation`, or `null`.
    correlationId: Union[str, None]
    # The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again.
    tenant: Union[str, None]
    # Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before.
    replay: bool
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    parked: bool
    # The snapshot that the event belongs to. Absent if it reports a change.
    snapshot: NotRequired[SnapshotMark]


class Conflict(TypedDict):
    """Of a conflict or its end: whose unique value it is."""

    # The guard's item type.
    guard: str
    # The id of the owner that has the value. At the end of a conflict, that is the owner that the event is about.
    holder: str


PrimaryKey = TypedDict("PrimaryKey", {"pk": str, "sk": str})


class Omitted(TypedDict):
    """Present if the event would be too large for the bus: what is left out, and where it is."""

    # The parts that are empty for that reason. `changed` is still complete.
    parts: List[Literal["old", "new"]]
    # The item's primary key in the table, with which its present attributes can be read.
    key: PrimaryKey


class Data(TypedDict, Generic[Keys, Old, New]):
    """The names in the item's key, and the attributes that the model publishes."""

    # The names in the item's key.
    keys: Keys
    # Published attributes before the change. Empty if there was no item.
    old: Old
    # Published attributes after the change. Empty if there is no item.
    new: New
    # The names of the published attributes that differ, sorted.
    changed: List[str]
    # What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says.
    types: NotRequired[dict[str, Literal["N", "B", "SS", "NS", "BS"]]]
    # Present if the event would be too large for the bus: what is left out, and where it is.
    omitted: NotRequired[Omitted]


class Detail(TypedDict, Generic[OwnMetadata, OwnData]):
    """What Instep publishes."""

    # What happened, to what, and in which order.
    metadata: OwnMetadata
    # The names in the item's key, and the attributes that the model publishes.
    data: OwnData


class InstepEvent(TypedDict, Generic[OwnDetail]):
    """An event as EventBridge delivers it."""

    # The version of EventBridge's envelope.
    version: NotRequired[str]
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    id: NotRequired[str]
    # The source of all events of the model.
    source: Literal["instep.access-management"]
    # The AWS account.
    account: NotRequired[str]
    # When the table was written, or when the event was published if the record does not say that.
    time: NotRequired[str]
    # The AWS region.
    region: NotRequired[str]
    # Empty: Instep names no resources.
    resources: NotRequired[List[str]]
    # What Instep publishes.
    detail: OwnDetail

GroupAttributes = TypedDict("GroupAttributes", {"createdAt": NotRequired[Any], "createdBy": NotRequired[Any], "description": NotRequired[Any], "id": NotRequired[Any], "name": NotRequired[Any], "state": NotRequired[Any], "updatedAt": NotRequired[Any], "updatedBy": NotRequired[Any]})
"""The attributes of Group that events show."""

GroupKeys = TypedDict("GroupKeys", {"groupId": str})
"""The names in the key of Group."""

HierarchyAttributes = TypedDict("HierarchyAttributes", {})
"""The attributes of Hierarchy that events show."""

HierarchyKeys = TypedDict("HierarchyKeys", {"parent.groupId": str, "child.groupId": str})
"""The names in the key of Hierarchy."""

MembershipAttributes = TypedDict("MembershipAttributes", {"createdAt": NotRequired[Any], "createdBy": NotRequired[Any], "role": NotRequired[Any]})
"""The attributes of Membership that events show."""

MembershipKeys = TypedDict("MembershipKeys", {"email": str, "groupId": str})
"""The names in the key of Membership."""

UserAttributes = TypedDict("UserAttributes", {"createdAt": NotRequired[Any], "createdBy": NotRequired[Any], "email": NotRequired[Any], "state": NotRequired[Any], "updatedAt": NotRequired[Any], "updatedBy": NotRequired[Any]})
"""The attributes of User that events show."""

UserKeys = TypedDict("UserKeys", {"email": str})
"""The names in the key of User."""

GroupCreatedName = TypedDict("GroupCreatedName", {"detail-type": Literal["Group Created"]})


class GroupCreated(GroupCreatedName, InstepEvent[Detail[Metadata[Literal["Group"], Literal["created"], Literal["entity"], Literal["write"]], Data[GroupKeys, Nothing, GroupAttributes]]]):
    """An item of type Group was created."""

GroupDeletedName = TypedDict("GroupDeletedName", {"detail-type": Literal["Group Deleted"]})


class GroupDeleted(GroupDeletedName, InstepEvent[Detail[Metadata[Literal["Group"], Literal["deleted"], Literal["entity"], Literal["write", "ttl"]], Data[GroupKeys, GroupAttributes, Nothing]]]):
    """An item of type Group was deleted."""

GroupUpdatedName = TypedDict("GroupUpdatedName", {"detail-type": Literal["Group Updated"]})


class GroupUpdated(GroupUpdatedName, InstepEvent[Detail[Metadata[Literal["Group"], Literal["updated"], Literal["entity"], Literal["write"]], Data[GroupKeys, GroupAttributes, GroupAttributes]]]):
    """An item of type Group was changed in what its events show."""

HierarchyCreatedName = TypedDict("HierarchyCreatedName", {"detail-type": Literal["Hierarchy Created"]})


class HierarchyCreated(HierarchyCreatedName, InstepEvent[Detail[Metadata[Literal["Hierarchy"], Literal["created"], Literal["edge"], Literal["write"]], Data[HierarchyKeys, Nothing, HierarchyAttributes]]]):
    """An item of type Hierarchy was created."""

HierarchyDeletedName = TypedDict("HierarchyDeletedName", {"detail-type": Literal["Hierarchy Deleted"]})


class HierarchyDeleted(HierarchyDeletedName, InstepEvent[Detail[Metadata[Literal["Hierarchy"], Literal["deleted"], Literal["edge"], Literal["write", "ttl"]], Data[HierarchyKeys, HierarchyAttributes, Nothing]]]):
    """An item of type Hierarchy was deleted."""

MembershipUpdatedName = TypedDict("MembershipUpdatedName", {"detail-type": Literal["Membership Updated"]})


class MembershipUpdated(MembershipUpdatedName, InstepEvent[Detail[Metadata[Literal["Membership"], Literal["updated"], Literal["grant"], Literal["write"]], Data[MembershipKeys, MembershipAttributes, MembershipAttributes]]]):
    """An item of type Membership was changed in what its events show, beside its roles."""

SnapshotEndedName = TypedDict("SnapshotEndedName", {"detail-type": Literal["Snapshot Ended"]})


class SnapshotEnded(SnapshotEndedName, InstepEvent[Detail[Metadata[Literal["Snapshot"], Literal["ended"], Literal["plain"], Literal["write"]], Data[Nothing, Nothing, Nothing]]]):
    """A snapshot ended: it says how many events it has, and whether the whole table was read."""

SnapshotStartedName = TypedDict("SnapshotStartedName", {"detail-type": Literal["Snapshot Started"]})


class SnapshotStarted(SnapshotStartedName, InstepEvent[Detail[Metadata[Literal["Snapshot"], Literal["started"], Literal["plain"], Literal["write"]], Data[Nothing, Nothing, Nothing]]]):
    """A snapshot began: until its end come the items that the table has."""

UserCreatedName = TypedDict("UserCreatedName", {"detail-type": Literal["User Created"]})


class UserCreated(UserCreatedName, InstepEvent[Detail[Metadata[Literal["User"], Literal["created"], Literal["entity"], Literal["write"]], Data[UserKeys, Nothing, UserAttributes]]]):
    """An item of type User was created."""

UserDeletedName = TypedDict("UserDeletedName", {"detail-type": Literal["User Deleted"]})


class UserDeleted(UserDeletedName, InstepEvent[Detail[Metadata[Literal["User"], Literal["deleted"], Literal["entity"], Literal["write", "ttl"]], Data[UserKeys, UserAttributes, Nothing]]]):
    """An item of type User was deleted."""


class UserGrantedData(Data[MembershipKeys, MembershipAttributes, MembershipAttributes]):
    role: Literal["admin", "contributor", "reader"]
    scope: str
    scopeEntity: Literal["Group"]


UserGrantedName = TypedDict("UserGrantedName", {"detail-type": Literal["User Granted"]})


class UserGranted(UserGrantedName, InstepEvent[Detail[Metadata[Literal["User"], Literal["granted"], Literal["grant"], Literal["write"]], UserGrantedData]]):
    """An item of type Membership gave its User a role. There is one event for each role."""


class UserRevokedData(Data[MembershipKeys, MembershipAttributes, MembershipAttributes]):
    role: Literal["admin", "contributor", "reader"]
    scope: str
    scopeEntity: Literal["Group"]


UserRevokedName = TypedDict("UserRevokedName", {"detail-type": Literal["User Revoked"]})


class UserRevoked(UserRevokedName, InstepEvent[Detail[Metadata[Literal["User"], Literal["revoked"], Literal["grant"], Literal["write", "ttl"]], UserRevokedData]]):
    """An item of type Membership no longer gives its User a role. There is one event for each role."""

UserUpdatedName = TypedDict("UserUpdatedName", {"detail-type": Literal["User Updated"]})


class UserUpdated(UserUpdatedName, InstepEvent[Detail[Metadata[Literal["User"], Literal["updated"], Literal["entity"], Literal["write"]], Data[UserKeys, UserAttributes, UserAttributes]]]):
    """An item of type User was changed in what its events show."""


AccessManagementEvent = Union[
    GroupCreated,
    GroupDeleted,
    GroupUpdated,
    HierarchyCreated,
    HierarchyDeleted,
    MembershipUpdated,
    SnapshotEnded,
    SnapshotStarted,
    UserCreated,
    UserDeleted,
    UserGranted,
    UserRevoked,
    UserUpdated,
]
"""Every event of the model."""
