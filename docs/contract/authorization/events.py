"""The events of the table model `authorization`. Made by `instep contract`: do not edit.

For Python 3.11 or later.
"""

from typing import Any, List, Literal, NotRequired, TypedDict, Union

PolicyCreatedDetailMetadata = TypedDict("PolicyCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Policy"],
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

PolicyCreatedDetailDataKeys = TypedDict("PolicyCreatedDetailDataKeys", {
    "name": str,
})

PolicyCreatedDetailDataNew = TypedDict("PolicyCreatedDetailDataNew", {
    # The attribute `policyId`.
    "policyId": NotRequired[Any],
})

PolicyCreatedDetailDataOmittedKey = TypedDict("PolicyCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

PolicyCreatedDetailDataOmitted = TypedDict("PolicyCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": PolicyCreatedDetailDataOmittedKey,
})

PolicyCreatedDetailData = TypedDict("PolicyCreatedDetailData", {
    # The names in the item's key.
    "keys": PolicyCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": PolicyCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["policyId"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[PolicyCreatedDetailDataOmitted],
})

PolicyCreatedDetail = TypedDict("PolicyCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": PolicyCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": PolicyCreatedDetailData,
})

PolicyCreated = TypedDict("PolicyCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Policy Created"],
    # The source of all events of the model.
    "source": Literal["instep.authorization"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": PolicyCreatedDetail,
})
"""An item of type Policy was created."""

PolicyDeletedDetailMetadata = TypedDict("PolicyDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Policy"],
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

PolicyDeletedDetailDataKeys = TypedDict("PolicyDeletedDetailDataKeys", {
    "name": str,
})

PolicyDeletedDetailDataOld = TypedDict("PolicyDeletedDetailDataOld", {
    # The attribute `policyId`.
    "policyId": NotRequired[Any],
})

PolicyDeletedDetailDataOmittedKey = TypedDict("PolicyDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

PolicyDeletedDetailDataOmitted = TypedDict("PolicyDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": PolicyDeletedDetailDataOmittedKey,
})

PolicyDeletedDetailData = TypedDict("PolicyDeletedDetailData", {
    # The names in the item's key.
    "keys": PolicyDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": PolicyDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["policyId"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[PolicyDeletedDetailDataOmitted],
})

PolicyDeletedDetail = TypedDict("PolicyDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": PolicyDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": PolicyDeletedDetailData,
})

PolicyDeleted = TypedDict("PolicyDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Policy Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.authorization"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": PolicyDeletedDetail,
})
"""An item of type Policy was deleted."""

PolicyUpdatedDetailMetadata = TypedDict("PolicyUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Policy"],
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

PolicyUpdatedDetailDataKeys = TypedDict("PolicyUpdatedDetailDataKeys", {
    "name": str,
})

PolicyUpdatedDetailDataOld = TypedDict("PolicyUpdatedDetailDataOld", {
    # The attribute `policyId`.
    "policyId": NotRequired[Any],
})

PolicyUpdatedDetailDataNew = TypedDict("PolicyUpdatedDetailDataNew", {
    # The attribute `policyId`.
    "policyId": NotRequired[Any],
})

PolicyUpdatedDetailDataOmittedKey = TypedDict("PolicyUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

PolicyUpdatedDetailDataOmitted = TypedDict("PolicyUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": PolicyUpdatedDetailDataOmittedKey,
})

PolicyUpdatedDetailData = TypedDict("PolicyUpdatedDetailData", {
    # The names in the item's key.
    "keys": PolicyUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": PolicyUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": PolicyUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["policyId"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[PolicyUpdatedDetailDataOmitted],
})

PolicyUpdatedDetail = TypedDict("PolicyUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": PolicyUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": PolicyUpdatedDetailData,
})

PolicyUpdated = TypedDict("PolicyUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Policy Updated"],
    # The source of all events of the model.
    "source": Literal["instep.authorization"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": PolicyUpdatedDetail,
})
"""An item of type Policy was changed."""

RoleCreatedDetailMetadata = TypedDict("RoleCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
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
    "scope": Literal["tenant", "global"],
    "name": str,
})

RoleCreatedDetailDataNew = TypedDict("RoleCreatedDetailDataNew", {
    # The attribute `roleId`.
    "roleId": NotRequired[Any],
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
    "changed": List[Literal["roleId"]],
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
    "source": Literal["instep.authorization"],
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
    "model": Literal["authorization"],
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
    "scope": Literal["tenant", "global"],
    "name": str,
})

RoleDeletedDetailDataOld = TypedDict("RoleDeletedDetailDataOld", {
    # The attribute `roleId`.
    "roleId": NotRequired[Any],
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
    "changed": List[Literal["roleId"]],
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
    "source": Literal["instep.authorization"],
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

RoleUpdatedDetailMetadata = TypedDict("RoleUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
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
    "scope": Literal["tenant", "global"],
    "name": str,
})

RoleUpdatedDetailDataOld = TypedDict("RoleUpdatedDetailDataOld", {
    # The attribute `roleId`.
    "roleId": NotRequired[Any],
})

RoleUpdatedDetailDataNew = TypedDict("RoleUpdatedDetailDataNew", {
    # The attribute `roleId`.
    "roleId": NotRequired[Any],
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
    "changed": List[Literal["roleId"]],
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
    "source": Literal["instep.authorization"],
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

TenantConflictedDetailMetadata = TypedDict("TenantConflictedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Tenant"],
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

TenantConflictedDetailDataKeys = TypedDict("TenantConflictedDetailDataKeys", {
    "tenantId": str,
})

TenantConflictedDetailDataOld = TypedDict("TenantConflictedDetailDataOld", {
    # The attribute `name`.
    "name": NotRequired[Any],
})

TenantConflictedDetailDataNew = TypedDict("TenantConflictedDetailDataNew", {
    # The attribute `name`.
    "name": NotRequired[Any],
})

TenantConflictedDetailDataOmittedKey = TypedDict("TenantConflictedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

TenantConflictedDetailDataOmitted = TypedDict("TenantConflictedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": TenantConflictedDetailDataOmittedKey,
})

TenantConflictedDetailDataGuard = TypedDict("TenantConflictedDetailDataGuard", {
    # The guard's item type.
    "guard": Literal["TenantName"],
    # The id of the owner that has the value.
    "holder": str,
})

TenantConflictedDetailData = TypedDict("TenantConflictedDetailData", {
    # The names in the item's key.
    "keys": TenantConflictedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": TenantConflictedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": TenantConflictedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["name"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[TenantConflictedDetailDataOmitted],
    # The unique value that another owner has.
    "guard": TenantConflictedDetailDataGuard,
})

TenantConflictedDetail = TypedDict("TenantConflictedDetail", {
    # What happened, to what, and in which order.
    "metadata": TenantConflictedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": TenantConflictedDetailData,
})

TenantConflicted = TypedDict("TenantConflicted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Tenant Conflicted"],
    # The source of all events of the model.
    "source": Literal["instep.authorization"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": TenantConflictedDetail,
})
"""An item of type Tenant claims a unique value (TenantName) that another owner has. The claim is pending."""

TenantCreatedDetailMetadata = TypedDict("TenantCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Tenant"],
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

TenantCreatedDetailDataKeys = TypedDict("TenantCreatedDetailDataKeys", {
    "tenantId": str,
})

TenantCreatedDetailDataNew = TypedDict("TenantCreatedDetailDataNew", {
    # The attribute `name`.
    "name": NotRequired[Any],
})

TenantCreatedDetailDataOmittedKey = TypedDict("TenantCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

TenantCreatedDetailDataOmitted = TypedDict("TenantCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": TenantCreatedDetailDataOmittedKey,
})

TenantCreatedDetailData = TypedDict("TenantCreatedDetailData", {
    # The names in the item's key.
    "keys": TenantCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": TenantCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["name"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[TenantCreatedDetailDataOmitted],
})

TenantCreatedDetail = TypedDict("TenantCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": TenantCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": TenantCreatedDetailData,
})

TenantCreated = TypedDict("TenantCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Tenant Created"],
    # The source of all events of the model.
    "source": Literal["instep.authorization"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": TenantCreatedDetail,
})
"""An item of type Tenant was created."""

TenantDeletedDetailMetadata = TypedDict("TenantDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Tenant"],
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

TenantDeletedDetailDataKeys = TypedDict("TenantDeletedDetailDataKeys", {
    "tenantId": str,
})

TenantDeletedDetailDataOld = TypedDict("TenantDeletedDetailDataOld", {
    # The attribute `name`.
    "name": NotRequired[Any],
})

TenantDeletedDetailDataOmittedKey = TypedDict("TenantDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

TenantDeletedDetailDataOmitted = TypedDict("TenantDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": TenantDeletedDetailDataOmittedKey,
})

TenantDeletedDetailData = TypedDict("TenantDeletedDetailData", {
    # The names in the item's key.
    "keys": TenantDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": TenantDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["name"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[TenantDeletedDetailDataOmitted],
})

TenantDeletedDetail = TypedDict("TenantDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": TenantDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": TenantDeletedDetailData,
})

TenantDeleted = TypedDict("TenantDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Tenant Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.authorization"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": TenantDeletedDetail,
})
"""An item of type Tenant was deleted."""

TenantGrantUpdatedDetailMetadata = TypedDict("TenantGrantUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["TenantGrant"],
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

TenantGrantUpdatedDetailDataKeys = TypedDict("TenantGrantUpdatedDetailDataKeys", {
    "tenantId": str,
    "userId": str,
})

TenantGrantUpdatedDetailDataOld = TypedDict("TenantGrantUpdatedDetailDataOld", {
    # The attribute `roles`.
    "roles": NotRequired[Any],
    # The attribute `tenantGrantId`.
    "tenantGrantId": NotRequired[Any],
})

TenantGrantUpdatedDetailDataNew = TypedDict("TenantGrantUpdatedDetailDataNew", {
    # The attribute `roles`.
    "roles": NotRequired[Any],
    # The attribute `tenantGrantId`.
    "tenantGrantId": NotRequired[Any],
})

TenantGrantUpdatedDetailDataOmittedKey = TypedDict("TenantGrantUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

TenantGrantUpdatedDetailDataOmitted = TypedDict("TenantGrantUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": TenantGrantUpdatedDetailDataOmittedKey,
})

TenantGrantUpdatedDetailData = TypedDict("TenantGrantUpdatedDetailData", {
    # The names in the item's key.
    "keys": TenantGrantUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": TenantGrantUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": TenantGrantUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["roles", "tenantGrantId"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[TenantGrantUpdatedDetailDataOmitted],
})

TenantGrantUpdatedDetail = TypedDict("TenantGrantUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": TenantGrantUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": TenantGrantUpdatedDetailData,
})

TenantGrantUpdated = TypedDict("TenantGrantUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["TenantGrant Updated"],
    # The source of all events of the model.
    "source": Literal["instep.authorization"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": TenantGrantUpdatedDetail,
})
"""An item of type TenantGrant was changed in anything but its roles, or was written without granting or revoking a role."""

TenantUpdatedDetailMetadata = TypedDict("TenantUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Tenant"],
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

TenantUpdatedDetailDataKeys = TypedDict("TenantUpdatedDetailDataKeys", {
    "tenantId": str,
})

TenantUpdatedDetailDataOld = TypedDict("TenantUpdatedDetailDataOld", {
    # The attribute `name`.
    "name": NotRequired[Any],
})

TenantUpdatedDetailDataNew = TypedDict("TenantUpdatedDetailDataNew", {
    # The attribute `name`.
    "name": NotRequired[Any],
})

TenantUpdatedDetailDataOmittedKey = TypedDict("TenantUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

TenantUpdatedDetailDataOmitted = TypedDict("TenantUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": TenantUpdatedDetailDataOmittedKey,
})

TenantUpdatedDetailData = TypedDict("TenantUpdatedDetailData", {
    # The names in the item's key.
    "keys": TenantUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": TenantUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": TenantUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["name"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[TenantUpdatedDetailDataOmitted],
})

TenantUpdatedDetail = TypedDict("TenantUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": TenantUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": TenantUpdatedDetailData,
})

TenantUpdated = TypedDict("TenantUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Tenant Updated"],
    # The source of all events of the model.
    "source": Literal["instep.authorization"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": TenantUpdatedDetail,
})
"""An item of type Tenant was changed."""

UserConflictedDetailMetadata = TypedDict("UserConflictedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
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
    "userId": str,
})

UserConflictedDetailDataOld = TypedDict("UserConflictedDetailDataOld", {
    # The attribute `email`.
    "email": NotRequired[Any],
    # The attribute `familyName`.
    "familyName": NotRequired[Any],
    # The attribute `givenName`.
    "givenName": NotRequired[Any],
    # The attribute `phone`.
    "phone": NotRequired[Any],
    # The attribute `preferredUsername`.
    "preferredUsername": NotRequired[Any],
    # The attribute `roles`.
    "roles": NotRequired[Any],
})

UserConflictedDetailDataNew = TypedDict("UserConflictedDetailDataNew", {
    # The attribute `email`.
    "email": NotRequired[Any],
    # The attribute `familyName`.
    "familyName": NotRequired[Any],
    # The attribute `givenName`.
    "givenName": NotRequired[Any],
    # The attribute `phone`.
    "phone": NotRequired[Any],
    # The attribute `preferredUsername`.
    "preferredUsername": NotRequired[Any],
    # The attribute `roles`.
    "roles": NotRequired[Any],
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
    "guard": Literal["UserEmail", "UserPhone", "UserPreferredUsername"],
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
    "changed": List[Literal["email", "familyName", "givenName", "phone", "preferredUsername", "roles"]],
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
    "source": Literal["instep.authorization"],
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
"""An item of type User claims a unique value (UserEmail, UserPhone, UserPreferredUsername) that another owner has. The claim is pending."""

UserCreatedDetailMetadata = TypedDict("UserCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
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
    "userId": str,
})

UserCreatedDetailDataNew = TypedDict("UserCreatedDetailDataNew", {
    # The attribute `email`.
    "email": NotRequired[Any],
    # The attribute `familyName`.
    "familyName": NotRequired[Any],
    # The attribute `givenName`.
    "givenName": NotRequired[Any],
    # The attribute `phone`.
    "phone": NotRequired[Any],
    # The attribute `preferredUsername`.
    "preferredUsername": NotRequired[Any],
    # The attribute `roles`.
    "roles": NotRequired[Any],
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
    "changed": List[Literal["email", "familyName", "givenName", "phone", "preferredUsername", "roles"]],
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
    "source": Literal["instep.authorization"],
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
    "model": Literal["authorization"],
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
    "userId": str,
})

UserDeletedDetailDataOld = TypedDict("UserDeletedDetailDataOld", {
    # The attribute `email`.
    "email": NotRequired[Any],
    # The attribute `familyName`.
    "familyName": NotRequired[Any],
    # The attribute `givenName`.
    "givenName": NotRequired[Any],
    # The attribute `phone`.
    "phone": NotRequired[Any],
    # The attribute `preferredUsername`.
    "preferredUsername": NotRequired[Any],
    # The attribute `roles`.
    "roles": NotRequired[Any],
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
    "changed": List[Literal["email", "familyName", "givenName", "phone", "preferredUsername", "roles"]],
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
    "source": Literal["instep.authorization"],
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

UserGrantedDetailUserMetadata = TypedDict("UserGrantedDetailUserMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
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

UserGrantedDetailUserDataKeys = TypedDict("UserGrantedDetailUserDataKeys", {
    "userId": str,
})

UserGrantedDetailUserDataOld = TypedDict("UserGrantedDetailUserDataOld", {
    # The attribute `email`.
    "email": NotRequired[Any],
    # The attribute `familyName`.
    "familyName": NotRequired[Any],
    # The attribute `givenName`.
    "givenName": NotRequired[Any],
    # The attribute `phone`.
    "phone": NotRequired[Any],
    # The attribute `preferredUsername`.
    "preferredUsername": NotRequired[Any],
    # The attribute `roles`.
    "roles": NotRequired[Any],
})

UserGrantedDetailUserDataNew = TypedDict("UserGrantedDetailUserDataNew", {
    # The attribute `email`.
    "email": NotRequired[Any],
    # The attribute `familyName`.
    "familyName": NotRequired[Any],
    # The attribute `givenName`.
    "givenName": NotRequired[Any],
    # The attribute `phone`.
    "phone": NotRequired[Any],
    # The attribute `preferredUsername`.
    "preferredUsername": NotRequired[Any],
    # The attribute `roles`.
    "roles": NotRequired[Any],
})

UserGrantedDetailUserDataOmittedKey = TypedDict("UserGrantedDetailUserDataOmittedKey", {
    "PK": str,
    "SK": str,
})

UserGrantedDetailUserDataOmitted = TypedDict("UserGrantedDetailUserDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": UserGrantedDetailUserDataOmittedKey,
})

UserGrantedDetailUserData = TypedDict("UserGrantedDetailUserData", {
    # The names in the item's key.
    "keys": UserGrantedDetailUserDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": UserGrantedDetailUserDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": UserGrantedDetailUserDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["email", "familyName", "givenName", "phone", "preferredUsername", "roles"]],
    # The role. Absent if the grant has none.
    "role": str,
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[UserGrantedDetailUserDataOmitted],
})

UserGrantedDetailUser = TypedDict("UserGrantedDetailUser", {
    # What happened, to what, and in which order.
    "metadata": UserGrantedDetailUserMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": UserGrantedDetailUserData,
})

UserGrantedDetailTenantGrantMetadata = TypedDict("UserGrantedDetailTenantGrantMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
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

UserGrantedDetailTenantGrantDataKeys = TypedDict("UserGrantedDetailTenantGrantDataKeys", {
    "tenantId": str,
    "userId": str,
})

UserGrantedDetailTenantGrantDataOld = TypedDict("UserGrantedDetailTenantGrantDataOld", {
    # The attribute `roles`.
    "roles": NotRequired[Any],
    # The attribute `tenantGrantId`.
    "tenantGrantId": NotRequired[Any],
})

UserGrantedDetailTenantGrantDataNew = TypedDict("UserGrantedDetailTenantGrantDataNew", {
    # The attribute `roles`.
    "roles": NotRequired[Any],
    # The attribute `tenantGrantId`.
    "tenantGrantId": NotRequired[Any],
})

UserGrantedDetailTenantGrantDataOmittedKey = TypedDict("UserGrantedDetailTenantGrantDataOmittedKey", {
    "PK": str,
    "SK": str,
})

UserGrantedDetailTenantGrantDataOmitted = TypedDict("UserGrantedDetailTenantGrantDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": UserGrantedDetailTenantGrantDataOmittedKey,
})

UserGrantedDetailTenantGrantData = TypedDict("UserGrantedDetailTenantGrantData", {
    # The names in the item's key.
    "keys": UserGrantedDetailTenantGrantDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": UserGrantedDetailTenantGrantDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": UserGrantedDetailTenantGrantDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["roles", "tenantGrantId"]],
    # The role. Absent if the grant has none.
    "role": str,
    # The scope of the role. Absent if the grant applies everywhere.
    "scope": str,
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[UserGrantedDetailTenantGrantDataOmitted],
})

UserGrantedDetailTenantGrant = TypedDict("UserGrantedDetailTenantGrant", {
    # What happened, to what, and in which order.
    "metadata": UserGrantedDetailTenantGrantMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": UserGrantedDetailTenantGrantData,
})

UserGranted = TypedDict("UserGranted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["User Granted"],
    # The source of all events of the model.
    "source": Literal["instep.authorization"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    "detail": Union[UserGrantedDetailUser, UserGrantedDetailTenantGrant],
})
"""An item of type User gave its User a role. There is one event for each role. Or: An item of type TenantGrant gave its User a role. There is one event for each role."""

UserRevokedDetailUserMetadata = TypedDict("UserRevokedDetailUserMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
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

UserRevokedDetailUserDataKeys = TypedDict("UserRevokedDetailUserDataKeys", {
    "userId": str,
})

UserRevokedDetailUserDataOld = TypedDict("UserRevokedDetailUserDataOld", {
    # The attribute `email`.
    "email": NotRequired[Any],
    # The attribute `familyName`.
    "familyName": NotRequired[Any],
    # The attribute `givenName`.
    "givenName": NotRequired[Any],
    # The attribute `phone`.
    "phone": NotRequired[Any],
    # The attribute `preferredUsername`.
    "preferredUsername": NotRequired[Any],
    # The attribute `roles`.
    "roles": NotRequired[Any],
})

UserRevokedDetailUserDataNew = TypedDict("UserRevokedDetailUserDataNew", {
    # The attribute `email`.
    "email": NotRequired[Any],
    # The attribute `familyName`.
    "familyName": NotRequired[Any],
    # The attribute `givenName`.
    "givenName": NotRequired[Any],
    # The attribute `phone`.
    "phone": NotRequired[Any],
    # The attribute `preferredUsername`.
    "preferredUsername": NotRequired[Any],
    # The attribute `roles`.
    "roles": NotRequired[Any],
})

UserRevokedDetailUserDataOmittedKey = TypedDict("UserRevokedDetailUserDataOmittedKey", {
    "PK": str,
    "SK": str,
})

UserRevokedDetailUserDataOmitted = TypedDict("UserRevokedDetailUserDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": UserRevokedDetailUserDataOmittedKey,
})

UserRevokedDetailUserData = TypedDict("UserRevokedDetailUserData", {
    # The names in the item's key.
    "keys": UserRevokedDetailUserDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": UserRevokedDetailUserDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": UserRevokedDetailUserDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["email", "familyName", "givenName", "phone", "preferredUsername", "roles"]],
    # The role. Absent if the grant has none.
    "role": str,
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[UserRevokedDetailUserDataOmitted],
})

UserRevokedDetailUser = TypedDict("UserRevokedDetailUser", {
    # What happened, to what, and in which order.
    "metadata": UserRevokedDetailUserMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": UserRevokedDetailUserData,
})

UserRevokedDetailTenantGrantMetadata = TypedDict("UserRevokedDetailTenantGrantMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
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

UserRevokedDetailTenantGrantDataKeys = TypedDict("UserRevokedDetailTenantGrantDataKeys", {
    "tenantId": str,
    "userId": str,
})

UserRevokedDetailTenantGrantDataOld = TypedDict("UserRevokedDetailTenantGrantDataOld", {
    # The attribute `roles`.
    "roles": NotRequired[Any],
    # The attribute `tenantGrantId`.
    "tenantGrantId": NotRequired[Any],
})

UserRevokedDetailTenantGrantDataNew = TypedDict("UserRevokedDetailTenantGrantDataNew", {
    # The attribute `roles`.
    "roles": NotRequired[Any],
    # The attribute `tenantGrantId`.
    "tenantGrantId": NotRequired[Any],
})

UserRevokedDetailTenantGrantDataOmittedKey = TypedDict("UserRevokedDetailTenantGrantDataOmittedKey", {
    "PK": str,
    "SK": str,
})

UserRevokedDetailTenantGrantDataOmitted = TypedDict("UserRevokedDetailTenantGrantDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": UserRevokedDetailTenantGrantDataOmittedKey,
})

UserRevokedDetailTenantGrantData = TypedDict("UserRevokedDetailTenantGrantData", {
    # The names in the item's key.
    "keys": UserRevokedDetailTenantGrantDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": UserRevokedDetailTenantGrantDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": UserRevokedDetailTenantGrantDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["roles", "tenantGrantId"]],
    # The role. Absent if the grant has none.
    "role": str,
    # The scope of the role. Absent if the grant applies everywhere.
    "scope": str,
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[UserRevokedDetailTenantGrantDataOmitted],
})

UserRevokedDetailTenantGrant = TypedDict("UserRevokedDetailTenantGrant", {
    # What happened, to what, and in which order.
    "metadata": UserRevokedDetailTenantGrantMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": UserRevokedDetailTenantGrantData,
})

UserRevoked = TypedDict("UserRevoked", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["User Revoked"],
    # The source of all events of the model.
    "source": Literal["instep.authorization"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    "detail": Union[UserRevokedDetailUser, UserRevokedDetailTenantGrant],
})
"""An item of type User no longer gives its User a role. There is one event for each role. Or: An item of type TenantGrant no longer gives its User a role. There is one event for each role."""

UserUpdatedDetailMetadata = TypedDict("UserUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["authorization"],
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
    "userId": str,
})

UserUpdatedDetailDataOld = TypedDict("UserUpdatedDetailDataOld", {
    # The attribute `email`.
    "email": NotRequired[Any],
    # The attribute `familyName`.
    "familyName": NotRequired[Any],
    # The attribute `givenName`.
    "givenName": NotRequired[Any],
    # The attribute `phone`.
    "phone": NotRequired[Any],
    # The attribute `preferredUsername`.
    "preferredUsername": NotRequired[Any],
    # The attribute `roles`.
    "roles": NotRequired[Any],
})

UserUpdatedDetailDataNew = TypedDict("UserUpdatedDetailDataNew", {
    # The attribute `email`.
    "email": NotRequired[Any],
    # The attribute `familyName`.
    "familyName": NotRequired[Any],
    # The attribute `givenName`.
    "givenName": NotRequired[Any],
    # The attribute `phone`.
    "phone": NotRequired[Any],
    # The attribute `preferredUsername`.
    "preferredUsername": NotRequired[Any],
    # The attribute `roles`.
    "roles": NotRequired[Any],
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
    "changed": List[Literal["email", "familyName", "givenName", "phone", "preferredUsername", "roles"]],
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
    "source": Literal["instep.authorization"],
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

AuthorizationEvent = Union[
    PolicyCreated,
    PolicyDeleted,
    PolicyUpdated,
    RoleCreated,
    RoleDeleted,
    RoleUpdated,
    TenantConflicted,
    TenantCreated,
    TenantDeleted,
    TenantGrantUpdated,
    TenantUpdated,
    UserConflicted,
    UserCreated,
    UserDeleted,
    UserGranted,
    UserRevoked,
    UserUpdated,
]
"""Every event of the model."""
