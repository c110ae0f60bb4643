"""The events of the table model `access-management`. Made by `instep contract`: do not edit.

For Python 3.11 or later.
"""

from typing import Any, List, Literal, NotRequired, TypedDict, Union

GroupCreatedDetailMetadataSnapshot = TypedDict("GroupCreatedDetailMetadataSnapshot", {
    # The snapshot's id, the same in all its events.
    "id": str,
    # The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone.
    "watermark": str,
    # When reading the table began (RFC 3339).
    "startedAt": str,
    # Only of the end: the number of events between the beginning and the end.
    "count": NotRequired[int],
    # Only of the end: whether the whole table was read. If not, what is missing may exist.
    "complete": NotRequired[bool],
})

GroupCreatedDetailMetadata = TypedDict("GroupCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["access-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Group"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["created"],
    # The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`.
    "kind": Literal["entity"],
    # The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot.
    "epoch": str,
    # Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again.
    "tenant": Union[str, None],
    # Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
    # The snapshot that the event belongs to. Absent if it reports a change.
    "snapshot": NotRequired[GroupCreatedDetailMetadataSnapshot],
})

GroupCreatedDetailDataKeys = TypedDict("GroupCreatedDetailDataKeys", {
    "groupId": str,
})

GroupCreatedDetailDataNew = TypedDict("GroupCreatedDetailDataNew", {
    "createdAt": NotRequired[Any],
    "createdBy": NotRequired[Any],
    "description": NotRequired[Any],
    "id": NotRequired[Any],
    "name": NotRequired[Any],
    "state": NotRequired[Any],
    "updatedAt": NotRequired[Any],
    "updatedBy": NotRequired[Any],
})

GroupCreatedDetailDataOmittedKey = TypedDict("GroupCreatedDetailDataOmittedKey", {
    "pk": str,
    "sk": str,
})

GroupCreatedDetailDataOmitted = TypedDict("GroupCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": GroupCreatedDetailDataOmittedKey,
})

GroupCreatedDetailData = TypedDict("GroupCreatedDetailData", {
    # The names in the item's key.
    "keys": GroupCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": GroupCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["createdAt", "createdBy", "description", "id", "name", "state", "updatedAt", "updatedBy"]],
    # What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says.
    "types": NotRequired[dict[str, Any]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[GroupCreatedDetailDataOmitted],
})

GroupCreatedDetail = TypedDict("GroupCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": GroupCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": GroupCreatedDetailData,
})

GroupCreated = TypedDict("GroupCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Group Created"],
    # The source of all events of the model.
    "source": Literal["instep.access-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": GroupCreatedDetail,
})
"""An item of type Group was created."""

GroupDeletedDetailMetadataSnapshot = TypedDict("GroupDeletedDetailMetadataSnapshot", {
    # The snapshot's id, the same in all its events.
    "id": str,
    # The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone.
    "watermark": str,
    # When reading the table began (RFC 3339).
    "startedAt": str,
    # Only of the end: the number of events between the beginning and the end.
    "count": NotRequired[int],
    # Only of the end: whether the whole table was read. If not, what is missing may exist.
    "complete": NotRequired[bool],
})

GroupDeletedDetailMetadata = TypedDict("GroupDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["access-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Group"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["deleted"],
    # The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`.
    "kind": Literal["entity"],
    # The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot.
    "epoch": str,
    # Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again.
    "tenant": Union[str, None],
    # Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
    # The snapshot that the event belongs to. Absent if it reports a change.
    "snapshot": NotRequired[GroupDeletedDetailMetadataSnapshot],
})

GroupDeletedDetailDataKeys = TypedDict("GroupDeletedDetailDataKeys", {
    "groupId": str,
})

GroupDeletedDetailDataOld = TypedDict("GroupDeletedDetailDataOld", {
    "createdAt": NotRequired[Any],
    "createdBy": NotRequired[Any],
    "description": NotRequired[Any],
    "id": NotRequired[Any],
    "name": NotRequired[Any],
    "state": NotRequired[Any],
    "updatedAt": NotRequired[Any],
    "updatedBy": NotRequired[Any],
})

GroupDeletedDetailDataOmittedKey = TypedDict("GroupDeletedDetailDataOmittedKey", {
    "pk": str,
    "sk": str,
})

GroupDeletedDetailDataOmitted = TypedDict("GroupDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": GroupDeletedDetailDataOmittedKey,
})

GroupDeletedDetailData = TypedDict("GroupDeletedDetailData", {
    # The names in the item's key.
    "keys": GroupDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": GroupDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["createdAt", "createdBy", "description", "id", "name", "state", "updatedAt", "updatedBy"]],
    # What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says.
    "types": NotRequired[dict[str, Any]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[GroupDeletedDetailDataOmitted],
})

GroupDeletedDetail = TypedDict("GroupDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": GroupDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": GroupDeletedDetailData,
})

GroupDeleted = TypedDict("GroupDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Group Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.access-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": GroupDeletedDetail,
})
"""An item of type Group was deleted."""

GroupUpdatedDetailMetadataSnapshot = TypedDict("GroupUpdatedDetailMetadataSnapshot", {
    # The snapshot's id, the same in all its events.
    "id": str,
    # The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone.
    "watermark": str,
    # When reading the table began (RFC 3339).
    "startedAt": str,
    # Only of the end: the number of events between the beginning and the end.
    "count": NotRequired[int],
    # Only of the end: whether the whole table was read. If not, what is missing may exist.
    "complete": NotRequired[bool],
})

GroupUpdatedDetailMetadata = TypedDict("GroupUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["access-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Group"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`.
    "kind": Literal["entity"],
    # The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot.
    "epoch": str,
    # Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again.
    "tenant": Union[str, None],
    # Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
    # The snapshot that the event belongs to. Absent if it reports a change.
    "snapshot": NotRequired[GroupUpdatedDetailMetadataSnapshot],
})

GroupUpdatedDetailDataKeys = TypedDict("GroupUpdatedDetailDataKeys", {
    "groupId": str,
})

GroupUpdatedDetailDataOld = TypedDict("GroupUpdatedDetailDataOld", {
    "createdAt": NotRequired[Any],
    "createdBy": NotRequired[Any],
    "description": NotRequired[Any],
    "id": NotRequired[Any],
    "name": NotRequired[Any],
    "state": NotRequired[Any],
    "updatedAt": NotRequired[Any],
    "updatedBy": NotRequired[Any],
})

GroupUpdatedDetailDataNew = TypedDict("GroupUpdatedDetailDataNew", {
    "createdAt": NotRequired[Any],
    "createdBy": NotRequired[Any],
    "description": NotRequired[Any],
    "id": NotRequired[Any],
    "name": NotRequired[Any],
    "state": NotRequired[Any],
    "updatedAt": NotRequired[Any],
    "updatedBy": NotRequired[Any],
})

GroupUpdatedDetailDataOmittedKey = TypedDict("GroupUpdatedDetailDataOmittedKey", {
    "pk": str,
    "sk": str,
})

GroupUpdatedDetailDataOmitted = TypedDict("GroupUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": GroupUpdatedDetailDataOmittedKey,
})

GroupUpdatedDetailData = TypedDict("GroupUpdatedDetailData", {
    # The names in the item's key.
    "keys": GroupUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": GroupUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": GroupUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["createdAt", "createdBy", "description", "id", "name", "state", "updatedAt", "updatedBy"]],
    # What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says.
    "types": NotRequired[dict[str, Any]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[GroupUpdatedDetailDataOmitted],
})

GroupUpdatedDetail = TypedDict("GroupUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": GroupUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": GroupUpdatedDetailData,
})

GroupUpdated = TypedDict("GroupUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Group Updated"],
    # The source of all events of the model.
    "source": Literal["instep.access-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": GroupUpdatedDetail,
})
"""An item of type Group was changed in what its events show."""

HierarchyCreatedDetailMetadataSnapshot = TypedDict("HierarchyCreatedDetailMetadataSnapshot", {
    # The snapshot's id, the same in all its events.
    "id": str,
    # The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone.
    "watermark": str,
    # When reading the table began (RFC 3339).
    "startedAt": str,
    # Only of the end: the number of events between the beginning and the end.
    "count": NotRequired[int],
    # Only of the end: whether the whole table was read. If not, what is missing may exist.
    "complete": NotRequired[bool],
})

HierarchyCreatedDetailMetadata = TypedDict("HierarchyCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["access-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Hierarchy"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["created"],
    # The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`.
    "kind": Literal["edge"],
    # The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot.
    "epoch": str,
    # Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again.
    "tenant": Union[str, None],
    # Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
    # The snapshot that the event belongs to. Absent if it reports a change.
    "snapshot": NotRequired[HierarchyCreatedDetailMetadataSnapshot],
})

HierarchyCreatedDetailDataKeys = TypedDict("HierarchyCreatedDetailDataKeys", {
    "parent.groupId": str,
    "child.groupId": str,
})

HierarchyCreatedDetailDataNew = TypedDict("HierarchyCreatedDetailDataNew", {
})

HierarchyCreatedDetailDataOmittedKey = TypedDict("HierarchyCreatedDetailDataOmittedKey", {
    "pk": str,
    "sk": str,
})

HierarchyCreatedDetailDataOmitted = TypedDict("HierarchyCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": HierarchyCreatedDetailDataOmittedKey,
})

HierarchyCreatedDetailData = TypedDict("HierarchyCreatedDetailData", {
    # The names in the item's key.
    "keys": HierarchyCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": HierarchyCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says.
    "types": NotRequired[dict[str, Any]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[HierarchyCreatedDetailDataOmitted],
})

HierarchyCreatedDetail = TypedDict("HierarchyCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": HierarchyCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": HierarchyCreatedDetailData,
})

HierarchyCreated = TypedDict("HierarchyCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Hierarchy Created"],
    # The source of all events of the model.
    "source": Literal["instep.access-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": HierarchyCreatedDetail,
})
"""An item of type Hierarchy was created."""

HierarchyDeletedDetailMetadataSnapshot = TypedDict("HierarchyDeletedDetailMetadataSnapshot", {
    # The snapshot's id, the same in all its events.
    "id": str,
    # The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone.
    "watermark": str,
    # When reading the table began (RFC 3339).
    "startedAt": str,
    # Only of the end: the number of events between the beginning and the end.
    "count": NotRequired[int],
    # Only of the end: whether the whole table was read. If not, what is missing may exist.
    "complete": NotRequired[bool],
})

HierarchyDeletedDetailMetadata = TypedDict("HierarchyDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["access-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Hierarchy"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["deleted"],
    # The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`.
    "kind": Literal["edge"],
    # The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot.
    "epoch": str,
    # Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again.
    "tenant": Union[str, None],
    # Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
    # The snapshot that the event belongs to. Absent if it reports a change.
    "snapshot": NotRequired[HierarchyDeletedDetailMetadataSnapshot],
})

HierarchyDeletedDetailDataKeys = TypedDict("HierarchyDeletedDetailDataKeys", {
    "parent.groupId": str,
    "child.groupId": str,
})

HierarchyDeletedDetailDataOld = TypedDict("HierarchyDeletedDetailDataOld", {
})

HierarchyDeletedDetailDataOmittedKey = TypedDict("HierarchyDeletedDetailDataOmittedKey", {
    "pk": str,
    "sk": str,
})

HierarchyDeletedDetailDataOmitted = TypedDict("HierarchyDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": HierarchyDeletedDetailDataOmittedKey,
})

HierarchyDeletedDetailData = TypedDict("HierarchyDeletedDetailData", {
    # The names in the item's key.
    "keys": HierarchyDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": HierarchyDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says.
    "types": NotRequired[dict[str, Any]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[HierarchyDeletedDetailDataOmitted],
})

HierarchyDeletedDetail = TypedDict("HierarchyDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": HierarchyDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": HierarchyDeletedDetailData,
})

HierarchyDeleted = TypedDict("HierarchyDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Hierarchy Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.access-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": HierarchyDeletedDetail,
})
"""An item of type Hierarchy was deleted."""

MembershipUpdatedDetailMetadataSnapshot = TypedDict("MembershipUpdatedDetailMetadataSnapshot", {
    # The snapshot's id, the same in all its events.
    "id": str,
    # The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone.
    "watermark": str,
    # When reading the table began (RFC 3339).
    "startedAt": str,
    # Only of the end: the number of events between the beginning and the end.
    "count": NotRequired[int],
    # Only of the end: whether the whole table was read. If not, what is missing may exist.
    "complete": NotRequired[bool],
})

MembershipUpdatedDetailMetadata = TypedDict("MembershipUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["access-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Membership"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`.
    "kind": Literal["grant"],
    # The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot.
    "epoch": str,
    # Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again.
    "tenant": Union[str, None],
    # Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
    # The snapshot that the event belongs to. Absent if it reports a change.
    "snapshot": NotRequired[MembershipUpdatedDetailMetadataSnapshot],
})

MembershipUpdatedDetailDataKeys = TypedDict("MembershipUpdatedDetailDataKeys", {
    "email": str,
    "groupId": str,
})

MembershipUpdatedDetailDataOld = TypedDict("MembershipUpdatedDetailDataOld", {
    "createdAt": NotRequired[Any],
    "createdBy": NotRequired[Any],
    "role": NotRequired[Any],
})

MembershipUpdatedDetailDataNew = TypedDict("MembershipUpdatedDetailDataNew", {
    "createdAt": NotRequired[Any],
    "createdBy": NotRequired[Any],
    "role": NotRequired[Any],
})

MembershipUpdatedDetailDataOmittedKey = TypedDict("MembershipUpdatedDetailDataOmittedKey", {
    "pk": str,
    "sk": str,
})

MembershipUpdatedDetailDataOmitted = TypedDict("MembershipUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": MembershipUpdatedDetailDataOmittedKey,
})

MembershipUpdatedDetailData = TypedDict("MembershipUpdatedDetailData", {
    # The names in the item's key.
    "keys": MembershipUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": MembershipUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": MembershipUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["createdAt", "createdBy", "role"]],
    # What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says.
    "types": NotRequired[dict[str, Any]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[MembershipUpdatedDetailDataOmitted],
})

MembershipUpdatedDetail = TypedDict("MembershipUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": MembershipUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": MembershipUpdatedDetailData,
})

MembershipUpdated = TypedDict("MembershipUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Membership Updated"],
    # The source of all events of the model.
    "source": Literal["instep.access-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": MembershipUpdatedDetail,
})
"""An item of type Membership was changed in what its events show, beside its roles."""

UserCreatedDetailMetadataSnapshot = TypedDict("UserCreatedDetailMetadataSnapshot", {
    # The snapshot's id, the same in all its events.
    "id": str,
    # The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone.
    "watermark": str,
    # When reading the table began (RFC 3339).
    "startedAt": str,
    # Only of the end: the number of events between the beginning and the end.
    "count": NotRequired[int],
    # Only of the end: whether the whole table was read. If not, what is missing may exist.
    "complete": NotRequired[bool],
})

UserCreatedDetailMetadata = TypedDict("UserCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["access-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["User"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["created"],
    # The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`.
    "kind": Literal["entity"],
    # The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot.
    "epoch": str,
    # Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again.
    "tenant": Union[str, None],
    # Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
    # The snapshot that the event belongs to. Absent if it reports a change.
    "snapshot": NotRequired[UserCreatedDetailMetadataSnapshot],
})

UserCreatedDetailDataKeys = TypedDict("UserCreatedDetailDataKeys", {
    "email": str,
})

UserCreatedDetailDataNew = TypedDict("UserCreatedDetailDataNew", {
    "createdAt": NotRequired[Any],
    "createdBy": NotRequired[Any],
    "email": NotRequired[Any],
    "state": NotRequired[Any],
    "updatedAt": NotRequired[Any],
    "updatedBy": NotRequired[Any],
})

UserCreatedDetailDataOmittedKey = TypedDict("UserCreatedDetailDataOmittedKey", {
    "pk": str,
    "sk": str,
})

UserCreatedDetailDataOmitted = TypedDict("UserCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": UserCreatedDetailDataOmittedKey,
})

UserCreatedDetailData = TypedDict("UserCreatedDetailData", {
    # The names in the item's key.
    "keys": UserCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": UserCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["createdAt", "createdBy", "email", "state", "updatedAt", "updatedBy"]],
    # What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says.
    "types": NotRequired[dict[str, Any]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[UserCreatedDetailDataOmitted],
})

UserCreatedDetail = TypedDict("UserCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": UserCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": UserCreatedDetailData,
})

UserCreated = TypedDict("UserCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["User Created"],
    # The source of all events of the model.
    "source": Literal["instep.access-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": UserCreatedDetail,
})
"""An item of type User was created."""

UserDeletedDetailMetadataSnapshot = TypedDict("UserDeletedDetailMetadataSnapshot", {
    # The snapshot's id, the same in all its events.
    "id": str,
    # The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone.
    "watermark": str,
    # When reading the table began (RFC 3339).
    "startedAt": str,
    # Only of the end: the number of events between the beginning and the end.
    "count": NotRequired[int],
    # Only of the end: whether the whole table was read. If not, what is missing may exist.
    "complete": NotRequired[bool],
})

UserDeletedDetailMetadata = TypedDict("UserDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["access-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["User"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["deleted"],
    # The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`.
    "kind": Literal["entity"],
    # The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot.
    "epoch": str,
    # Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again.
    "tenant": Union[str, None],
    # Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
    # The snapshot that the event belongs to. Absent if it reports a change.
    "snapshot": NotRequired[UserDeletedDetailMetadataSnapshot],
})

UserDeletedDetailDataKeys = TypedDict("UserDeletedDetailDataKeys", {
    "email": str,
})

UserDeletedDetailDataOld = TypedDict("UserDeletedDetailDataOld", {
    "createdAt": NotRequired[Any],
    "createdBy": NotRequired[Any],
    "email": NotRequired[Any],
    "state": NotRequired[Any],
    "updatedAt": NotRequired[Any],
    "updatedBy": NotRequired[Any],
})

UserDeletedDetailDataOmittedKey = TypedDict("UserDeletedDetailDataOmittedKey", {
    "pk": str,
    "sk": str,
})

UserDeletedDetailDataOmitted = TypedDict("UserDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": UserDeletedDetailDataOmittedKey,
})

UserDeletedDetailData = TypedDict("UserDeletedDetailData", {
    # The names in the item's key.
    "keys": UserDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": UserDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["createdAt", "createdBy", "email", "state", "updatedAt", "updatedBy"]],
    # What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says.
    "types": NotRequired[dict[str, Any]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[UserDeletedDetailDataOmitted],
})

UserDeletedDetail = TypedDict("UserDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": UserDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": UserDeletedDetailData,
})

UserDeleted = TypedDict("UserDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["User Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.access-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": UserDeletedDetail,
})
"""An item of type User was deleted."""

UserGrantedDetailMetadataSnapshot = TypedDict("UserGrantedDetailMetadataSnapshot", {
    # The snapshot's id, the same in all its events.
    "id": str,
    # The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone.
    "watermark": str,
    # When reading the table began (RFC 3339).
    "startedAt": str,
    # Only of the end: the number of events between the beginning and the end.
    "count": NotRequired[int],
    # Only of the end: whether the whole table was read. If not, what is missing may exist.
    "complete": NotRequired[bool],
})

UserGrantedDetailMetadata = TypedDict("UserGrantedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["access-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["User"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["granted"],
    # The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`.
    "kind": Literal["grant"],
    # The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot.
    "epoch": str,
    # Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again.
    "tenant": Union[str, None],
    # Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
    # The snapshot that the event belongs to. Absent if it reports a change.
    "snapshot": NotRequired[UserGrantedDetailMetadataSnapshot],
})

UserGrantedDetailDataKeys = TypedDict("UserGrantedDetailDataKeys", {
    "email": str,
    "groupId": str,
})

UserGrantedDetailDataOld = TypedDict("UserGrantedDetailDataOld", {
    "createdAt": NotRequired[Any],
    "createdBy": NotRequired[Any],
    "role": NotRequired[Any],
})

UserGrantedDetailDataNew = TypedDict("UserGrantedDetailDataNew", {
    "createdAt": NotRequired[Any],
    "createdBy": NotRequired[Any],
    "role": NotRequired[Any],
})

UserGrantedDetailDataOmittedKey = TypedDict("UserGrantedDetailDataOmittedKey", {
    "pk": str,
    "sk": str,
})

UserGrantedDetailDataOmitted = TypedDict("UserGrantedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": UserGrantedDetailDataOmittedKey,
})

UserGrantedDetailData = TypedDict("UserGrantedDetailData", {
    # The names in the item's key.
    "keys": UserGrantedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": UserGrantedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": UserGrantedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["createdAt", "createdBy", "role"]],
    # What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says.
    "types": NotRequired[dict[str, Any]],
    # The role. Absent if the grant has none.
    "role": Literal["admin", "contributor", "reader"],
    # The scope of the role: the id of its item, as in that item's `metadata.item`, or a value. Absent if the grant applies everywhere.
    "scope": str,
    # The entity of the scope, which its id alone does not say. Absent if the scope is no item.
    "scopeEntity": Literal["Group"],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[UserGrantedDetailDataOmitted],
})

UserGrantedDetail = TypedDict("UserGrantedDetail", {
    # What happened, to what, and in which order.
    "metadata": UserGrantedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": UserGrantedDetailData,
})

UserGranted = TypedDict("UserGranted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["User Granted"],
    # The source of all events of the model.
    "source": Literal["instep.access-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": UserGrantedDetail,
})
"""An item of type Membership gave its User a role. There is one event for each role."""

UserRevokedDetailMetadataSnapshot = TypedDict("UserRevokedDetailMetadataSnapshot", {
    # The snapshot's id, the same in all its events.
    "id": str,
    # The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone.
    "watermark": str,
    # When reading the table began (RFC 3339).
    "startedAt": str,
    # Only of the end: the number of events between the beginning and the end.
    "count": NotRequired[int],
    # Only of the end: whether the whole table was read. If not, what is missing may exist.
    "complete": NotRequired[bool],
})

UserRevokedDetailMetadata = TypedDict("UserRevokedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["access-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["User"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["revoked"],
    # The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`.
    "kind": Literal["grant"],
    # The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot.
    "epoch": str,
    # Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again.
    "tenant": Union[str, None],
    # Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
    # The snapshot that the event belongs to. Absent if it reports a change.
    "snapshot": NotRequired[UserRevokedDetailMetadataSnapshot],
})

UserRevokedDetailDataKeys = TypedDict("UserRevokedDetailDataKeys", {
    "email": str,
    "groupId": str,
})

UserRevokedDetailDataOld = TypedDict("UserRevokedDetailDataOld", {
    "createdAt": NotRequired[Any],
    "createdBy": NotRequired[Any],
    "role": NotRequired[Any],
})

UserRevokedDetailDataNew = TypedDict("UserRevokedDetailDataNew", {
    "createdAt": NotRequired[Any],
    "createdBy": NotRequired[Any],
    "role": NotRequired[Any],
})

UserRevokedDetailDataOmittedKey = TypedDict("UserRevokedDetailDataOmittedKey", {
    "pk": str,
    "sk": str,
})

UserRevokedDetailDataOmitted = TypedDict("UserRevokedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": UserRevokedDetailDataOmittedKey,
})

UserRevokedDetailData = TypedDict("UserRevokedDetailData", {
    # The names in the item's key.
    "keys": UserRevokedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": UserRevokedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": UserRevokedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["createdAt", "createdBy", "role"]],
    # What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says.
    "types": NotRequired[dict[str, Any]],
    # The role. Absent if the grant has none.
    "role": Literal["admin", "contributor", "reader"],
    # The scope of the role: the id of its item, as in that item's `metadata.item`, or a value. Absent if the grant applies everywhere.
    "scope": str,
    # The entity of the scope, which its id alone does not say. Absent if the scope is no item.
    "scopeEntity": Literal["Group"],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[UserRevokedDetailDataOmitted],
})

UserRevokedDetail = TypedDict("UserRevokedDetail", {
    # What happened, to what, and in which order.
    "metadata": UserRevokedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": UserRevokedDetailData,
})

UserRevoked = TypedDict("UserRevoked", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["User Revoked"],
    # The source of all events of the model.
    "source": Literal["instep.access-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": UserRevokedDetail,
})
"""An item of type Membership no longer gives its User a role. There is one event for each role."""

UserUpdatedDetailMetadataSnapshot = TypedDict("UserUpdatedDetailMetadataSnapshot", {
    # The snapshot's id, the same in all its events.
    "id": str,
    # The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone.
    "watermark": str,
    # When reading the table began (RFC 3339).
    "startedAt": str,
    # Only of the end: the number of events between the beginning and the end.
    "count": NotRequired[int],
    # Only of the end: whether the whole table was read. If not, what is missing may exist.
    "complete": NotRequired[bool],
})

UserUpdatedDetailMetadata = TypedDict("UserUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["access-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["User"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`.
    "kind": Literal["entity"],
    # The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot.
    "epoch": str,
    # Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again.
    "tenant": Union[str, None],
    # Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
    # The snapshot that the event belongs to. Absent if it reports a change.
    "snapshot": NotRequired[UserUpdatedDetailMetadataSnapshot],
})

UserUpdatedDetailDataKeys = TypedDict("UserUpdatedDetailDataKeys", {
    "email": str,
})

UserUpdatedDetailDataOld = TypedDict("UserUpdatedDetailDataOld", {
    "createdAt": NotRequired[Any],
    "createdBy": NotRequired[Any],
    "email": NotRequired[Any],
    "state": NotRequired[Any],
    "updatedAt": NotRequired[Any],
    "updatedBy": NotRequired[Any],
})

UserUpdatedDetailDataNew = TypedDict("UserUpdatedDetailDataNew", {
    "createdAt": NotRequired[Any],
    "createdBy": NotRequired[Any],
    "email": NotRequired[Any],
    "state": NotRequired[Any],
    "updatedAt": NotRequired[Any],
    "updatedBy": NotRequired[Any],
})

UserUpdatedDetailDataOmittedKey = TypedDict("UserUpdatedDetailDataOmittedKey", {
    "pk": str,
    "sk": str,
})

UserUpdatedDetailDataOmitted = TypedDict("UserUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": UserUpdatedDetailDataOmittedKey,
})

UserUpdatedDetailData = TypedDict("UserUpdatedDetailData", {
    # The names in the item's key.
    "keys": UserUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": UserUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": UserUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["createdAt", "createdBy", "email", "state", "updatedAt", "updatedBy"]],
    # What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says.
    "types": NotRequired[dict[str, Any]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[UserUpdatedDetailDataOmitted],
})

UserUpdatedDetail = TypedDict("UserUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": UserUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": UserUpdatedDetailData,
})

UserUpdated = TypedDict("UserUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["User Updated"],
    # The source of all events of the model.
    "source": Literal["instep.access-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": UserUpdatedDetail,
})
"""An item of type User was changed in what its events show."""

AccessManagementEvent = Union[
    GroupCreated,
    GroupDeleted,
    GroupUpdated,
    HierarchyCreated,
    HierarchyDeleted,
    MembershipUpdated,
    UserCreated,
    UserDeleted,
    UserGranted,
    UserRevoked,
    UserUpdated,
]
"""Every event of the model."""
