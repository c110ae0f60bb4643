"""The events of the table model `account-management`. Made by `instep contract`: do not edit.

For Python 3.11 or later.
"""

from typing import Any, List, Literal, NotRequired, TypedDict, Union

AuditLogCreatedDetailMetadata = TypedDict("AuditLogCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["AuditLog"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["created"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

AuditLogCreatedDetailDataKeys = TypedDict("AuditLogCreatedDetailDataKeys", {
    "client_id": str,
    "timestamp": str,
    "log_id": str,
})

AuditLogCreatedDetailDataNew = TypedDict("AuditLogCreatedDetailDataNew", {
})

AuditLogCreatedDetailDataOmittedKey = TypedDict("AuditLogCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

AuditLogCreatedDetailDataOmitted = TypedDict("AuditLogCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": AuditLogCreatedDetailDataOmittedKey,
})

AuditLogCreatedDetailData = TypedDict("AuditLogCreatedDetailData", {
    # The names in the item's key.
    "keys": AuditLogCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": AuditLogCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[AuditLogCreatedDetailDataOmitted],
})

AuditLogCreatedDetail = TypedDict("AuditLogCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": AuditLogCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": AuditLogCreatedDetailData,
})

AuditLogCreated = TypedDict("AuditLogCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["AuditLog Created"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": AuditLogCreatedDetail,
})
"""An item of type AuditLog was created."""

AuditLogDeletedDetailMetadata = TypedDict("AuditLogDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["AuditLog"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["deleted"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

AuditLogDeletedDetailDataKeys = TypedDict("AuditLogDeletedDetailDataKeys", {
    "client_id": str,
    "timestamp": str,
    "log_id": str,
})

AuditLogDeletedDetailDataOld = TypedDict("AuditLogDeletedDetailDataOld", {
})

AuditLogDeletedDetailDataOmittedKey = TypedDict("AuditLogDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

AuditLogDeletedDetailDataOmitted = TypedDict("AuditLogDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": AuditLogDeletedDetailDataOmittedKey,
})

AuditLogDeletedDetailData = TypedDict("AuditLogDeletedDetailData", {
    # The names in the item's key.
    "keys": AuditLogDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": AuditLogDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[AuditLogDeletedDetailDataOmitted],
})

AuditLogDeletedDetail = TypedDict("AuditLogDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": AuditLogDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": AuditLogDeletedDetailData,
})

AuditLogDeleted = TypedDict("AuditLogDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["AuditLog Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": AuditLogDeletedDetail,
})
"""An item of type AuditLog was deleted."""

AuditLogUpdatedDetailMetadata = TypedDict("AuditLogUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["AuditLog"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

AuditLogUpdatedDetailDataKeys = TypedDict("AuditLogUpdatedDetailDataKeys", {
    "client_id": str,
    "timestamp": str,
    "log_id": str,
})

AuditLogUpdatedDetailDataOld = TypedDict("AuditLogUpdatedDetailDataOld", {
})

AuditLogUpdatedDetailDataNew = TypedDict("AuditLogUpdatedDetailDataNew", {
})

AuditLogUpdatedDetailDataOmittedKey = TypedDict("AuditLogUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

AuditLogUpdatedDetailDataOmitted = TypedDict("AuditLogUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": AuditLogUpdatedDetailDataOmittedKey,
})

AuditLogUpdatedDetailData = TypedDict("AuditLogUpdatedDetailData", {
    # The names in the item's key.
    "keys": AuditLogUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": AuditLogUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": AuditLogUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[AuditLogUpdatedDetailDataOmitted],
})

AuditLogUpdatedDetail = TypedDict("AuditLogUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": AuditLogUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": AuditLogUpdatedDetailData,
})

AuditLogUpdated = TypedDict("AuditLogUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["AuditLog Updated"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": AuditLogUpdatedDetail,
})
"""An item of type AuditLog was changed."""

BuildingCreatedDetailMetadata = TypedDict("BuildingCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Building"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["created"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

BuildingCreatedDetailDataKeys = TypedDict("BuildingCreatedDetailDataKeys", {
    "project_id": str,
    "building_id": str,
})

BuildingCreatedDetailDataNew = TypedDict("BuildingCreatedDetailDataNew", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
})

BuildingCreatedDetailDataOmittedKey = TypedDict("BuildingCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

BuildingCreatedDetailDataOmitted = TypedDict("BuildingCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": BuildingCreatedDetailDataOmittedKey,
})

BuildingCreatedDetailData = TypedDict("BuildingCreatedDetailData", {
    # The names in the item's key.
    "keys": BuildingCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": BuildingCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["GSI1PK", "client_id"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[BuildingCreatedDetailDataOmitted],
})

BuildingCreatedDetail = TypedDict("BuildingCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": BuildingCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": BuildingCreatedDetailData,
})

BuildingCreated = TypedDict("BuildingCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Building Created"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": BuildingCreatedDetail,
})
"""An item of type Building was created."""

BuildingDeletedDetailMetadata = TypedDict("BuildingDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Building"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["deleted"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

BuildingDeletedDetailDataKeys = TypedDict("BuildingDeletedDetailDataKeys", {
    "project_id": str,
    "building_id": str,
})

BuildingDeletedDetailDataOld = TypedDict("BuildingDeletedDetailDataOld", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
})

BuildingDeletedDetailDataOmittedKey = TypedDict("BuildingDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

BuildingDeletedDetailDataOmitted = TypedDict("BuildingDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": BuildingDeletedDetailDataOmittedKey,
})

BuildingDeletedDetailData = TypedDict("BuildingDeletedDetailData", {
    # The names in the item's key.
    "keys": BuildingDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": BuildingDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["GSI1PK", "client_id"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[BuildingDeletedDetailDataOmitted],
})

BuildingDeletedDetail = TypedDict("BuildingDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": BuildingDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": BuildingDeletedDetailData,
})

BuildingDeleted = TypedDict("BuildingDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Building Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": BuildingDeletedDetail,
})
"""An item of type Building was deleted."""

BuildingUpdatedDetailMetadata = TypedDict("BuildingUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Building"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

BuildingUpdatedDetailDataKeys = TypedDict("BuildingUpdatedDetailDataKeys", {
    "project_id": str,
    "building_id": str,
})

BuildingUpdatedDetailDataOld = TypedDict("BuildingUpdatedDetailDataOld", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
})

BuildingUpdatedDetailDataNew = TypedDict("BuildingUpdatedDetailDataNew", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
})

BuildingUpdatedDetailDataOmittedKey = TypedDict("BuildingUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

BuildingUpdatedDetailDataOmitted = TypedDict("BuildingUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": BuildingUpdatedDetailDataOmittedKey,
})

BuildingUpdatedDetailData = TypedDict("BuildingUpdatedDetailData", {
    # The names in the item's key.
    "keys": BuildingUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": BuildingUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": BuildingUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["GSI1PK", "client_id"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[BuildingUpdatedDetailDataOmitted],
})

BuildingUpdatedDetail = TypedDict("BuildingUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": BuildingUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": BuildingUpdatedDetailData,
})

BuildingUpdated = TypedDict("BuildingUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Building Updated"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": BuildingUpdatedDetail,
})
"""An item of type Building was changed."""

ClientCreatedDetailMetadata = TypedDict("ClientCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Client"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["created"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

ClientCreatedDetailDataKeys = TypedDict("ClientCreatedDetailDataKeys", {
    "client_id": str,
})

ClientCreatedDetailDataNew = TypedDict("ClientCreatedDetailDataNew", {
})

ClientCreatedDetailDataOmittedKey = TypedDict("ClientCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ClientCreatedDetailDataOmitted = TypedDict("ClientCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ClientCreatedDetailDataOmittedKey,
})

ClientCreatedDetailData = TypedDict("ClientCreatedDetailData", {
    # The names in the item's key.
    "keys": ClientCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": ClientCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ClientCreatedDetailDataOmitted],
})

ClientCreatedDetail = TypedDict("ClientCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ClientCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ClientCreatedDetailData,
})

ClientCreated = TypedDict("ClientCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Client Created"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ClientCreatedDetail,
})
"""An item of type Client was created."""

ClientDeletedDetailMetadata = TypedDict("ClientDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Client"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["deleted"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

ClientDeletedDetailDataKeys = TypedDict("ClientDeletedDetailDataKeys", {
    "client_id": str,
})

ClientDeletedDetailDataOld = TypedDict("ClientDeletedDetailDataOld", {
})

ClientDeletedDetailDataOmittedKey = TypedDict("ClientDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ClientDeletedDetailDataOmitted = TypedDict("ClientDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ClientDeletedDetailDataOmittedKey,
})

ClientDeletedDetailData = TypedDict("ClientDeletedDetailData", {
    # The names in the item's key.
    "keys": ClientDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ClientDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ClientDeletedDetailDataOmitted],
})

ClientDeletedDetail = TypedDict("ClientDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": ClientDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ClientDeletedDetailData,
})

ClientDeleted = TypedDict("ClientDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Client Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ClientDeletedDetail,
})
"""An item of type Client was deleted."""

ClientUpdatedDetailMetadata = TypedDict("ClientUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Client"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

ClientUpdatedDetailDataKeys = TypedDict("ClientUpdatedDetailDataKeys", {
    "client_id": str,
})

ClientUpdatedDetailDataOld = TypedDict("ClientUpdatedDetailDataOld", {
})

ClientUpdatedDetailDataNew = TypedDict("ClientUpdatedDetailDataNew", {
})

ClientUpdatedDetailDataOmittedKey = TypedDict("ClientUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ClientUpdatedDetailDataOmitted = TypedDict("ClientUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ClientUpdatedDetailDataOmittedKey,
})

ClientUpdatedDetailData = TypedDict("ClientUpdatedDetailData", {
    # The names in the item's key.
    "keys": ClientUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ClientUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": ClientUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ClientUpdatedDetailDataOmitted],
})

ClientUpdatedDetail = TypedDict("ClientUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ClientUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ClientUpdatedDetailData,
})

ClientUpdated = TypedDict("ClientUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Client Updated"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ClientUpdatedDetail,
})
"""An item of type Client was changed."""

DeviceCreatedDetailMetadata = TypedDict("DeviceCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Device"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["created"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

DeviceCreatedDetailDataKeys = TypedDict("DeviceCreatedDetailDataKeys", {
    "building_id": str,
    "device_id": str,
})

DeviceCreatedDetailDataNew = TypedDict("DeviceCreatedDetailDataNew", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
})

DeviceCreatedDetailDataOmittedKey = TypedDict("DeviceCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

DeviceCreatedDetailDataOmitted = TypedDict("DeviceCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": DeviceCreatedDetailDataOmittedKey,
})

DeviceCreatedDetailData = TypedDict("DeviceCreatedDetailData", {
    # The names in the item's key.
    "keys": DeviceCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": DeviceCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["GSI1PK", "client_id"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[DeviceCreatedDetailDataOmitted],
})

DeviceCreatedDetail = TypedDict("DeviceCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": DeviceCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": DeviceCreatedDetailData,
})

DeviceCreated = TypedDict("DeviceCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Device Created"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": DeviceCreatedDetail,
})
"""An item of type Device was created."""

DeviceDeletedDetailMetadata = TypedDict("DeviceDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Device"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["deleted"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

DeviceDeletedDetailDataKeys = TypedDict("DeviceDeletedDetailDataKeys", {
    "building_id": str,
    "device_id": str,
})

DeviceDeletedDetailDataOld = TypedDict("DeviceDeletedDetailDataOld", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
})

DeviceDeletedDetailDataOmittedKey = TypedDict("DeviceDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

DeviceDeletedDetailDataOmitted = TypedDict("DeviceDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": DeviceDeletedDetailDataOmittedKey,
})

DeviceDeletedDetailData = TypedDict("DeviceDeletedDetailData", {
    # The names in the item's key.
    "keys": DeviceDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": DeviceDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["GSI1PK", "client_id"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[DeviceDeletedDetailDataOmitted],
})

DeviceDeletedDetail = TypedDict("DeviceDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": DeviceDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": DeviceDeletedDetailData,
})

DeviceDeleted = TypedDict("DeviceDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Device Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": DeviceDeletedDetail,
})
"""An item of type Device was deleted."""

DeviceUpdatedDetailMetadata = TypedDict("DeviceUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Device"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

DeviceUpdatedDetailDataKeys = TypedDict("DeviceUpdatedDetailDataKeys", {
    "building_id": str,
    "device_id": str,
})

DeviceUpdatedDetailDataOld = TypedDict("DeviceUpdatedDetailDataOld", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
})

DeviceUpdatedDetailDataNew = TypedDict("DeviceUpdatedDetailDataNew", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
})

DeviceUpdatedDetailDataOmittedKey = TypedDict("DeviceUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

DeviceUpdatedDetailDataOmitted = TypedDict("DeviceUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": DeviceUpdatedDetailDataOmittedKey,
})

DeviceUpdatedDetailData = TypedDict("DeviceUpdatedDetailData", {
    # The names in the item's key.
    "keys": DeviceUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": DeviceUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": DeviceUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["GSI1PK", "client_id"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[DeviceUpdatedDetailDataOmitted],
})

DeviceUpdatedDetail = TypedDict("DeviceUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": DeviceUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": DeviceUpdatedDetailData,
})

DeviceUpdated = TypedDict("DeviceUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Device Updated"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": DeviceUpdatedDetail,
})
"""An item of type Device was changed."""

PermissionCreatedDetailMetadata = TypedDict("PermissionCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Permission"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["created"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

PermissionCreatedDetailDataKeys = TypedDict("PermissionCreatedDetailDataKeys", {
    "permission_id": str,
})

PermissionCreatedDetailDataNew = TypedDict("PermissionCreatedDetailDataNew", {
    # The attribute `action`.
    "action": NotRequired[Any],
    # The attribute `description`.
    "description": NotRequired[Any],
    # The attribute `is_dangerous`.
    "is_dangerous": NotRequired[Any],
    # The attribute `module`.
    "module": NotRequired[Any],
    # The attribute `resource`.
    "resource": NotRequired[Any],
})

PermissionCreatedDetailDataOmittedKey = TypedDict("PermissionCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

PermissionCreatedDetailDataOmitted = TypedDict("PermissionCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": PermissionCreatedDetailDataOmittedKey,
})

PermissionCreatedDetailData = TypedDict("PermissionCreatedDetailData", {
    # The names in the item's key.
    "keys": PermissionCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": PermissionCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["action", "description", "is_dangerous", "module", "resource"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[PermissionCreatedDetailDataOmitted],
})

PermissionCreatedDetail = TypedDict("PermissionCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": PermissionCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": PermissionCreatedDetailData,
})

PermissionCreated = TypedDict("PermissionCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Permission Created"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": PermissionCreatedDetail,
})
"""An item of type Permission was created."""

PermissionDeletedDetailMetadata = TypedDict("PermissionDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Permission"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["deleted"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

PermissionDeletedDetailDataKeys = TypedDict("PermissionDeletedDetailDataKeys", {
    "permission_id": str,
})

PermissionDeletedDetailDataOld = TypedDict("PermissionDeletedDetailDataOld", {
    # The attribute `action`.
    "action": NotRequired[Any],
    # The attribute `description`.
    "description": NotRequired[Any],
    # The attribute `is_dangerous`.
    "is_dangerous": NotRequired[Any],
    # The attribute `module`.
    "module": NotRequired[Any],
    # The attribute `resource`.
    "resource": NotRequired[Any],
})

PermissionDeletedDetailDataOmittedKey = TypedDict("PermissionDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

PermissionDeletedDetailDataOmitted = TypedDict("PermissionDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": PermissionDeletedDetailDataOmittedKey,
})

PermissionDeletedDetailData = TypedDict("PermissionDeletedDetailData", {
    # The names in the item's key.
    "keys": PermissionDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": PermissionDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["action", "description", "is_dangerous", "module", "resource"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[PermissionDeletedDetailDataOmitted],
})

PermissionDeletedDetail = TypedDict("PermissionDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": PermissionDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": PermissionDeletedDetailData,
})

PermissionDeleted = TypedDict("PermissionDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Permission Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": PermissionDeletedDetail,
})
"""An item of type Permission was deleted."""

PermissionUpdatedDetailMetadata = TypedDict("PermissionUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Permission"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

PermissionUpdatedDetailDataKeys = TypedDict("PermissionUpdatedDetailDataKeys", {
    "permission_id": str,
})

PermissionUpdatedDetailDataOld = TypedDict("PermissionUpdatedDetailDataOld", {
    # The attribute `action`.
    "action": NotRequired[Any],
    # The attribute `description`.
    "description": NotRequired[Any],
    # The attribute `is_dangerous`.
    "is_dangerous": NotRequired[Any],
    # The attribute `module`.
    "module": NotRequired[Any],
    # The attribute `resource`.
    "resource": NotRequired[Any],
})

PermissionUpdatedDetailDataNew = TypedDict("PermissionUpdatedDetailDataNew", {
    # The attribute `action`.
    "action": NotRequired[Any],
    # The attribute `description`.
    "description": NotRequired[Any],
    # The attribute `is_dangerous`.
    "is_dangerous": NotRequired[Any],
    # The attribute `module`.
    "module": NotRequired[Any],
    # The attribute `resource`.
    "resource": NotRequired[Any],
})

PermissionUpdatedDetailDataOmittedKey = TypedDict("PermissionUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

PermissionUpdatedDetailDataOmitted = TypedDict("PermissionUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": PermissionUpdatedDetailDataOmittedKey,
})

PermissionUpdatedDetailData = TypedDict("PermissionUpdatedDetailData", {
    # The names in the item's key.
    "keys": PermissionUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": PermissionUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": PermissionUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["action", "description", "is_dangerous", "module", "resource"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[PermissionUpdatedDetailDataOmitted],
})

PermissionUpdatedDetail = TypedDict("PermissionUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": PermissionUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": PermissionUpdatedDetailData,
})

PermissionUpdated = TypedDict("PermissionUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Permission Updated"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": PermissionUpdatedDetail,
})
"""An item of type Permission was changed."""

ProjectCreatedDetailMetadata = TypedDict("ProjectCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Project"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["created"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

ProjectCreatedDetailDataKeys = TypedDict("ProjectCreatedDetailDataKeys", {
    "client_id": str,
    "project_id": str,
})

ProjectCreatedDetailDataNew = TypedDict("ProjectCreatedDetailDataNew", {
})

ProjectCreatedDetailDataOmittedKey = TypedDict("ProjectCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ProjectCreatedDetailDataOmitted = TypedDict("ProjectCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ProjectCreatedDetailDataOmittedKey,
})

ProjectCreatedDetailData = TypedDict("ProjectCreatedDetailData", {
    # The names in the item's key.
    "keys": ProjectCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": ProjectCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ProjectCreatedDetailDataOmitted],
})

ProjectCreatedDetail = TypedDict("ProjectCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ProjectCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ProjectCreatedDetailData,
})

ProjectCreated = TypedDict("ProjectCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Project Created"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ProjectCreatedDetail,
})
"""An item of type Project was created."""

ProjectDeletedDetailMetadata = TypedDict("ProjectDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Project"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["deleted"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

ProjectDeletedDetailDataKeys = TypedDict("ProjectDeletedDetailDataKeys", {
    "client_id": str,
    "project_id": str,
})

ProjectDeletedDetailDataOld = TypedDict("ProjectDeletedDetailDataOld", {
})

ProjectDeletedDetailDataOmittedKey = TypedDict("ProjectDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ProjectDeletedDetailDataOmitted = TypedDict("ProjectDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ProjectDeletedDetailDataOmittedKey,
})

ProjectDeletedDetailData = TypedDict("ProjectDeletedDetailData", {
    # The names in the item's key.
    "keys": ProjectDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ProjectDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ProjectDeletedDetailDataOmitted],
})

ProjectDeletedDetail = TypedDict("ProjectDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": ProjectDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ProjectDeletedDetailData,
})

ProjectDeleted = TypedDict("ProjectDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Project Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ProjectDeletedDetail,
})
"""An item of type Project was deleted."""

ProjectUpdatedDetailMetadata = TypedDict("ProjectUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Project"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

ProjectUpdatedDetailDataKeys = TypedDict("ProjectUpdatedDetailDataKeys", {
    "client_id": str,
    "project_id": str,
})

ProjectUpdatedDetailDataOld = TypedDict("ProjectUpdatedDetailDataOld", {
})

ProjectUpdatedDetailDataNew = TypedDict("ProjectUpdatedDetailDataNew", {
})

ProjectUpdatedDetailDataOmittedKey = TypedDict("ProjectUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ProjectUpdatedDetailDataOmitted = TypedDict("ProjectUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ProjectUpdatedDetailDataOmittedKey,
})

ProjectUpdatedDetailData = TypedDict("ProjectUpdatedDetailData", {
    # The names in the item's key.
    "keys": ProjectUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ProjectUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": ProjectUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ProjectUpdatedDetailDataOmitted],
})

ProjectUpdatedDetail = TypedDict("ProjectUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ProjectUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ProjectUpdatedDetailData,
})

ProjectUpdated = TypedDict("ProjectUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Project Updated"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ProjectUpdatedDetail,
})
"""An item of type Project was changed."""

RoleCreatedDetailMetadata = TypedDict("RoleCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Role"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["created"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

RoleCreatedDetailDataKeys = TypedDict("RoleCreatedDetailDataKeys", {
    "client_id": NotRequired[str],
    "role_id": str,
})

RoleCreatedDetailDataNew = TypedDict("RoleCreatedDetailDataNew", {
    # The attribute `description`.
    "description": NotRequired[Any],
    # The attribute `is_system`.
    "is_system": NotRequired[Any],
    # The attribute `name`.
    "name": NotRequired[Any],
    # The attribute `parent_role_id`.
    "parent_role_id": NotRequired[Any],
    # The attribute `permissions`.
    "permissions": NotRequired[Any],
})

RoleCreatedDetailDataOmittedKey = TypedDict("RoleCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

RoleCreatedDetailDataOmitted = TypedDict("RoleCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": RoleCreatedDetailDataOmittedKey,
})

RoleCreatedDetailData = TypedDict("RoleCreatedDetailData", {
    # The names in the item's key.
    "keys": RoleCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": RoleCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["description", "is_system", "name", "parent_role_id", "permissions"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[RoleCreatedDetailDataOmitted],
})

RoleCreatedDetail = TypedDict("RoleCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": RoleCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": RoleCreatedDetailData,
})

RoleCreated = TypedDict("RoleCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Role Created"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": RoleCreatedDetail,
})
"""An item of type Role was created."""

RoleDeletedDetailMetadata = TypedDict("RoleDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Role"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["deleted"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

RoleDeletedDetailDataKeys = TypedDict("RoleDeletedDetailDataKeys", {
    "client_id": NotRequired[str],
    "role_id": str,
})

RoleDeletedDetailDataOld = TypedDict("RoleDeletedDetailDataOld", {
    # The attribute `description`.
    "description": NotRequired[Any],
    # The attribute `is_system`.
    "is_system": NotRequired[Any],
    # The attribute `name`.
    "name": NotRequired[Any],
    # The attribute `parent_role_id`.
    "parent_role_id": NotRequired[Any],
    # The attribute `permissions`.
    "permissions": NotRequired[Any],
})

RoleDeletedDetailDataOmittedKey = TypedDict("RoleDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

RoleDeletedDetailDataOmitted = TypedDict("RoleDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": RoleDeletedDetailDataOmittedKey,
})

RoleDeletedDetailData = TypedDict("RoleDeletedDetailData", {
    # The names in the item's key.
    "keys": RoleDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": RoleDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["description", "is_system", "name", "parent_role_id", "permissions"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[RoleDeletedDetailDataOmitted],
})

RoleDeletedDetail = TypedDict("RoleDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": RoleDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": RoleDeletedDetailData,
})

RoleDeleted = TypedDict("RoleDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Role Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": RoleDeletedDetail,
})
"""An item of type Role was deleted."""

RolePermissionLinkCreatedDetailMetadata = TypedDict("RolePermissionLinkCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["RolePermissionLink"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["created"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

RolePermissionLinkCreatedDetailDataKeys = TypedDict("RolePermissionLinkCreatedDetailDataKeys", {
    "role_id": str,
    "permission_id": str,
})

RolePermissionLinkCreatedDetailDataNew = TypedDict("RolePermissionLinkCreatedDetailDataNew", {
    # The attribute `action`.
    "action": NotRequired[Any],
    # The attribute `granted_at`.
    "granted_at": NotRequired[Any],
    # The attribute `granted_by`.
    "granted_by": NotRequired[Any],
    # The attribute `module`.
    "module": NotRequired[Any],
    # The attribute `resource`.
    "resource": NotRequired[Any],
})

RolePermissionLinkCreatedDetailDataOmittedKey = TypedDict("RolePermissionLinkCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

RolePermissionLinkCreatedDetailDataOmitted = TypedDict("RolePermissionLinkCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": RolePermissionLinkCreatedDetailDataOmittedKey,
})

RolePermissionLinkCreatedDetailData = TypedDict("RolePermissionLinkCreatedDetailData", {
    # The names in the item's key.
    "keys": RolePermissionLinkCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": RolePermissionLinkCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["action", "granted_at", "granted_by", "module", "resource"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[RolePermissionLinkCreatedDetailDataOmitted],
})

RolePermissionLinkCreatedDetail = TypedDict("RolePermissionLinkCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": RolePermissionLinkCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": RolePermissionLinkCreatedDetailData,
})

RolePermissionLinkCreated = TypedDict("RolePermissionLinkCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["RolePermissionLink Created"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": RolePermissionLinkCreatedDetail,
})
"""An item of type RolePermissionLink was created."""

RolePermissionLinkDeletedDetailMetadata = TypedDict("RolePermissionLinkDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["RolePermissionLink"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["deleted"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

RolePermissionLinkDeletedDetailDataKeys = TypedDict("RolePermissionLinkDeletedDetailDataKeys", {
    "role_id": str,
    "permission_id": str,
})

RolePermissionLinkDeletedDetailDataOld = TypedDict("RolePermissionLinkDeletedDetailDataOld", {
    # The attribute `action`.
    "action": NotRequired[Any],
    # The attribute `granted_at`.
    "granted_at": NotRequired[Any],
    # The attribute `granted_by`.
    "granted_by": NotRequired[Any],
    # The attribute `module`.
    "module": NotRequired[Any],
    # The attribute `resource`.
    "resource": NotRequired[Any],
})

RolePermissionLinkDeletedDetailDataOmittedKey = TypedDict("RolePermissionLinkDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

RolePermissionLinkDeletedDetailDataOmitted = TypedDict("RolePermissionLinkDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": RolePermissionLinkDeletedDetailDataOmittedKey,
})

RolePermissionLinkDeletedDetailData = TypedDict("RolePermissionLinkDeletedDetailData", {
    # The names in the item's key.
    "keys": RolePermissionLinkDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": RolePermissionLinkDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["action", "granted_at", "granted_by", "module", "resource"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[RolePermissionLinkDeletedDetailDataOmitted],
})

RolePermissionLinkDeletedDetail = TypedDict("RolePermissionLinkDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": RolePermissionLinkDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": RolePermissionLinkDeletedDetailData,
})

RolePermissionLinkDeleted = TypedDict("RolePermissionLinkDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["RolePermissionLink Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": RolePermissionLinkDeletedDetail,
})
"""An item of type RolePermissionLink was deleted."""

RolePermissionLinkUpdatedDetailMetadata = TypedDict("RolePermissionLinkUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["RolePermissionLink"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

RolePermissionLinkUpdatedDetailDataKeys = TypedDict("RolePermissionLinkUpdatedDetailDataKeys", {
    "role_id": str,
    "permission_id": str,
})

RolePermissionLinkUpdatedDetailDataOld = TypedDict("RolePermissionLinkUpdatedDetailDataOld", {
    # The attribute `action`.
    "action": NotRequired[Any],
    # The attribute `granted_at`.
    "granted_at": NotRequired[Any],
    # The attribute `granted_by`.
    "granted_by": NotRequired[Any],
    # The attribute `module`.
    "module": NotRequired[Any],
    # The attribute `resource`.
    "resource": NotRequired[Any],
})

RolePermissionLinkUpdatedDetailDataNew = TypedDict("RolePermissionLinkUpdatedDetailDataNew", {
    # The attribute `action`.
    "action": NotRequired[Any],
    # The attribute `granted_at`.
    "granted_at": NotRequired[Any],
    # The attribute `granted_by`.
    "granted_by": NotRequired[Any],
    # The attribute `module`.
    "module": NotRequired[Any],
    # The attribute `resource`.
    "resource": NotRequired[Any],
})

RolePermissionLinkUpdatedDetailDataOmittedKey = TypedDict("RolePermissionLinkUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

RolePermissionLinkUpdatedDetailDataOmitted = TypedDict("RolePermissionLinkUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": RolePermissionLinkUpdatedDetailDataOmittedKey,
})

RolePermissionLinkUpdatedDetailData = TypedDict("RolePermissionLinkUpdatedDetailData", {
    # The names in the item's key.
    "keys": RolePermissionLinkUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": RolePermissionLinkUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": RolePermissionLinkUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["action", "granted_at", "granted_by", "module", "resource"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[RolePermissionLinkUpdatedDetailDataOmitted],
})

RolePermissionLinkUpdatedDetail = TypedDict("RolePermissionLinkUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": RolePermissionLinkUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": RolePermissionLinkUpdatedDetailData,
})

RolePermissionLinkUpdated = TypedDict("RolePermissionLinkUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["RolePermissionLink Updated"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": RolePermissionLinkUpdatedDetail,
})
"""An item of type RolePermissionLink was changed."""

RoleUpdatedDetailMetadata = TypedDict("RoleUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Role"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

RoleUpdatedDetailDataKeys = TypedDict("RoleUpdatedDetailDataKeys", {
    "client_id": NotRequired[str],
    "role_id": str,
})

RoleUpdatedDetailDataOld = TypedDict("RoleUpdatedDetailDataOld", {
    # The attribute `description`.
    "description": NotRequired[Any],
    # The attribute `is_system`.
    "is_system": NotRequired[Any],
    # The attribute `name`.
    "name": NotRequired[Any],
    # The attribute `parent_role_id`.
    "parent_role_id": NotRequired[Any],
    # The attribute `permissions`.
    "permissions": NotRequired[Any],
})

RoleUpdatedDetailDataNew = TypedDict("RoleUpdatedDetailDataNew", {
    # The attribute `description`.
    "description": NotRequired[Any],
    # The attribute `is_system`.
    "is_system": NotRequired[Any],
    # The attribute `name`.
    "name": NotRequired[Any],
    # The attribute `parent_role_id`.
    "parent_role_id": NotRequired[Any],
    # The attribute `permissions`.
    "permissions": NotRequired[Any],
})

RoleUpdatedDetailDataOmittedKey = TypedDict("RoleUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

RoleUpdatedDetailDataOmitted = TypedDict("RoleUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": RoleUpdatedDetailDataOmittedKey,
})

RoleUpdatedDetailData = TypedDict("RoleUpdatedDetailData", {
    # The names in the item's key.
    "keys": RoleUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": RoleUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": RoleUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["description", "is_system", "name", "parent_role_id", "permissions"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[RoleUpdatedDetailDataOmitted],
})

RoleUpdatedDetail = TypedDict("RoleUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": RoleUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": RoleUpdatedDetailData,
})

RoleUpdated = TypedDict("RoleUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Role Updated"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": RoleUpdatedDetail,
})
"""An item of type Role was changed."""

SettingCreatedDetailMetadata = TypedDict("SettingCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Setting"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["created"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

SettingCreatedDetailDataKeys = TypedDict("SettingCreatedDetailDataKeys", {
    "scope_type": str,
    "scope_id": str,
    "key": str,
})

SettingCreatedDetailDataNew = TypedDict("SettingCreatedDetailDataNew", {
})

SettingCreatedDetailDataOmittedKey = TypedDict("SettingCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

SettingCreatedDetailDataOmitted = TypedDict("SettingCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": SettingCreatedDetailDataOmittedKey,
})

SettingCreatedDetailData = TypedDict("SettingCreatedDetailData", {
    # The names in the item's key.
    "keys": SettingCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": SettingCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[SettingCreatedDetailDataOmitted],
})

SettingCreatedDetail = TypedDict("SettingCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": SettingCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": SettingCreatedDetailData,
})

SettingCreated = TypedDict("SettingCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Setting Created"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": SettingCreatedDetail,
})
"""An item of type Setting was created."""

SettingDeletedDetailMetadata = TypedDict("SettingDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Setting"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["deleted"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

SettingDeletedDetailDataKeys = TypedDict("SettingDeletedDetailDataKeys", {
    "scope_type": str,
    "scope_id": str,
    "key": str,
})

SettingDeletedDetailDataOld = TypedDict("SettingDeletedDetailDataOld", {
})

SettingDeletedDetailDataOmittedKey = TypedDict("SettingDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

SettingDeletedDetailDataOmitted = TypedDict("SettingDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": SettingDeletedDetailDataOmittedKey,
})

SettingDeletedDetailData = TypedDict("SettingDeletedDetailData", {
    # The names in the item's key.
    "keys": SettingDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": SettingDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[SettingDeletedDetailDataOmitted],
})

SettingDeletedDetail = TypedDict("SettingDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": SettingDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": SettingDeletedDetailData,
})

SettingDeleted = TypedDict("SettingDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Setting Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": SettingDeletedDetail,
})
"""An item of type Setting was deleted."""

SettingUpdatedDetailMetadata = TypedDict("SettingUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Setting"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

SettingUpdatedDetailDataKeys = TypedDict("SettingUpdatedDetailDataKeys", {
    "scope_type": str,
    "scope_id": str,
    "key": str,
})

SettingUpdatedDetailDataOld = TypedDict("SettingUpdatedDetailDataOld", {
})

SettingUpdatedDetailDataNew = TypedDict("SettingUpdatedDetailDataNew", {
})

SettingUpdatedDetailDataOmittedKey = TypedDict("SettingUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

SettingUpdatedDetailDataOmitted = TypedDict("SettingUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": SettingUpdatedDetailDataOmittedKey,
})

SettingUpdatedDetailData = TypedDict("SettingUpdatedDetailData", {
    # The names in the item's key.
    "keys": SettingUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": SettingUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": SettingUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[SettingUpdatedDetailDataOmitted],
})

SettingUpdatedDetail = TypedDict("SettingUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": SettingUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": SettingUpdatedDetailData,
})

SettingUpdated = TypedDict("SettingUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Setting Updated"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": SettingUpdatedDetail,
})
"""An item of type Setting was changed."""

SubscriptionCreatedDetailMetadata = TypedDict("SubscriptionCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Subscription"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["created"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

SubscriptionCreatedDetailDataKeys = TypedDict("SubscriptionCreatedDetailDataKeys", {
    "scope_type": str,
    "scope_id": str,
    "module_id": str,
})

SubscriptionCreatedDetailDataNew = TypedDict("SubscriptionCreatedDetailDataNew", {
})

SubscriptionCreatedDetailDataOmittedKey = TypedDict("SubscriptionCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

SubscriptionCreatedDetailDataOmitted = TypedDict("SubscriptionCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": SubscriptionCreatedDetailDataOmittedKey,
})

SubscriptionCreatedDetailData = TypedDict("SubscriptionCreatedDetailData", {
    # The names in the item's key.
    "keys": SubscriptionCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": SubscriptionCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[SubscriptionCreatedDetailDataOmitted],
})

SubscriptionCreatedDetail = TypedDict("SubscriptionCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": SubscriptionCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": SubscriptionCreatedDetailData,
})

SubscriptionCreated = TypedDict("SubscriptionCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Subscription Created"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": SubscriptionCreatedDetail,
})
"""An item of type Subscription was created."""

SubscriptionDeletedDetailMetadata = TypedDict("SubscriptionDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Subscription"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["deleted"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

SubscriptionDeletedDetailDataKeys = TypedDict("SubscriptionDeletedDetailDataKeys", {
    "scope_type": str,
    "scope_id": str,
    "module_id": str,
})

SubscriptionDeletedDetailDataOld = TypedDict("SubscriptionDeletedDetailDataOld", {
})

SubscriptionDeletedDetailDataOmittedKey = TypedDict("SubscriptionDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

SubscriptionDeletedDetailDataOmitted = TypedDict("SubscriptionDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": SubscriptionDeletedDetailDataOmittedKey,
})

SubscriptionDeletedDetailData = TypedDict("SubscriptionDeletedDetailData", {
    # The names in the item's key.
    "keys": SubscriptionDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": SubscriptionDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[SubscriptionDeletedDetailDataOmitted],
})

SubscriptionDeletedDetail = TypedDict("SubscriptionDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": SubscriptionDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": SubscriptionDeletedDetailData,
})

SubscriptionDeleted = TypedDict("SubscriptionDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Subscription Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": SubscriptionDeletedDetail,
})
"""An item of type Subscription was deleted."""

SubscriptionUpdatedDetailMetadata = TypedDict("SubscriptionUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Subscription"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

SubscriptionUpdatedDetailDataKeys = TypedDict("SubscriptionUpdatedDetailDataKeys", {
    "scope_type": str,
    "scope_id": str,
    "module_id": str,
})

SubscriptionUpdatedDetailDataOld = TypedDict("SubscriptionUpdatedDetailDataOld", {
})

SubscriptionUpdatedDetailDataNew = TypedDict("SubscriptionUpdatedDetailDataNew", {
})

SubscriptionUpdatedDetailDataOmittedKey = TypedDict("SubscriptionUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

SubscriptionUpdatedDetailDataOmitted = TypedDict("SubscriptionUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": SubscriptionUpdatedDetailDataOmittedKey,
})

SubscriptionUpdatedDetailData = TypedDict("SubscriptionUpdatedDetailData", {
    # The names in the item's key.
    "keys": SubscriptionUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": SubscriptionUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": SubscriptionUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[SubscriptionUpdatedDetailDataOmitted],
})

SubscriptionUpdatedDetail = TypedDict("SubscriptionUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": SubscriptionUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": SubscriptionUpdatedDetailData,
})

SubscriptionUpdated = TypedDict("SubscriptionUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Subscription Updated"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": SubscriptionUpdatedDetail,
})
"""An item of type Subscription was changed."""

UserConflictedDetailMetadata = TypedDict("UserConflictedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["User"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["conflicted"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

UserConflictedDetailDataKeys = TypedDict("UserConflictedDetailDataKeys", {
    "user_id": str,
})

UserConflictedDetailDataOld = TypedDict("UserConflictedDetailDataOld", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
    # The attribute `email`.
    "email": NotRequired[Any],
})

UserConflictedDetailDataNew = TypedDict("UserConflictedDetailDataNew", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
    # The attribute `email`.
    "email": NotRequired[Any],
})

UserConflictedDetailDataOmittedKey = TypedDict("UserConflictedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

UserConflictedDetailDataOmitted = TypedDict("UserConflictedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": UserConflictedDetailDataOmittedKey,
})

UserConflictedDetailDataGuard = TypedDict("UserConflictedDetailDataGuard", {
    # The guard's item type.
    "guard": Literal["UserEmail"],
    # The id of the owner that has the value.
    "holder": str,
})

UserConflictedDetailData = TypedDict("UserConflictedDetailData", {
    # The names in the item's key.
    "keys": UserConflictedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": UserConflictedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": UserConflictedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["GSI1PK", "client_id", "email"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[UserConflictedDetailDataOmitted],
    # The unique value that another owner has.
    "guard": UserConflictedDetailDataGuard,
})

UserConflictedDetail = TypedDict("UserConflictedDetail", {
    # What happened, to what, and in which order.
    "metadata": UserConflictedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": UserConflictedDetailData,
})

UserConflicted = TypedDict("UserConflicted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["User Conflicted"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": UserConflictedDetail,
})
"""An item of type User claims a unique value (UserEmail) that another owner has. The claim is pending."""

UserCreatedDetailMetadata = TypedDict("UserCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["User"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["created"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

UserCreatedDetailDataKeys = TypedDict("UserCreatedDetailDataKeys", {
    "user_id": str,
})

UserCreatedDetailDataNew = TypedDict("UserCreatedDetailDataNew", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
    # The attribute `email`.
    "email": NotRequired[Any],
})

UserCreatedDetailDataOmittedKey = TypedDict("UserCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
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
    "changed": List[Literal["GSI1PK", "client_id", "email"]],
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
    "source": Literal["instep.account-management"],
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

UserDeletedDetailMetadata = TypedDict("UserDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["User"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["deleted"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

UserDeletedDetailDataKeys = TypedDict("UserDeletedDetailDataKeys", {
    "user_id": str,
})

UserDeletedDetailDataOld = TypedDict("UserDeletedDetailDataOld", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
    # The attribute `email`.
    "email": NotRequired[Any],
})

UserDeletedDetailDataOmittedKey = TypedDict("UserDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
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
    "changed": List[Literal["GSI1PK", "client_id", "email"]],
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
    "source": Literal["instep.account-management"],
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

UserGrantedDetailMetadata = TypedDict("UserGrantedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["User"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["granted"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "due"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

UserGrantedDetailDataKeys = TypedDict("UserGrantedDetailDataKeys", {
    "user_id": str,
    "scope_type": str,
    "scope_id": str,
    "role_id": str,
})

UserGrantedDetailDataOld = TypedDict("UserGrantedDetailDataOld", {
    # The attribute `created_by`.
    "created_by": NotRequired[Any],
    # The attribute `expires_at`.
    "expires_at": NotRequired[Any],
    # The attribute `start_at`.
    "start_at": NotRequired[Any],
})

UserGrantedDetailDataNew = TypedDict("UserGrantedDetailDataNew", {
    # The attribute `created_by`.
    "created_by": NotRequired[Any],
    # The attribute `expires_at`.
    "expires_at": NotRequired[Any],
    # The attribute `start_at`.
    "start_at": NotRequired[Any],
})

UserGrantedDetailDataOmittedKey = TypedDict("UserGrantedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
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
    "changed": List[Literal["created_by", "expires_at", "start_at"]],
    # The role. Absent if the grant has none.
    "role": str,
    # The scope of the role. Absent if the grant applies everywhere.
    "scope": NotRequired[str],
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
    "source": Literal["instep.account-management"],
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
"""An item of type UserRoleAssignment gave its User a role, or its window opened. There is one event for each role."""

UserRevokedDetailMetadata = TypedDict("UserRevokedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["User"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["revoked"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl", "due"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

UserRevokedDetailDataKeys = TypedDict("UserRevokedDetailDataKeys", {
    "user_id": str,
    "scope_type": str,
    "scope_id": str,
    "role_id": str,
})

UserRevokedDetailDataOld = TypedDict("UserRevokedDetailDataOld", {
    # The attribute `created_by`.
    "created_by": NotRequired[Any],
    # The attribute `expires_at`.
    "expires_at": NotRequired[Any],
    # The attribute `start_at`.
    "start_at": NotRequired[Any],
})

UserRevokedDetailDataNew = TypedDict("UserRevokedDetailDataNew", {
    # The attribute `created_by`.
    "created_by": NotRequired[Any],
    # The attribute `expires_at`.
    "expires_at": NotRequired[Any],
    # The attribute `start_at`.
    "start_at": NotRequired[Any],
})

UserRevokedDetailDataOmittedKey = TypedDict("UserRevokedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
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
    "changed": List[Literal["created_by", "expires_at", "start_at"]],
    # The role. Absent if the grant has none.
    "role": str,
    # The scope of the role. Absent if the grant applies everywhere.
    "scope": NotRequired[str],
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
    "source": Literal["instep.account-management"],
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
"""An item of type UserRoleAssignment no longer gives its User a role, or its window closed. There is one event for each role."""

UserRoleAssignmentUpdatedDetailMetadata = TypedDict("UserRoleAssignmentUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["UserRoleAssignment"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

UserRoleAssignmentUpdatedDetailDataKeys = TypedDict("UserRoleAssignmentUpdatedDetailDataKeys", {
    "user_id": str,
    "scope_type": str,
    "scope_id": str,
    "role_id": str,
})

UserRoleAssignmentUpdatedDetailDataOld = TypedDict("UserRoleAssignmentUpdatedDetailDataOld", {
    # The attribute `created_by`.
    "created_by": NotRequired[Any],
    # The attribute `expires_at`.
    "expires_at": NotRequired[Any],
    # The attribute `start_at`.
    "start_at": NotRequired[Any],
})

UserRoleAssignmentUpdatedDetailDataNew = TypedDict("UserRoleAssignmentUpdatedDetailDataNew", {
    # The attribute `created_by`.
    "created_by": NotRequired[Any],
    # The attribute `expires_at`.
    "expires_at": NotRequired[Any],
    # The attribute `start_at`.
    "start_at": NotRequired[Any],
})

UserRoleAssignmentUpdatedDetailDataOmittedKey = TypedDict("UserRoleAssignmentUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

UserRoleAssignmentUpdatedDetailDataOmitted = TypedDict("UserRoleAssignmentUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": UserRoleAssignmentUpdatedDetailDataOmittedKey,
})

UserRoleAssignmentUpdatedDetailData = TypedDict("UserRoleAssignmentUpdatedDetailData", {
    # The names in the item's key.
    "keys": UserRoleAssignmentUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": UserRoleAssignmentUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": UserRoleAssignmentUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["created_by", "expires_at", "start_at"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[UserRoleAssignmentUpdatedDetailDataOmitted],
})

UserRoleAssignmentUpdatedDetail = TypedDict("UserRoleAssignmentUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": UserRoleAssignmentUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": UserRoleAssignmentUpdatedDetailData,
})

UserRoleAssignmentUpdated = TypedDict("UserRoleAssignmentUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["UserRoleAssignment Updated"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": UserRoleAssignmentUpdatedDetail,
})
"""An item of type UserRoleAssignment was changed in anything but its roles, or was written without granting or revoking a role."""

UserUpdatedDetailMetadata = TypedDict("UserUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["User"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

UserUpdatedDetailDataKeys = TypedDict("UserUpdatedDetailDataKeys", {
    "user_id": str,
})

UserUpdatedDetailDataOld = TypedDict("UserUpdatedDetailDataOld", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
    # The attribute `email`.
    "email": NotRequired[Any],
})

UserUpdatedDetailDataNew = TypedDict("UserUpdatedDetailDataNew", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
    # The attribute `email`.
    "email": NotRequired[Any],
})

UserUpdatedDetailDataOmittedKey = TypedDict("UserUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
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
    "changed": List[Literal["GSI1PK", "client_id", "email"]],
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
    "source": Literal["instep.account-management"],
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
"""An item of type User was changed."""

ZoneCreatedDetailMetadata = TypedDict("ZoneCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Zone"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["created"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

ZoneCreatedDetailDataKeys = TypedDict("ZoneCreatedDetailDataKeys", {
    "building_id": str,
    "zone_id": str,
})

ZoneCreatedDetailDataNew = TypedDict("ZoneCreatedDetailDataNew", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
})

ZoneCreatedDetailDataOmittedKey = TypedDict("ZoneCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ZoneCreatedDetailDataOmitted = TypedDict("ZoneCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ZoneCreatedDetailDataOmittedKey,
})

ZoneCreatedDetailData = TypedDict("ZoneCreatedDetailData", {
    # The names in the item's key.
    "keys": ZoneCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": ZoneCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["GSI1PK", "client_id"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ZoneCreatedDetailDataOmitted],
})

ZoneCreatedDetail = TypedDict("ZoneCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ZoneCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ZoneCreatedDetailData,
})

ZoneCreated = TypedDict("ZoneCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Zone Created"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ZoneCreatedDetail,
})
"""An item of type Zone was created."""

ZoneDeletedDetailMetadata = TypedDict("ZoneDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Zone"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["deleted"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write", "ttl"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

ZoneDeletedDetailDataKeys = TypedDict("ZoneDeletedDetailDataKeys", {
    "building_id": str,
    "zone_id": str,
})

ZoneDeletedDetailDataOld = TypedDict("ZoneDeletedDetailDataOld", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
})

ZoneDeletedDetailDataOmittedKey = TypedDict("ZoneDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ZoneDeletedDetailDataOmitted = TypedDict("ZoneDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ZoneDeletedDetailDataOmittedKey,
})

ZoneDeletedDetailData = TypedDict("ZoneDeletedDetailData", {
    # The names in the item's key.
    "keys": ZoneDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ZoneDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["GSI1PK", "client_id"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ZoneDeletedDetailDataOmitted],
})

ZoneDeletedDetail = TypedDict("ZoneDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": ZoneDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ZoneDeletedDetailData,
})

ZoneDeleted = TypedDict("ZoneDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Zone Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ZoneDeletedDetail,
})
"""An item of type Zone was deleted."""

ZoneUpdatedDetailMetadata = TypedDict("ZoneUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["account-management"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Zone"],
    # The entity's id. For a grant, the subject's.
    "entityId": str,
    # What happened.
    "verb": Literal["updated"],
    # The changed item: its type and id. If a write of a guard led to the event, only the guard's type.
    "item": str,
    # Orders the events of one item: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
    "sequence": str,
    # Orders the events of one record, after `sequence`.
    "index": int,
    # When the table was written (RFC 3339). `null` if the record does not say it. If the cause is `due`, when the window opened or closed.
    "recordedAt": Union[str, None],
    # Why the item changed.
    "cause": Literal["write"],
    # The value of the attribute that the model names as `correlation`, or `null`.
    "correlationId": Union[str, None],
    # The tenant: the value of the name that the model gives as `tenant`, or `null`.
    "tenant": Union[str, None],
    # Whether the event comes from captures or from a snapshot. As a rule, the change was published before.
    "replay": bool,
    # Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
    "parked": bool,
})

ZoneUpdatedDetailDataKeys = TypedDict("ZoneUpdatedDetailDataKeys", {
    "building_id": str,
    "zone_id": str,
})

ZoneUpdatedDetailDataOld = TypedDict("ZoneUpdatedDetailDataOld", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
})

ZoneUpdatedDetailDataNew = TypedDict("ZoneUpdatedDetailDataNew", {
    # The attribute `GSI1PK`.
    "GSI1PK": NotRequired[Any],
    # The attribute `client_id`.
    "client_id": NotRequired[Any],
})

ZoneUpdatedDetailDataOmittedKey = TypedDict("ZoneUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ZoneUpdatedDetailDataOmitted = TypedDict("ZoneUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ZoneUpdatedDetailDataOmittedKey,
})

ZoneUpdatedDetailData = TypedDict("ZoneUpdatedDetailData", {
    # The names in the item's key.
    "keys": ZoneUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ZoneUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": ZoneUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["GSI1PK", "client_id"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ZoneUpdatedDetailDataOmitted],
})

ZoneUpdatedDetail = TypedDict("ZoneUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ZoneUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ZoneUpdatedDetailData,
})

ZoneUpdated = TypedDict("ZoneUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Zone Updated"],
    # The source of all events of the model.
    "source": Literal["instep.account-management"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ZoneUpdatedDetail,
})
"""An item of type Zone was changed."""

AccountManagementEvent = Union[
    AuditLogCreated,
    AuditLogDeleted,
    AuditLogUpdated,
    BuildingCreated,
    BuildingDeleted,
    BuildingUpdated,
    ClientCreated,
    ClientDeleted,
    ClientUpdated,
    DeviceCreated,
    DeviceDeleted,
    DeviceUpdated,
    PermissionCreated,
    PermissionDeleted,
    PermissionUpdated,
    ProjectCreated,
    ProjectDeleted,
    ProjectUpdated,
    RoleCreated,
    RoleDeleted,
    RolePermissionLinkCreated,
    RolePermissionLinkDeleted,
    RolePermissionLinkUpdated,
    RoleUpdated,
    SettingCreated,
    SettingDeleted,
    SettingUpdated,
    SubscriptionCreated,
    SubscriptionDeleted,
    SubscriptionUpdated,
    UserConflicted,
    UserCreated,
    UserDeleted,
    UserGranted,
    UserRevoked,
    UserRoleAssignmentUpdated,
    UserUpdated,
    ZoneCreated,
    ZoneDeleted,
    ZoneUpdated,
]
"""Every event of the model."""
