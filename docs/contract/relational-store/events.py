"""The events of the table model `relational-store`. Made by `instep contract`: do not edit.

For Python 3.11 or later.
"""

from typing import Any, List, Literal, NotRequired, TypedDict, Union

CollectionMembershipRelationshipCreatedDetailMetadata = TypedDict("CollectionMembershipRelationshipCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["relational-store"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["CollectionMembershipRelationship"],
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

CollectionMembershipRelationshipCreatedDetailDataKeys = TypedDict("CollectionMembershipRelationshipCreatedDetailDataKeys", {
    "collection.urn": str,
    "member.urn": str,
})

CollectionMembershipRelationshipCreatedDetailDataNew = TypedDict("CollectionMembershipRelationshipCreatedDetailDataNew", {
    # The attribute `_accountUrn`.
    "_accountUrn": NotRequired[Any],
})

CollectionMembershipRelationshipCreatedDetailDataOmittedKey = TypedDict("CollectionMembershipRelationshipCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

CollectionMembershipRelationshipCreatedDetailDataOmitted = TypedDict("CollectionMembershipRelationshipCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": CollectionMembershipRelationshipCreatedDetailDataOmittedKey,
})

CollectionMembershipRelationshipCreatedDetailData = TypedDict("CollectionMembershipRelationshipCreatedDetailData", {
    # The names in the item's key.
    "keys": CollectionMembershipRelationshipCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": CollectionMembershipRelationshipCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["_accountUrn"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[CollectionMembershipRelationshipCreatedDetailDataOmitted],
})

CollectionMembershipRelationshipCreatedDetail = TypedDict("CollectionMembershipRelationshipCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": CollectionMembershipRelationshipCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": CollectionMembershipRelationshipCreatedDetailData,
})

CollectionMembershipRelationshipCreated = TypedDict("CollectionMembershipRelationshipCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["CollectionMembershipRelationship Created"],
    # The source of all events of the model.
    "source": Literal["instep.relational-store"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": CollectionMembershipRelationshipCreatedDetail,
})
"""An item of type CollectionMembershipRelationship was created."""

CollectionMembershipRelationshipDeletedDetailMetadata = TypedDict("CollectionMembershipRelationshipDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["relational-store"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["CollectionMembershipRelationship"],
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

CollectionMembershipRelationshipDeletedDetailDataKeys = TypedDict("CollectionMembershipRelationshipDeletedDetailDataKeys", {
    "collection.urn": str,
    "member.urn": str,
})

CollectionMembershipRelationshipDeletedDetailDataOld = TypedDict("CollectionMembershipRelationshipDeletedDetailDataOld", {
    # The attribute `_accountUrn`.
    "_accountUrn": NotRequired[Any],
})

CollectionMembershipRelationshipDeletedDetailDataOmittedKey = TypedDict("CollectionMembershipRelationshipDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

CollectionMembershipRelationshipDeletedDetailDataOmitted = TypedDict("CollectionMembershipRelationshipDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": CollectionMembershipRelationshipDeletedDetailDataOmittedKey,
})

CollectionMembershipRelationshipDeletedDetailData = TypedDict("CollectionMembershipRelationshipDeletedDetailData", {
    # The names in the item's key.
    "keys": CollectionMembershipRelationshipDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": CollectionMembershipRelationshipDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["_accountUrn"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[CollectionMembershipRelationshipDeletedDetailDataOmitted],
})

CollectionMembershipRelationshipDeletedDetail = TypedDict("CollectionMembershipRelationshipDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": CollectionMembershipRelationshipDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": CollectionMembershipRelationshipDeletedDetailData,
})

CollectionMembershipRelationshipDeleted = TypedDict("CollectionMembershipRelationshipDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["CollectionMembershipRelationship Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.relational-store"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": CollectionMembershipRelationshipDeletedDetail,
})
"""An item of type CollectionMembershipRelationship was deleted."""

CollectionMembershipRelationshipUpdatedDetailMetadata = TypedDict("CollectionMembershipRelationshipUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["relational-store"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["CollectionMembershipRelationship"],
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

CollectionMembershipRelationshipUpdatedDetailDataKeys = TypedDict("CollectionMembershipRelationshipUpdatedDetailDataKeys", {
    "collection.urn": str,
    "member.urn": str,
})

CollectionMembershipRelationshipUpdatedDetailDataOld = TypedDict("CollectionMembershipRelationshipUpdatedDetailDataOld", {
    # The attribute `_accountUrn`.
    "_accountUrn": NotRequired[Any],
})

CollectionMembershipRelationshipUpdatedDetailDataNew = TypedDict("CollectionMembershipRelationshipUpdatedDetailDataNew", {
    # The attribute `_accountUrn`.
    "_accountUrn": NotRequired[Any],
})

CollectionMembershipRelationshipUpdatedDetailDataOmittedKey = TypedDict("CollectionMembershipRelationshipUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

CollectionMembershipRelationshipUpdatedDetailDataOmitted = TypedDict("CollectionMembershipRelationshipUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": CollectionMembershipRelationshipUpdatedDetailDataOmittedKey,
})

CollectionMembershipRelationshipUpdatedDetailData = TypedDict("CollectionMembershipRelationshipUpdatedDetailData", {
    # The names in the item's key.
    "keys": CollectionMembershipRelationshipUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": CollectionMembershipRelationshipUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": CollectionMembershipRelationshipUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["_accountUrn"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[CollectionMembershipRelationshipUpdatedDetailDataOmitted],
})

CollectionMembershipRelationshipUpdatedDetail = TypedDict("CollectionMembershipRelationshipUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": CollectionMembershipRelationshipUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": CollectionMembershipRelationshipUpdatedDetailData,
})

CollectionMembershipRelationshipUpdated = TypedDict("CollectionMembershipRelationshipUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["CollectionMembershipRelationship Updated"],
    # The source of all events of the model.
    "source": Literal["instep.relational-store"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": CollectionMembershipRelationshipUpdatedDetail,
})
"""An item of type CollectionMembershipRelationship was changed."""

ParentChildRelationshipCreatedDetailMetadata = TypedDict("ParentChildRelationshipCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["relational-store"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["ParentChildRelationship"],
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

ParentChildRelationshipCreatedDetailDataKeys = TypedDict("ParentChildRelationshipCreatedDetailDataKeys", {
    "parent.urn": str,
    "child.urn": str,
})

ParentChildRelationshipCreatedDetailDataNew = TypedDict("ParentChildRelationshipCreatedDetailDataNew", {
    # The attribute `_accountUrn`.
    "_accountUrn": NotRequired[Any],
})

ParentChildRelationshipCreatedDetailDataOmittedKey = TypedDict("ParentChildRelationshipCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ParentChildRelationshipCreatedDetailDataOmitted = TypedDict("ParentChildRelationshipCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ParentChildRelationshipCreatedDetailDataOmittedKey,
})

ParentChildRelationshipCreatedDetailData = TypedDict("ParentChildRelationshipCreatedDetailData", {
    # The names in the item's key.
    "keys": ParentChildRelationshipCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": ParentChildRelationshipCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["_accountUrn"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ParentChildRelationshipCreatedDetailDataOmitted],
})

ParentChildRelationshipCreatedDetail = TypedDict("ParentChildRelationshipCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ParentChildRelationshipCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ParentChildRelationshipCreatedDetailData,
})

ParentChildRelationshipCreated = TypedDict("ParentChildRelationshipCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["ParentChildRelationship Created"],
    # The source of all events of the model.
    "source": Literal["instep.relational-store"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ParentChildRelationshipCreatedDetail,
})
"""An item of type ParentChildRelationship was created."""

ParentChildRelationshipDeletedDetailMetadata = TypedDict("ParentChildRelationshipDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["relational-store"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["ParentChildRelationship"],
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

ParentChildRelationshipDeletedDetailDataKeys = TypedDict("ParentChildRelationshipDeletedDetailDataKeys", {
    "parent.urn": str,
    "child.urn": str,
})

ParentChildRelationshipDeletedDetailDataOld = TypedDict("ParentChildRelationshipDeletedDetailDataOld", {
    # The attribute `_accountUrn`.
    "_accountUrn": NotRequired[Any],
})

ParentChildRelationshipDeletedDetailDataOmittedKey = TypedDict("ParentChildRelationshipDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ParentChildRelationshipDeletedDetailDataOmitted = TypedDict("ParentChildRelationshipDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ParentChildRelationshipDeletedDetailDataOmittedKey,
})

ParentChildRelationshipDeletedDetailData = TypedDict("ParentChildRelationshipDeletedDetailData", {
    # The names in the item's key.
    "keys": ParentChildRelationshipDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ParentChildRelationshipDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["_accountUrn"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ParentChildRelationshipDeletedDetailDataOmitted],
})

ParentChildRelationshipDeletedDetail = TypedDict("ParentChildRelationshipDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": ParentChildRelationshipDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ParentChildRelationshipDeletedDetailData,
})

ParentChildRelationshipDeleted = TypedDict("ParentChildRelationshipDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["ParentChildRelationship Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.relational-store"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ParentChildRelationshipDeletedDetail,
})
"""An item of type ParentChildRelationship was deleted."""

ParentChildRelationshipUpdatedDetailMetadata = TypedDict("ParentChildRelationshipUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["relational-store"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["ParentChildRelationship"],
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

ParentChildRelationshipUpdatedDetailDataKeys = TypedDict("ParentChildRelationshipUpdatedDetailDataKeys", {
    "parent.urn": str,
    "child.urn": str,
})

ParentChildRelationshipUpdatedDetailDataOld = TypedDict("ParentChildRelationshipUpdatedDetailDataOld", {
    # The attribute `_accountUrn`.
    "_accountUrn": NotRequired[Any],
})

ParentChildRelationshipUpdatedDetailDataNew = TypedDict("ParentChildRelationshipUpdatedDetailDataNew", {
    # The attribute `_accountUrn`.
    "_accountUrn": NotRequired[Any],
})

ParentChildRelationshipUpdatedDetailDataOmittedKey = TypedDict("ParentChildRelationshipUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ParentChildRelationshipUpdatedDetailDataOmitted = TypedDict("ParentChildRelationshipUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ParentChildRelationshipUpdatedDetailDataOmittedKey,
})

ParentChildRelationshipUpdatedDetailData = TypedDict("ParentChildRelationshipUpdatedDetailData", {
    # The names in the item's key.
    "keys": ParentChildRelationshipUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ParentChildRelationshipUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": ParentChildRelationshipUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["_accountUrn"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ParentChildRelationshipUpdatedDetailDataOmitted],
})

ParentChildRelationshipUpdatedDetail = TypedDict("ParentChildRelationshipUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ParentChildRelationshipUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ParentChildRelationshipUpdatedDetailData,
})

ParentChildRelationshipUpdated = TypedDict("ParentChildRelationshipUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["ParentChildRelationship Updated"],
    # The source of all events of the model.
    "source": Literal["instep.relational-store"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ParentChildRelationshipUpdatedDetail,
})
"""An item of type ParentChildRelationship was changed."""

ResourceConflictedDetailMetadata = TypedDict("ResourceConflictedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["relational-store"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": str,
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

ResourceConflictedDetailDataKeys = TypedDict("ResourceConflictedDetailDataKeys", {
    "urn": str,
})

ResourceConflictedDetailDataOld = TypedDict("ResourceConflictedDetailDataOld", {
    # The attribute `_accountUrn`.
    "_accountUrn": NotRequired[Any],
    # The attribute `_createdAt`.
    "_createdAt": NotRequired[Any],
    # The attribute `_id`.
    "_id": NotRequired[Any],
    # The attribute `_resourceType`.
    "_resourceType": NotRequired[Any],
    # The attribute `_schemaVersion`.
    "_schemaVersion": NotRequired[Any],
    # The attribute `_updatedAt`.
    "_updatedAt": NotRequired[Any],
    # The attribute `urn`.
    "urn": NotRequired[Any],
})

ResourceConflictedDetailDataNew = TypedDict("ResourceConflictedDetailDataNew", {
    # The attribute `_accountUrn`.
    "_accountUrn": NotRequired[Any],
    # The attribute `_createdAt`.
    "_createdAt": NotRequired[Any],
    # The attribute `_id`.
    "_id": NotRequired[Any],
    # The attribute `_resourceType`.
    "_resourceType": NotRequired[Any],
    # The attribute `_schemaVersion`.
    "_schemaVersion": NotRequired[Any],
    # The attribute `_updatedAt`.
    "_updatedAt": NotRequired[Any],
    # The attribute `urn`.
    "urn": NotRequired[Any],
})

ResourceConflictedDetailDataOmittedKey = TypedDict("ResourceConflictedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ResourceConflictedDetailDataOmitted = TypedDict("ResourceConflictedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ResourceConflictedDetailDataOmittedKey,
})

ResourceConflictedDetailDataGuard = TypedDict("ResourceConflictedDetailDataGuard", {
    # The guard's item type.
    "guard": Literal["UniqueKeyValue"],
    # The id of the owner that has the value.
    "holder": str,
})

ResourceConflictedDetailData = TypedDict("ResourceConflictedDetailData", {
    # The names in the item's key.
    "keys": ResourceConflictedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ResourceConflictedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": ResourceConflictedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["_accountUrn", "_createdAt", "_id", "_resourceType", "_schemaVersion", "_updatedAt", "urn"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ResourceConflictedDetailDataOmitted],
    # The unique value that another owner has.
    "guard": ResourceConflictedDetailDataGuard,
})

ResourceConflictedDetail = TypedDict("ResourceConflictedDetail", {
    # What happened, to what, and in which order.
    "metadata": ResourceConflictedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ResourceConflictedDetailData,
})

ResourceConflicted = TypedDict("ResourceConflicted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": str,
    # The source of all events of the model.
    "source": Literal["instep.relational-store"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ResourceConflictedDetail,
})
"""An item of type Resource claims a unique value (UniqueKeyValue) that another owner has. The claim is pending."""

ResourceCreatedDetailMetadata = TypedDict("ResourceCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["relational-store"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": str,
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

ResourceCreatedDetailDataKeys = TypedDict("ResourceCreatedDetailDataKeys", {
    "urn": str,
})

ResourceCreatedDetailDataNew = TypedDict("ResourceCreatedDetailDataNew", {
    # The attribute `_accountUrn`.
    "_accountUrn": NotRequired[Any],
    # The attribute `_createdAt`.
    "_createdAt": NotRequired[Any],
    # The attribute `_id`.
    "_id": NotRequired[Any],
    # The attribute `_resourceType`.
    "_resourceType": NotRequired[Any],
    # The attribute `_schemaVersion`.
    "_schemaVersion": NotRequired[Any],
    # The attribute `_updatedAt`.
    "_updatedAt": NotRequired[Any],
    # The attribute `urn`.
    "urn": NotRequired[Any],
})

ResourceCreatedDetailDataOmittedKey = TypedDict("ResourceCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ResourceCreatedDetailDataOmitted = TypedDict("ResourceCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ResourceCreatedDetailDataOmittedKey,
})

ResourceCreatedDetailData = TypedDict("ResourceCreatedDetailData", {
    # The names in the item's key.
    "keys": ResourceCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": ResourceCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["_accountUrn", "_createdAt", "_id", "_resourceType", "_schemaVersion", "_updatedAt", "urn"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ResourceCreatedDetailDataOmitted],
})

ResourceCreatedDetail = TypedDict("ResourceCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ResourceCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ResourceCreatedDetailData,
})

ResourceCreated = TypedDict("ResourceCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": str,
    # The source of all events of the model.
    "source": Literal["instep.relational-store"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ResourceCreatedDetail,
})
"""An item of type Resource was created."""

ResourceDeletedDetailMetadata = TypedDict("ResourceDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["relational-store"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": str,
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

ResourceDeletedDetailDataKeys = TypedDict("ResourceDeletedDetailDataKeys", {
    "urn": str,
})

ResourceDeletedDetailDataOld = TypedDict("ResourceDeletedDetailDataOld", {
    # The attribute `_accountUrn`.
    "_accountUrn": NotRequired[Any],
    # The attribute `_createdAt`.
    "_createdAt": NotRequired[Any],
    # The attribute `_id`.
    "_id": NotRequired[Any],
    # The attribute `_resourceType`.
    "_resourceType": NotRequired[Any],
    # The attribute `_schemaVersion`.
    "_schemaVersion": NotRequired[Any],
    # The attribute `_updatedAt`.
    "_updatedAt": NotRequired[Any],
    # The attribute `urn`.
    "urn": NotRequired[Any],
})

ResourceDeletedDetailDataOmittedKey = TypedDict("ResourceDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ResourceDeletedDetailDataOmitted = TypedDict("ResourceDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ResourceDeletedDetailDataOmittedKey,
})

ResourceDeletedDetailData = TypedDict("ResourceDeletedDetailData", {
    # The names in the item's key.
    "keys": ResourceDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ResourceDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["_accountUrn", "_createdAt", "_id", "_resourceType", "_schemaVersion", "_updatedAt", "urn"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ResourceDeletedDetailDataOmitted],
})

ResourceDeletedDetail = TypedDict("ResourceDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": ResourceDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ResourceDeletedDetailData,
})

ResourceDeleted = TypedDict("ResourceDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": str,
    # The source of all events of the model.
    "source": Literal["instep.relational-store"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ResourceDeletedDetail,
})
"""An item of type Resource was deleted."""

ResourceUpdatedDetailMetadata = TypedDict("ResourceUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["relational-store"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": str,
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

ResourceUpdatedDetailDataKeys = TypedDict("ResourceUpdatedDetailDataKeys", {
    "urn": str,
})

ResourceUpdatedDetailDataOld = TypedDict("ResourceUpdatedDetailDataOld", {
    # The attribute `_accountUrn`.
    "_accountUrn": NotRequired[Any],
    # The attribute `_createdAt`.
    "_createdAt": NotRequired[Any],
    # The attribute `_id`.
    "_id": NotRequired[Any],
    # The attribute `_resourceType`.
    "_resourceType": NotRequired[Any],
    # The attribute `_schemaVersion`.
    "_schemaVersion": NotRequired[Any],
    # The attribute `_updatedAt`.
    "_updatedAt": NotRequired[Any],
    # The attribute `urn`.
    "urn": NotRequired[Any],
})

ResourceUpdatedDetailDataNew = TypedDict("ResourceUpdatedDetailDataNew", {
    # The attribute `_accountUrn`.
    "_accountUrn": NotRequired[Any],
    # The attribute `_createdAt`.
    "_createdAt": NotRequired[Any],
    # The attribute `_id`.
    "_id": NotRequired[Any],
    # The attribute `_resourceType`.
    "_resourceType": NotRequired[Any],
    # The attribute `_schemaVersion`.
    "_schemaVersion": NotRequired[Any],
    # The attribute `_updatedAt`.
    "_updatedAt": NotRequired[Any],
    # The attribute `urn`.
    "urn": NotRequired[Any],
})

ResourceUpdatedDetailDataOmittedKey = TypedDict("ResourceUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ResourceUpdatedDetailDataOmitted = TypedDict("ResourceUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ResourceUpdatedDetailDataOmittedKey,
})

ResourceUpdatedDetailData = TypedDict("ResourceUpdatedDetailData", {
    # The names in the item's key.
    "keys": ResourceUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ResourceUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": ResourceUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["_accountUrn", "_createdAt", "_id", "_resourceType", "_schemaVersion", "_updatedAt", "urn"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ResourceUpdatedDetailDataOmitted],
})

ResourceUpdatedDetail = TypedDict("ResourceUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ResourceUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ResourceUpdatedDetailData,
})

ResourceUpdated = TypedDict("ResourceUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": str,
    # The source of all events of the model.
    "source": Literal["instep.relational-store"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ResourceUpdatedDetail,
})
"""An item of type Resource was changed."""

RelationalStoreEvent = Union[
    CollectionMembershipRelationshipCreated,
    CollectionMembershipRelationshipDeleted,
    CollectionMembershipRelationshipUpdated,
    ParentChildRelationshipCreated,
    ParentChildRelationshipDeleted,
    ParentChildRelationshipUpdated,
    ResourceConflicted,
    ResourceCreated,
    ResourceDeleted,
    ResourceUpdated,
]
"""Every event of the model."""
