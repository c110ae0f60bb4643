"""The events of the table model `platform`. Made by `instep contract`: do not edit.

For Python 3.11 or later.
"""

from typing import Any, List, Literal, NotRequired, TypedDict, Union

AccountCreatedDetailMetadata = TypedDict("AccountCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Account"],
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

AccountCreatedDetailDataKeys = TypedDict("AccountCreatedDetailDataKeys", {
    "account_id": str,
})

AccountCreatedDetailDataNew = TypedDict("AccountCreatedDetailDataNew", {
})

AccountCreatedDetailDataOmittedKey = TypedDict("AccountCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

AccountCreatedDetailDataOmitted = TypedDict("AccountCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": AccountCreatedDetailDataOmittedKey,
})

AccountCreatedDetailData = TypedDict("AccountCreatedDetailData", {
    # The names in the item's key.
    "keys": AccountCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": AccountCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[AccountCreatedDetailDataOmitted],
})

AccountCreatedDetail = TypedDict("AccountCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": AccountCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": AccountCreatedDetailData,
})

AccountCreated = TypedDict("AccountCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Account Created"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": AccountCreatedDetail,
})
"""An item of type Account was created."""

AccountDeletedDetailMetadata = TypedDict("AccountDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Account"],
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

AccountDeletedDetailDataKeys = TypedDict("AccountDeletedDetailDataKeys", {
    "account_id": str,
})

AccountDeletedDetailDataOld = TypedDict("AccountDeletedDetailDataOld", {
})

AccountDeletedDetailDataOmittedKey = TypedDict("AccountDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

AccountDeletedDetailDataOmitted = TypedDict("AccountDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": AccountDeletedDetailDataOmittedKey,
})

AccountDeletedDetailData = TypedDict("AccountDeletedDetailData", {
    # The names in the item's key.
    "keys": AccountDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": AccountDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[AccountDeletedDetailDataOmitted],
})

AccountDeletedDetail = TypedDict("AccountDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": AccountDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": AccountDeletedDetailData,
})

AccountDeleted = TypedDict("AccountDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Account Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": AccountDeletedDetail,
})
"""An item of type Account was deleted."""

AccountUpdatedDetailMetadata = TypedDict("AccountUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Account"],
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

AccountUpdatedDetailDataKeys = TypedDict("AccountUpdatedDetailDataKeys", {
    "account_id": str,
})

AccountUpdatedDetailDataOld = TypedDict("AccountUpdatedDetailDataOld", {
})

AccountUpdatedDetailDataNew = TypedDict("AccountUpdatedDetailDataNew", {
})

AccountUpdatedDetailDataOmittedKey = TypedDict("AccountUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

AccountUpdatedDetailDataOmitted = TypedDict("AccountUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": AccountUpdatedDetailDataOmittedKey,
})

AccountUpdatedDetailData = TypedDict("AccountUpdatedDetailData", {
    # The names in the item's key.
    "keys": AccountUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": AccountUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": AccountUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[AccountUpdatedDetailDataOmitted],
})

AccountUpdatedDetail = TypedDict("AccountUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": AccountUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": AccountUpdatedDetailData,
})

AccountUpdated = TypedDict("AccountUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Account Updated"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": AccountUpdatedDetail,
})
"""An item of type Account was changed."""

AddressCreatedDetailMetadata = TypedDict("AddressCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Address"],
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

AddressCreatedDetailDataKeys = TypedDict("AddressCreatedDetailDataKeys", {
    "account_id": str,
    "address_id": str,
})

AddressCreatedDetailDataNew = TypedDict("AddressCreatedDetailDataNew", {
})

AddressCreatedDetailDataOmittedKey = TypedDict("AddressCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

AddressCreatedDetailDataOmitted = TypedDict("AddressCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": AddressCreatedDetailDataOmittedKey,
})

AddressCreatedDetailData = TypedDict("AddressCreatedDetailData", {
    # The names in the item's key.
    "keys": AddressCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": AddressCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[AddressCreatedDetailDataOmitted],
})

AddressCreatedDetail = TypedDict("AddressCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": AddressCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": AddressCreatedDetailData,
})

AddressCreated = TypedDict("AddressCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Address Created"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": AddressCreatedDetail,
})
"""An item of type Address was created."""

AddressDeletedDetailMetadata = TypedDict("AddressDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Address"],
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

AddressDeletedDetailDataKeys = TypedDict("AddressDeletedDetailDataKeys", {
    "account_id": str,
    "address_id": str,
})

AddressDeletedDetailDataOld = TypedDict("AddressDeletedDetailDataOld", {
})

AddressDeletedDetailDataOmittedKey = TypedDict("AddressDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

AddressDeletedDetailDataOmitted = TypedDict("AddressDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": AddressDeletedDetailDataOmittedKey,
})

AddressDeletedDetailData = TypedDict("AddressDeletedDetailData", {
    # The names in the item's key.
    "keys": AddressDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": AddressDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[AddressDeletedDetailDataOmitted],
})

AddressDeletedDetail = TypedDict("AddressDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": AddressDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": AddressDeletedDetailData,
})

AddressDeleted = TypedDict("AddressDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Address Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": AddressDeletedDetail,
})
"""An item of type Address was deleted."""

AddressUpdatedDetailMetadata = TypedDict("AddressUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Address"],
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

AddressUpdatedDetailDataKeys = TypedDict("AddressUpdatedDetailDataKeys", {
    "account_id": str,
    "address_id": str,
})

AddressUpdatedDetailDataOld = TypedDict("AddressUpdatedDetailDataOld", {
})

AddressUpdatedDetailDataNew = TypedDict("AddressUpdatedDetailDataNew", {
})

AddressUpdatedDetailDataOmittedKey = TypedDict("AddressUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

AddressUpdatedDetailDataOmitted = TypedDict("AddressUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": AddressUpdatedDetailDataOmittedKey,
})

AddressUpdatedDetailData = TypedDict("AddressUpdatedDetailData", {
    # The names in the item's key.
    "keys": AddressUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": AddressUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": AddressUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[AddressUpdatedDetailDataOmitted],
})

AddressUpdatedDetail = TypedDict("AddressUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": AddressUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": AddressUpdatedDetailData,
})

AddressUpdated = TypedDict("AddressUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Address Updated"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": AddressUpdatedDetail,
})
"""An item of type Address was changed."""

EnterpriseCreatedDetailMetadata = TypedDict("EnterpriseCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Enterprise"],
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

EnterpriseCreatedDetailDataKeys = TypedDict("EnterpriseCreatedDetailDataKeys", {
    "enterprise_id": str,
})

EnterpriseCreatedDetailDataNew = TypedDict("EnterpriseCreatedDetailDataNew", {
})

EnterpriseCreatedDetailDataOmittedKey = TypedDict("EnterpriseCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

EnterpriseCreatedDetailDataOmitted = TypedDict("EnterpriseCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": EnterpriseCreatedDetailDataOmittedKey,
})

EnterpriseCreatedDetailData = TypedDict("EnterpriseCreatedDetailData", {
    # The names in the item's key.
    "keys": EnterpriseCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": EnterpriseCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[EnterpriseCreatedDetailDataOmitted],
})

EnterpriseCreatedDetail = TypedDict("EnterpriseCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": EnterpriseCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": EnterpriseCreatedDetailData,
})

EnterpriseCreated = TypedDict("EnterpriseCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Enterprise Created"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": EnterpriseCreatedDetail,
})
"""An item of type Enterprise was created."""

EnterpriseDeletedDetailMetadata = TypedDict("EnterpriseDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Enterprise"],
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

EnterpriseDeletedDetailDataKeys = TypedDict("EnterpriseDeletedDetailDataKeys", {
    "enterprise_id": str,
})

EnterpriseDeletedDetailDataOld = TypedDict("EnterpriseDeletedDetailDataOld", {
})

EnterpriseDeletedDetailDataOmittedKey = TypedDict("EnterpriseDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

EnterpriseDeletedDetailDataOmitted = TypedDict("EnterpriseDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": EnterpriseDeletedDetailDataOmittedKey,
})

EnterpriseDeletedDetailData = TypedDict("EnterpriseDeletedDetailData", {
    # The names in the item's key.
    "keys": EnterpriseDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": EnterpriseDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[EnterpriseDeletedDetailDataOmitted],
})

EnterpriseDeletedDetail = TypedDict("EnterpriseDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": EnterpriseDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": EnterpriseDeletedDetailData,
})

EnterpriseDeleted = TypedDict("EnterpriseDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Enterprise Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": EnterpriseDeletedDetail,
})
"""An item of type Enterprise was deleted."""

EnterpriseProductCreatedDetailMetadata = TypedDict("EnterpriseProductCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["EnterpriseProduct"],
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

EnterpriseProductCreatedDetailDataKeys = TypedDict("EnterpriseProductCreatedDetailDataKeys", {
    "enterprise_id": str,
    "product_id": str,
})

EnterpriseProductCreatedDetailDataNew = TypedDict("EnterpriseProductCreatedDetailDataNew", {
})

EnterpriseProductCreatedDetailDataOmittedKey = TypedDict("EnterpriseProductCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

EnterpriseProductCreatedDetailDataOmitted = TypedDict("EnterpriseProductCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": EnterpriseProductCreatedDetailDataOmittedKey,
})

EnterpriseProductCreatedDetailData = TypedDict("EnterpriseProductCreatedDetailData", {
    # The names in the item's key.
    "keys": EnterpriseProductCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": EnterpriseProductCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[EnterpriseProductCreatedDetailDataOmitted],
})

EnterpriseProductCreatedDetail = TypedDict("EnterpriseProductCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": EnterpriseProductCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": EnterpriseProductCreatedDetailData,
})

EnterpriseProductCreated = TypedDict("EnterpriseProductCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["EnterpriseProduct Created"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": EnterpriseProductCreatedDetail,
})
"""An item of type EnterpriseProduct was created."""

EnterpriseProductDeletedDetailMetadata = TypedDict("EnterpriseProductDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["EnterpriseProduct"],
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

EnterpriseProductDeletedDetailDataKeys = TypedDict("EnterpriseProductDeletedDetailDataKeys", {
    "enterprise_id": str,
    "product_id": str,
})

EnterpriseProductDeletedDetailDataOld = TypedDict("EnterpriseProductDeletedDetailDataOld", {
})

EnterpriseProductDeletedDetailDataOmittedKey = TypedDict("EnterpriseProductDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

EnterpriseProductDeletedDetailDataOmitted = TypedDict("EnterpriseProductDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": EnterpriseProductDeletedDetailDataOmittedKey,
})

EnterpriseProductDeletedDetailData = TypedDict("EnterpriseProductDeletedDetailData", {
    # The names in the item's key.
    "keys": EnterpriseProductDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": EnterpriseProductDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[EnterpriseProductDeletedDetailDataOmitted],
})

EnterpriseProductDeletedDetail = TypedDict("EnterpriseProductDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": EnterpriseProductDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": EnterpriseProductDeletedDetailData,
})

EnterpriseProductDeleted = TypedDict("EnterpriseProductDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["EnterpriseProduct Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": EnterpriseProductDeletedDetail,
})
"""An item of type EnterpriseProduct was deleted."""

EnterpriseProductUpdatedDetailMetadata = TypedDict("EnterpriseProductUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["EnterpriseProduct"],
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

EnterpriseProductUpdatedDetailDataKeys = TypedDict("EnterpriseProductUpdatedDetailDataKeys", {
    "enterprise_id": str,
    "product_id": str,
})

EnterpriseProductUpdatedDetailDataOld = TypedDict("EnterpriseProductUpdatedDetailDataOld", {
})

EnterpriseProductUpdatedDetailDataNew = TypedDict("EnterpriseProductUpdatedDetailDataNew", {
})

EnterpriseProductUpdatedDetailDataOmittedKey = TypedDict("EnterpriseProductUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

EnterpriseProductUpdatedDetailDataOmitted = TypedDict("EnterpriseProductUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": EnterpriseProductUpdatedDetailDataOmittedKey,
})

EnterpriseProductUpdatedDetailData = TypedDict("EnterpriseProductUpdatedDetailData", {
    # The names in the item's key.
    "keys": EnterpriseProductUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": EnterpriseProductUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": EnterpriseProductUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[EnterpriseProductUpdatedDetailDataOmitted],
})

EnterpriseProductUpdatedDetail = TypedDict("EnterpriseProductUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": EnterpriseProductUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": EnterpriseProductUpdatedDetailData,
})

EnterpriseProductUpdated = TypedDict("EnterpriseProductUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["EnterpriseProduct Updated"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": EnterpriseProductUpdatedDetail,
})
"""An item of type EnterpriseProduct was changed."""

EnterpriseServiceCreatedDetailMetadata = TypedDict("EnterpriseServiceCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["EnterpriseService"],
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

EnterpriseServiceCreatedDetailDataKeys = TypedDict("EnterpriseServiceCreatedDetailDataKeys", {
    "enterprise_id": str,
    "service_id": str,
})

EnterpriseServiceCreatedDetailDataNew = TypedDict("EnterpriseServiceCreatedDetailDataNew", {
})

EnterpriseServiceCreatedDetailDataOmittedKey = TypedDict("EnterpriseServiceCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

EnterpriseServiceCreatedDetailDataOmitted = TypedDict("EnterpriseServiceCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": EnterpriseServiceCreatedDetailDataOmittedKey,
})

EnterpriseServiceCreatedDetailData = TypedDict("EnterpriseServiceCreatedDetailData", {
    # The names in the item's key.
    "keys": EnterpriseServiceCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": EnterpriseServiceCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[EnterpriseServiceCreatedDetailDataOmitted],
})

EnterpriseServiceCreatedDetail = TypedDict("EnterpriseServiceCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": EnterpriseServiceCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": EnterpriseServiceCreatedDetailData,
})

EnterpriseServiceCreated = TypedDict("EnterpriseServiceCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["EnterpriseService Created"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": EnterpriseServiceCreatedDetail,
})
"""An item of type EnterpriseService was created."""

EnterpriseServiceDeletedDetailMetadata = TypedDict("EnterpriseServiceDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["EnterpriseService"],
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

EnterpriseServiceDeletedDetailDataKeys = TypedDict("EnterpriseServiceDeletedDetailDataKeys", {
    "enterprise_id": str,
    "service_id": str,
})

EnterpriseServiceDeletedDetailDataOld = TypedDict("EnterpriseServiceDeletedDetailDataOld", {
})

EnterpriseServiceDeletedDetailDataOmittedKey = TypedDict("EnterpriseServiceDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

EnterpriseServiceDeletedDetailDataOmitted = TypedDict("EnterpriseServiceDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": EnterpriseServiceDeletedDetailDataOmittedKey,
})

EnterpriseServiceDeletedDetailData = TypedDict("EnterpriseServiceDeletedDetailData", {
    # The names in the item's key.
    "keys": EnterpriseServiceDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": EnterpriseServiceDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[EnterpriseServiceDeletedDetailDataOmitted],
})

EnterpriseServiceDeletedDetail = TypedDict("EnterpriseServiceDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": EnterpriseServiceDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": EnterpriseServiceDeletedDetailData,
})

EnterpriseServiceDeleted = TypedDict("EnterpriseServiceDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["EnterpriseService Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": EnterpriseServiceDeletedDetail,
})
"""An item of type EnterpriseService was deleted."""

EnterpriseServiceUpdatedDetailMetadata = TypedDict("EnterpriseServiceUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["EnterpriseService"],
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

EnterpriseServiceUpdatedDetailDataKeys = TypedDict("EnterpriseServiceUpdatedDetailDataKeys", {
    "enterprise_id": str,
    "service_id": str,
})

EnterpriseServiceUpdatedDetailDataOld = TypedDict("EnterpriseServiceUpdatedDetailDataOld", {
})

EnterpriseServiceUpdatedDetailDataNew = TypedDict("EnterpriseServiceUpdatedDetailDataNew", {
})

EnterpriseServiceUpdatedDetailDataOmittedKey = TypedDict("EnterpriseServiceUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

EnterpriseServiceUpdatedDetailDataOmitted = TypedDict("EnterpriseServiceUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": EnterpriseServiceUpdatedDetailDataOmittedKey,
})

EnterpriseServiceUpdatedDetailData = TypedDict("EnterpriseServiceUpdatedDetailData", {
    # The names in the item's key.
    "keys": EnterpriseServiceUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": EnterpriseServiceUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": EnterpriseServiceUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[EnterpriseServiceUpdatedDetailDataOmitted],
})

EnterpriseServiceUpdatedDetail = TypedDict("EnterpriseServiceUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": EnterpriseServiceUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": EnterpriseServiceUpdatedDetailData,
})

EnterpriseServiceUpdated = TypedDict("EnterpriseServiceUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["EnterpriseService Updated"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": EnterpriseServiceUpdatedDetail,
})
"""An item of type EnterpriseService was changed."""

EnterpriseUpdatedDetailMetadata = TypedDict("EnterpriseUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Enterprise"],
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

EnterpriseUpdatedDetailDataKeys = TypedDict("EnterpriseUpdatedDetailDataKeys", {
    "enterprise_id": str,
})

EnterpriseUpdatedDetailDataOld = TypedDict("EnterpriseUpdatedDetailDataOld", {
})

EnterpriseUpdatedDetailDataNew = TypedDict("EnterpriseUpdatedDetailDataNew", {
})

EnterpriseUpdatedDetailDataOmittedKey = TypedDict("EnterpriseUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

EnterpriseUpdatedDetailDataOmitted = TypedDict("EnterpriseUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": EnterpriseUpdatedDetailDataOmittedKey,
})

EnterpriseUpdatedDetailData = TypedDict("EnterpriseUpdatedDetailData", {
    # The names in the item's key.
    "keys": EnterpriseUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": EnterpriseUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": EnterpriseUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[EnterpriseUpdatedDetailDataOmitted],
})

EnterpriseUpdatedDetail = TypedDict("EnterpriseUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": EnterpriseUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": EnterpriseUpdatedDetailData,
})

EnterpriseUpdated = TypedDict("EnterpriseUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Enterprise Updated"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": EnterpriseUpdatedDetail,
})
"""An item of type Enterprise was changed."""

GroupCreatedDetailMetadata = TypedDict("GroupCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Group"],
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

GroupCreatedDetailDataKeys = TypedDict("GroupCreatedDetailDataKeys", {
    "group_id": str,
})

GroupCreatedDetailDataNew = TypedDict("GroupCreatedDetailDataNew", {
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `account_id`.
    "account_id": NotRequired[Any],
})

GroupCreatedDetailDataOmittedKey = TypedDict("GroupCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
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
    "changed": List[Literal["accountId", "account_id"]],
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
    "source": Literal["instep.platform"],
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

GroupDeletedDetailMetadata = TypedDict("GroupDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Group"],
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

GroupDeletedDetailDataKeys = TypedDict("GroupDeletedDetailDataKeys", {
    "group_id": str,
})

GroupDeletedDetailDataOld = TypedDict("GroupDeletedDetailDataOld", {
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `account_id`.
    "account_id": NotRequired[Any],
})

GroupDeletedDetailDataOmittedKey = TypedDict("GroupDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
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
    "changed": List[Literal["accountId", "account_id"]],
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
    "source": Literal["instep.platform"],
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

GroupUpdatedDetailMetadata = TypedDict("GroupUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Group"],
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

GroupUpdatedDetailDataKeys = TypedDict("GroupUpdatedDetailDataKeys", {
    "group_id": str,
})

GroupUpdatedDetailDataOld = TypedDict("GroupUpdatedDetailDataOld", {
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `account_id`.
    "account_id": NotRequired[Any],
})

GroupUpdatedDetailDataNew = TypedDict("GroupUpdatedDetailDataNew", {
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `account_id`.
    "account_id": NotRequired[Any],
})

GroupUpdatedDetailDataOmittedKey = TypedDict("GroupUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
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
    "changed": List[Literal["accountId", "account_id"]],
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
    "source": Literal["instep.platform"],
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
"""An item of type Group was changed."""

LicenseCreatedDetailMetadata = TypedDict("LicenseCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["License"],
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

LicenseCreatedDetailDataKeys = TypedDict("LicenseCreatedDetailDataKeys", {
    "account_id": str,
    "license_id": str,
})

LicenseCreatedDetailDataNew = TypedDict("LicenseCreatedDetailDataNew", {
    # The attribute `endDate`.
    "endDate": NotRequired[Any],
    # The attribute `end_date`.
    "end_date": NotRequired[Any],
    # The attribute `status`.
    "status": NotRequired[Any],
})

LicenseCreatedDetailDataOmittedKey = TypedDict("LicenseCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

LicenseCreatedDetailDataOmitted = TypedDict("LicenseCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": LicenseCreatedDetailDataOmittedKey,
})

LicenseCreatedDetailData = TypedDict("LicenseCreatedDetailData", {
    # The names in the item's key.
    "keys": LicenseCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": LicenseCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["endDate", "end_date", "status"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[LicenseCreatedDetailDataOmitted],
})

LicenseCreatedDetail = TypedDict("LicenseCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": LicenseCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": LicenseCreatedDetailData,
})

LicenseCreated = TypedDict("LicenseCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["License Created"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": LicenseCreatedDetail,
})
"""An item of type License was created."""

LicenseDeletedDetailMetadata = TypedDict("LicenseDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["License"],
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

LicenseDeletedDetailDataKeys = TypedDict("LicenseDeletedDetailDataKeys", {
    "account_id": str,
    "license_id": str,
})

LicenseDeletedDetailDataOld = TypedDict("LicenseDeletedDetailDataOld", {
    # The attribute `endDate`.
    "endDate": NotRequired[Any],
    # The attribute `end_date`.
    "end_date": NotRequired[Any],
    # The attribute `status`.
    "status": NotRequired[Any],
})

LicenseDeletedDetailDataOmittedKey = TypedDict("LicenseDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

LicenseDeletedDetailDataOmitted = TypedDict("LicenseDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": LicenseDeletedDetailDataOmittedKey,
})

LicenseDeletedDetailData = TypedDict("LicenseDeletedDetailData", {
    # The names in the item's key.
    "keys": LicenseDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": LicenseDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["endDate", "end_date", "status"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[LicenseDeletedDetailDataOmitted],
})

LicenseDeletedDetail = TypedDict("LicenseDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": LicenseDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": LicenseDeletedDetailData,
})

LicenseDeleted = TypedDict("LicenseDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["License Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": LicenseDeletedDetail,
})
"""An item of type License was deleted."""

LicenseUpdatedDetailMetadata = TypedDict("LicenseUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["License"],
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

LicenseUpdatedDetailDataKeys = TypedDict("LicenseUpdatedDetailDataKeys", {
    "account_id": str,
    "license_id": str,
})

LicenseUpdatedDetailDataOld = TypedDict("LicenseUpdatedDetailDataOld", {
    # The attribute `endDate`.
    "endDate": NotRequired[Any],
    # The attribute `end_date`.
    "end_date": NotRequired[Any],
    # The attribute `status`.
    "status": NotRequired[Any],
})

LicenseUpdatedDetailDataNew = TypedDict("LicenseUpdatedDetailDataNew", {
    # The attribute `endDate`.
    "endDate": NotRequired[Any],
    # The attribute `end_date`.
    "end_date": NotRequired[Any],
    # The attribute `status`.
    "status": NotRequired[Any],
})

LicenseUpdatedDetailDataOmittedKey = TypedDict("LicenseUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

LicenseUpdatedDetailDataOmitted = TypedDict("LicenseUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": LicenseUpdatedDetailDataOmittedKey,
})

LicenseUpdatedDetailData = TypedDict("LicenseUpdatedDetailData", {
    # The names in the item's key.
    "keys": LicenseUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": LicenseUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": LicenseUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["endDate", "end_date", "status"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[LicenseUpdatedDetailDataOmitted],
})

LicenseUpdatedDetail = TypedDict("LicenseUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": LicenseUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": LicenseUpdatedDetailData,
})

LicenseUpdated = TypedDict("LicenseUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["License Updated"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": LicenseUpdatedDetail,
})
"""An item of type License was changed."""

NotificationAuditCreatedDetailMetadata = TypedDict("NotificationAuditCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Notification"],
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

NotificationAuditCreatedDetailDataKeys = TypedDict("NotificationAuditCreatedDetailDataKeys", {
    "audit_id": str,
})

NotificationAuditCreatedDetailDataNew = TypedDict("NotificationAuditCreatedDetailDataNew", {
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `deliveryStatus`.
    "deliveryStatus": NotRequired[Any],
    # The attribute `notificationType`.
    "notificationType": NotRequired[Any],
    # The attribute `sentAt`.
    "sentAt": NotRequired[Any],
    # The attribute `skipReason`.
    "skipReason": NotRequired[Any],
    # The attribute `userId`.
    "userId": NotRequired[Any],
})

NotificationAuditCreatedDetailDataOmittedKey = TypedDict("NotificationAuditCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

NotificationAuditCreatedDetailDataOmitted = TypedDict("NotificationAuditCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": NotificationAuditCreatedDetailDataOmittedKey,
})

NotificationAuditCreatedDetailData = TypedDict("NotificationAuditCreatedDetailData", {
    # The names in the item's key.
    "keys": NotificationAuditCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": NotificationAuditCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["accountId", "deliveryStatus", "notificationType", "sentAt", "skipReason", "userId"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[NotificationAuditCreatedDetailDataOmitted],
})

NotificationAuditCreatedDetail = TypedDict("NotificationAuditCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": NotificationAuditCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": NotificationAuditCreatedDetailData,
})

NotificationAuditCreated = TypedDict("NotificationAuditCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": str,
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": NotificationAuditCreatedDetail,
})
"""An item of type NotificationAudit was created."""

NotificationCreatedDetailMetadata = TypedDict("NotificationCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Notification"],
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

NotificationCreatedDetailDataKeys = TypedDict("NotificationCreatedDetailDataKeys", {
    "audit_id": str,
})

NotificationCreatedDetailDataNew = TypedDict("NotificationCreatedDetailDataNew", {
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `deliveryStatus`.
    "deliveryStatus": NotRequired[Any],
    # The attribute `notificationType`.
    "notificationType": NotRequired[Any],
    # The attribute `sentAt`.
    "sentAt": NotRequired[Any],
    # The attribute `skipReason`.
    "skipReason": NotRequired[Any],
    # The attribute `userId`.
    "userId": NotRequired[Any],
})

NotificationCreatedDetailDataOmittedKey = TypedDict("NotificationCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

NotificationCreatedDetailDataOmitted = TypedDict("NotificationCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": NotificationCreatedDetailDataOmittedKey,
})

NotificationCreatedDetailData = TypedDict("NotificationCreatedDetailData", {
    # The names in the item's key.
    "keys": NotificationCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": NotificationCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["accountId", "deliveryStatus", "notificationType", "sentAt", "skipReason", "userId"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[NotificationCreatedDetailDataOmitted],
})

NotificationCreatedDetail = TypedDict("NotificationCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": NotificationCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": NotificationCreatedDetailData,
})

NotificationCreated = TypedDict("NotificationCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Notification Created"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": NotificationCreatedDetail,
})
"""An item of type NotificationAudit was created."""

NotificationFailedDetailMetadata = TypedDict("NotificationFailedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Notification"],
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

NotificationFailedDetailDataKeys = TypedDict("NotificationFailedDetailDataKeys", {
    "audit_id": str,
})

NotificationFailedDetailDataNew = TypedDict("NotificationFailedDetailDataNew", {
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `deliveryStatus`.
    "deliveryStatus": NotRequired[Any],
    # The attribute `notificationType`.
    "notificationType": NotRequired[Any],
    # The attribute `sentAt`.
    "sentAt": NotRequired[Any],
    # The attribute `skipReason`.
    "skipReason": NotRequired[Any],
    # The attribute `userId`.
    "userId": NotRequired[Any],
})

NotificationFailedDetailDataOmittedKey = TypedDict("NotificationFailedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

NotificationFailedDetailDataOmitted = TypedDict("NotificationFailedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": NotificationFailedDetailDataOmittedKey,
})

NotificationFailedDetailData = TypedDict("NotificationFailedDetailData", {
    # The names in the item's key.
    "keys": NotificationFailedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": NotificationFailedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["accountId", "deliveryStatus", "notificationType", "sentAt", "skipReason", "userId"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[NotificationFailedDetailDataOmitted],
})

NotificationFailedDetail = TypedDict("NotificationFailedDetail", {
    # What happened, to what, and in which order.
    "metadata": NotificationFailedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": NotificationFailedDetailData,
})

NotificationFailed = TypedDict("NotificationFailed", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Notification Failed"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": NotificationFailedDetail,
})
"""An item of type NotificationAudit was created."""

NotificationSentDetailMetadata = TypedDict("NotificationSentDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Notification"],
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

NotificationSentDetailDataKeys = TypedDict("NotificationSentDetailDataKeys", {
    "audit_id": str,
})

NotificationSentDetailDataNew = TypedDict("NotificationSentDetailDataNew", {
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `deliveryStatus`.
    "deliveryStatus": NotRequired[Any],
    # The attribute `notificationType`.
    "notificationType": NotRequired[Any],
    # The attribute `sentAt`.
    "sentAt": NotRequired[Any],
    # The attribute `skipReason`.
    "skipReason": NotRequired[Any],
    # The attribute `userId`.
    "userId": NotRequired[Any],
})

NotificationSentDetailDataOmittedKey = TypedDict("NotificationSentDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

NotificationSentDetailDataOmitted = TypedDict("NotificationSentDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": NotificationSentDetailDataOmittedKey,
})

NotificationSentDetailData = TypedDict("NotificationSentDetailData", {
    # The names in the item's key.
    "keys": NotificationSentDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": NotificationSentDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["accountId", "deliveryStatus", "notificationType", "sentAt", "skipReason", "userId"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[NotificationSentDetailDataOmitted],
})

NotificationSentDetail = TypedDict("NotificationSentDetail", {
    # What happened, to what, and in which order.
    "metadata": NotificationSentDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": NotificationSentDetailData,
})

NotificationSent = TypedDict("NotificationSent", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Notification Sent"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": NotificationSentDetail,
})
"""An item of type NotificationAudit was created."""

NotificationSkippedDetailMetadata = TypedDict("NotificationSkippedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Notification"],
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

NotificationSkippedDetailDataKeys = TypedDict("NotificationSkippedDetailDataKeys", {
    "audit_id": str,
})

NotificationSkippedDetailDataNew = TypedDict("NotificationSkippedDetailDataNew", {
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `deliveryStatus`.
    "deliveryStatus": NotRequired[Any],
    # The attribute `notificationType`.
    "notificationType": NotRequired[Any],
    # The attribute `sentAt`.
    "sentAt": NotRequired[Any],
    # The attribute `skipReason`.
    "skipReason": NotRequired[Any],
    # The attribute `userId`.
    "userId": NotRequired[Any],
})

NotificationSkippedDetailDataOmittedKey = TypedDict("NotificationSkippedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

NotificationSkippedDetailDataOmitted = TypedDict("NotificationSkippedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": NotificationSkippedDetailDataOmittedKey,
})

NotificationSkippedDetailData = TypedDict("NotificationSkippedDetailData", {
    # The names in the item's key.
    "keys": NotificationSkippedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": NotificationSkippedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[Literal["accountId", "deliveryStatus", "notificationType", "sentAt", "skipReason", "userId"]],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[NotificationSkippedDetailDataOmitted],
})

NotificationSkippedDetail = TypedDict("NotificationSkippedDetail", {
    # What happened, to what, and in which order.
    "metadata": NotificationSkippedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": NotificationSkippedDetailData,
})

NotificationSkipped = TypedDict("NotificationSkipped", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Notification Skipped"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": NotificationSkippedDetail,
})
"""An item of type NotificationAudit was created."""

ProductCreatedDetailMetadata = TypedDict("ProductCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Product"],
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

ProductCreatedDetailDataKeys = TypedDict("ProductCreatedDetailDataKeys", {
    "product_id": str,
})

ProductCreatedDetailDataNew = TypedDict("ProductCreatedDetailDataNew", {
})

ProductCreatedDetailDataOmittedKey = TypedDict("ProductCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ProductCreatedDetailDataOmitted = TypedDict("ProductCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ProductCreatedDetailDataOmittedKey,
})

ProductCreatedDetailData = TypedDict("ProductCreatedDetailData", {
    # The names in the item's key.
    "keys": ProductCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": ProductCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ProductCreatedDetailDataOmitted],
})

ProductCreatedDetail = TypedDict("ProductCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ProductCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ProductCreatedDetailData,
})

ProductCreated = TypedDict("ProductCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Product Created"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ProductCreatedDetail,
})
"""An item of type Product was created."""

ProductDeletedDetailMetadata = TypedDict("ProductDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Product"],
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

ProductDeletedDetailDataKeys = TypedDict("ProductDeletedDetailDataKeys", {
    "product_id": str,
})

ProductDeletedDetailDataOld = TypedDict("ProductDeletedDetailDataOld", {
})

ProductDeletedDetailDataOmittedKey = TypedDict("ProductDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ProductDeletedDetailDataOmitted = TypedDict("ProductDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ProductDeletedDetailDataOmittedKey,
})

ProductDeletedDetailData = TypedDict("ProductDeletedDetailData", {
    # The names in the item's key.
    "keys": ProductDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ProductDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ProductDeletedDetailDataOmitted],
})

ProductDeletedDetail = TypedDict("ProductDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": ProductDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ProductDeletedDetailData,
})

ProductDeleted = TypedDict("ProductDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Product Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ProductDeletedDetail,
})
"""An item of type Product was deleted."""

ProductUpdatedDetailMetadata = TypedDict("ProductUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Product"],
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

ProductUpdatedDetailDataKeys = TypedDict("ProductUpdatedDetailDataKeys", {
    "product_id": str,
})

ProductUpdatedDetailDataOld = TypedDict("ProductUpdatedDetailDataOld", {
})

ProductUpdatedDetailDataNew = TypedDict("ProductUpdatedDetailDataNew", {
})

ProductUpdatedDetailDataOmittedKey = TypedDict("ProductUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ProductUpdatedDetailDataOmitted = TypedDict("ProductUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ProductUpdatedDetailDataOmittedKey,
})

ProductUpdatedDetailData = TypedDict("ProductUpdatedDetailData", {
    # The names in the item's key.
    "keys": ProductUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ProductUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": ProductUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ProductUpdatedDetailDataOmitted],
})

ProductUpdatedDetail = TypedDict("ProductUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ProductUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ProductUpdatedDetailData,
})

ProductUpdated = TypedDict("ProductUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Product Updated"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ProductUpdatedDetail,
})
"""An item of type Product was changed."""

RoleCreatedDetailMetadata = TypedDict("RoleCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
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
    "role_id": str,
})

RoleCreatedDetailDataNew = TypedDict("RoleCreatedDetailDataNew", {
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `account_id`.
    "account_id": NotRequired[Any],
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
    "changed": List[Literal["accountId", "account_id"]],
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
    "source": Literal["instep.platform"],
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
    "model": Literal["platform"],
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
    "role_id": str,
})

RoleDeletedDetailDataOld = TypedDict("RoleDeletedDetailDataOld", {
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `account_id`.
    "account_id": NotRequired[Any],
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
    "changed": List[Literal["accountId", "account_id"]],
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
    "source": Literal["instep.platform"],
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

RoleGrantedDetailMetadata = TypedDict("RoleGrantedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Role"],
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

RoleGrantedDetailDataKeys = TypedDict("RoleGrantedDetailDataKeys", {
    "role_id": str,
    "menu_key": str,
})

RoleGrantedDetailDataOld = TypedDict("RoleGrantedDetailDataOld", {
})

RoleGrantedDetailDataNew = TypedDict("RoleGrantedDetailDataNew", {
})

RoleGrantedDetailDataOmittedKey = TypedDict("RoleGrantedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

RoleGrantedDetailDataOmitted = TypedDict("RoleGrantedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": RoleGrantedDetailDataOmittedKey,
})

RoleGrantedDetailData = TypedDict("RoleGrantedDetailData", {
    # The names in the item's key.
    "keys": RoleGrantedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": RoleGrantedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": RoleGrantedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[RoleGrantedDetailDataOmitted],
    # The scope of the role. Absent if the grant applies everywhere.
    "scope": str,
})

RoleGrantedDetail = TypedDict("RoleGrantedDetail", {
    # What happened, to what, and in which order.
    "metadata": RoleGrantedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": RoleGrantedDetailData,
})

RoleGranted = TypedDict("RoleGranted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Role Granted"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": RoleGrantedDetail,
})
"""An item of type RolePermission gave its Role a role. There is one event for each role."""

RolePermissionUpdatedDetailMetadata = TypedDict("RolePermissionUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["RolePermission"],
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

RolePermissionUpdatedDetailDataKeys = TypedDict("RolePermissionUpdatedDetailDataKeys", {
    "role_id": str,
    "menu_key": str,
})

RolePermissionUpdatedDetailDataOld = TypedDict("RolePermissionUpdatedDetailDataOld", {
})

RolePermissionUpdatedDetailDataNew = TypedDict("RolePermissionUpdatedDetailDataNew", {
})

RolePermissionUpdatedDetailDataOmittedKey = TypedDict("RolePermissionUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

RolePermissionUpdatedDetailDataOmitted = TypedDict("RolePermissionUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": RolePermissionUpdatedDetailDataOmittedKey,
})

RolePermissionUpdatedDetailData = TypedDict("RolePermissionUpdatedDetailData", {
    # The names in the item's key.
    "keys": RolePermissionUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": RolePermissionUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": RolePermissionUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[RolePermissionUpdatedDetailDataOmitted],
})

RolePermissionUpdatedDetail = TypedDict("RolePermissionUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": RolePermissionUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": RolePermissionUpdatedDetailData,
})

RolePermissionUpdated = TypedDict("RolePermissionUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["RolePermission Updated"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": RolePermissionUpdatedDetail,
})
"""An item of type RolePermission was changed in anything but its roles, or was written without granting or revoking a role."""

RoleRevokedDetailMetadata = TypedDict("RoleRevokedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Role"],
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

RoleRevokedDetailDataKeys = TypedDict("RoleRevokedDetailDataKeys", {
    "role_id": str,
    "menu_key": str,
})

RoleRevokedDetailDataOld = TypedDict("RoleRevokedDetailDataOld", {
})

RoleRevokedDetailDataNew = TypedDict("RoleRevokedDetailDataNew", {
})

RoleRevokedDetailDataOmittedKey = TypedDict("RoleRevokedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

RoleRevokedDetailDataOmitted = TypedDict("RoleRevokedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": RoleRevokedDetailDataOmittedKey,
})

RoleRevokedDetailData = TypedDict("RoleRevokedDetailData", {
    # The names in the item's key.
    "keys": RoleRevokedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": RoleRevokedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": RoleRevokedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[RoleRevokedDetailDataOmitted],
    # The scope of the role. Absent if the grant applies everywhere.
    "scope": str,
})

RoleRevokedDetail = TypedDict("RoleRevokedDetail", {
    # What happened, to what, and in which order.
    "metadata": RoleRevokedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": RoleRevokedDetailData,
})

RoleRevoked = TypedDict("RoleRevoked", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Role Revoked"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": RoleRevokedDetail,
})
"""An item of type RolePermission no longer gives its Role a role. There is one event for each role."""

RoleUpdatedDetailMetadata = TypedDict("RoleUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
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
    "role_id": str,
})

RoleUpdatedDetailDataOld = TypedDict("RoleUpdatedDetailDataOld", {
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `account_id`.
    "account_id": NotRequired[Any],
})

RoleUpdatedDetailDataNew = TypedDict("RoleUpdatedDetailDataNew", {
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `account_id`.
    "account_id": NotRequired[Any],
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
    "changed": List[Literal["accountId", "account_id"]],
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
    "source": Literal["instep.platform"],
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

ServiceCreatedDetailMetadata = TypedDict("ServiceCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Service"],
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

ServiceCreatedDetailDataKeys = TypedDict("ServiceCreatedDetailDataKeys", {
    "service_id": str,
})

ServiceCreatedDetailDataNew = TypedDict("ServiceCreatedDetailDataNew", {
})

ServiceCreatedDetailDataOmittedKey = TypedDict("ServiceCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ServiceCreatedDetailDataOmitted = TypedDict("ServiceCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ServiceCreatedDetailDataOmittedKey,
})

ServiceCreatedDetailData = TypedDict("ServiceCreatedDetailData", {
    # The names in the item's key.
    "keys": ServiceCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": ServiceCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ServiceCreatedDetailDataOmitted],
})

ServiceCreatedDetail = TypedDict("ServiceCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ServiceCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ServiceCreatedDetailData,
})

ServiceCreated = TypedDict("ServiceCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Service Created"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ServiceCreatedDetail,
})
"""An item of type Service was created."""

ServiceDeletedDetailMetadata = TypedDict("ServiceDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Service"],
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

ServiceDeletedDetailDataKeys = TypedDict("ServiceDeletedDetailDataKeys", {
    "service_id": str,
})

ServiceDeletedDetailDataOld = TypedDict("ServiceDeletedDetailDataOld", {
})

ServiceDeletedDetailDataOmittedKey = TypedDict("ServiceDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ServiceDeletedDetailDataOmitted = TypedDict("ServiceDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ServiceDeletedDetailDataOmittedKey,
})

ServiceDeletedDetailData = TypedDict("ServiceDeletedDetailData", {
    # The names in the item's key.
    "keys": ServiceDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ServiceDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ServiceDeletedDetailDataOmitted],
})

ServiceDeletedDetail = TypedDict("ServiceDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": ServiceDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ServiceDeletedDetailData,
})

ServiceDeleted = TypedDict("ServiceDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Service Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ServiceDeletedDetail,
})
"""An item of type Service was deleted."""

ServiceUpdatedDetailMetadata = TypedDict("ServiceUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Service"],
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

ServiceUpdatedDetailDataKeys = TypedDict("ServiceUpdatedDetailDataKeys", {
    "service_id": str,
})

ServiceUpdatedDetailDataOld = TypedDict("ServiceUpdatedDetailDataOld", {
})

ServiceUpdatedDetailDataNew = TypedDict("ServiceUpdatedDetailDataNew", {
})

ServiceUpdatedDetailDataOmittedKey = TypedDict("ServiceUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ServiceUpdatedDetailDataOmitted = TypedDict("ServiceUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ServiceUpdatedDetailDataOmittedKey,
})

ServiceUpdatedDetailData = TypedDict("ServiceUpdatedDetailData", {
    # The names in the item's key.
    "keys": ServiceUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ServiceUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": ServiceUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ServiceUpdatedDetailDataOmitted],
})

ServiceUpdatedDetail = TypedDict("ServiceUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ServiceUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ServiceUpdatedDetailData,
})

ServiceUpdated = TypedDict("ServiceUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Service Updated"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ServiceUpdatedDetail,
})
"""An item of type Service was changed."""

TechUserCreatedDetailMetadata = TypedDict("TechUserCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["TechUser"],
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

TechUserCreatedDetailDataKeys = TypedDict("TechUserCreatedDetailDataKeys", {
    "account_id": str,
    "user_id": str,
})

TechUserCreatedDetailDataNew = TypedDict("TechUserCreatedDetailDataNew", {
})

TechUserCreatedDetailDataOmittedKey = TypedDict("TechUserCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

TechUserCreatedDetailDataOmitted = TypedDict("TechUserCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": TechUserCreatedDetailDataOmittedKey,
})

TechUserCreatedDetailData = TypedDict("TechUserCreatedDetailData", {
    # The names in the item's key.
    "keys": TechUserCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": TechUserCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[TechUserCreatedDetailDataOmitted],
})

TechUserCreatedDetail = TypedDict("TechUserCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": TechUserCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": TechUserCreatedDetailData,
})

TechUserCreated = TypedDict("TechUserCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["TechUser Created"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": TechUserCreatedDetail,
})
"""An item of type TechUser was created."""

TechUserDeletedDetailMetadata = TypedDict("TechUserDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["TechUser"],
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

TechUserDeletedDetailDataKeys = TypedDict("TechUserDeletedDetailDataKeys", {
    "account_id": str,
    "user_id": str,
})

TechUserDeletedDetailDataOld = TypedDict("TechUserDeletedDetailDataOld", {
})

TechUserDeletedDetailDataOmittedKey = TypedDict("TechUserDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

TechUserDeletedDetailDataOmitted = TypedDict("TechUserDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": TechUserDeletedDetailDataOmittedKey,
})

TechUserDeletedDetailData = TypedDict("TechUserDeletedDetailData", {
    # The names in the item's key.
    "keys": TechUserDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": TechUserDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[TechUserDeletedDetailDataOmitted],
})

TechUserDeletedDetail = TypedDict("TechUserDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": TechUserDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": TechUserDeletedDetailData,
})

TechUserDeleted = TypedDict("TechUserDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["TechUser Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": TechUserDeletedDetail,
})
"""An item of type TechUser was deleted."""

TechUserUpdatedDetailMetadata = TypedDict("TechUserUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["TechUser"],
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

TechUserUpdatedDetailDataKeys = TypedDict("TechUserUpdatedDetailDataKeys", {
    "account_id": str,
    "user_id": str,
})

TechUserUpdatedDetailDataOld = TypedDict("TechUserUpdatedDetailDataOld", {
})

TechUserUpdatedDetailDataNew = TypedDict("TechUserUpdatedDetailDataNew", {
})

TechUserUpdatedDetailDataOmittedKey = TypedDict("TechUserUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

TechUserUpdatedDetailDataOmitted = TypedDict("TechUserUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": TechUserUpdatedDetailDataOmittedKey,
})

TechUserUpdatedDetailData = TypedDict("TechUserUpdatedDetailData", {
    # The names in the item's key.
    "keys": TechUserUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": TechUserUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": TechUserUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[TechUserUpdatedDetailDataOmitted],
})

TechUserUpdatedDetail = TypedDict("TechUserUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": TechUserUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": TechUserUpdatedDetailData,
})

TechUserUpdated = TypedDict("TechUserUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["TechUser Updated"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": TechUserUpdatedDetail,
})
"""An item of type TechUser was changed."""

ToolCreatedDetailMetadata = TypedDict("ToolCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Tool"],
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

ToolCreatedDetailDataKeys = TypedDict("ToolCreatedDetailDataKeys", {
    "workstream_id": str,
    "tool_id": str,
})

ToolCreatedDetailDataNew = TypedDict("ToolCreatedDetailDataNew", {
})

ToolCreatedDetailDataOmittedKey = TypedDict("ToolCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ToolCreatedDetailDataOmitted = TypedDict("ToolCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ToolCreatedDetailDataOmittedKey,
})

ToolCreatedDetailData = TypedDict("ToolCreatedDetailData", {
    # The names in the item's key.
    "keys": ToolCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": ToolCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ToolCreatedDetailDataOmitted],
})

ToolCreatedDetail = TypedDict("ToolCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ToolCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ToolCreatedDetailData,
})

ToolCreated = TypedDict("ToolCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Tool Created"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ToolCreatedDetail,
})
"""An item of type Tool was created."""

ToolDeletedDetailMetadata = TypedDict("ToolDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Tool"],
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

ToolDeletedDetailDataKeys = TypedDict("ToolDeletedDetailDataKeys", {
    "workstream_id": str,
    "tool_id": str,
})

ToolDeletedDetailDataOld = TypedDict("ToolDeletedDetailDataOld", {
})

ToolDeletedDetailDataOmittedKey = TypedDict("ToolDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ToolDeletedDetailDataOmitted = TypedDict("ToolDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ToolDeletedDetailDataOmittedKey,
})

ToolDeletedDetailData = TypedDict("ToolDeletedDetailData", {
    # The names in the item's key.
    "keys": ToolDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ToolDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ToolDeletedDetailDataOmitted],
})

ToolDeletedDetail = TypedDict("ToolDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": ToolDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ToolDeletedDetailData,
})

ToolDeleted = TypedDict("ToolDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Tool Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ToolDeletedDetail,
})
"""An item of type Tool was deleted."""

ToolUpdatedDetailMetadata = TypedDict("ToolUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Tool"],
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

ToolUpdatedDetailDataKeys = TypedDict("ToolUpdatedDetailDataKeys", {
    "workstream_id": str,
    "tool_id": str,
})

ToolUpdatedDetailDataOld = TypedDict("ToolUpdatedDetailDataOld", {
})

ToolUpdatedDetailDataNew = TypedDict("ToolUpdatedDetailDataNew", {
})

ToolUpdatedDetailDataOmittedKey = TypedDict("ToolUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

ToolUpdatedDetailDataOmitted = TypedDict("ToolUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": ToolUpdatedDetailDataOmittedKey,
})

ToolUpdatedDetailData = TypedDict("ToolUpdatedDetailData", {
    # The names in the item's key.
    "keys": ToolUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": ToolUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": ToolUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[ToolUpdatedDetailDataOmitted],
})

ToolUpdatedDetail = TypedDict("ToolUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": ToolUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": ToolUpdatedDetailData,
})

ToolUpdated = TypedDict("ToolUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Tool Updated"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": ToolUpdatedDetail,
})
"""An item of type Tool was changed."""

UserCreatedDetailMetadata = TypedDict("UserCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
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
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `account_id`.
    "account_id": NotRequired[Any],
    # The attribute `assignedGroup`.
    "assignedGroup": NotRequired[Any],
    # The attribute `endDate`.
    "endDate": NotRequired[Any],
    # The attribute `end_date`.
    "end_date": NotRequired[Any],
    # The attribute `status`.
    "status": NotRequired[Any],
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
    "changed": List[Literal["accountId", "account_id", "assignedGroup", "endDate", "end_date", "status"]],
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
    "source": Literal["instep.platform"],
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
    "model": Literal["platform"],
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
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `account_id`.
    "account_id": NotRequired[Any],
    # The attribute `assignedGroup`.
    "assignedGroup": NotRequired[Any],
    # The attribute `endDate`.
    "endDate": NotRequired[Any],
    # The attribute `end_date`.
    "end_date": NotRequired[Any],
    # The attribute `status`.
    "status": NotRequired[Any],
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
    "changed": List[Literal["accountId", "account_id", "assignedGroup", "endDate", "end_date", "status"]],
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
    "source": Literal["instep.platform"],
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
    "model": Literal["platform"],
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

UserGrantedDetailDataKeys = TypedDict("UserGrantedDetailDataKeys", {
    "user_id": str,
    "workstream_id": str,
})

UserGrantedDetailDataOld = TypedDict("UserGrantedDetailDataOld", {
})

UserGrantedDetailDataNew = TypedDict("UserGrantedDetailDataNew", {
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
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[UserGrantedDetailDataOmitted],
    # The scope of the role. Absent if the grant applies everywhere.
    "scope": str,
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
    "source": Literal["instep.platform"],
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
"""An item of type UserWorkstream gave its User a role. There is one event for each role."""

UserRevokedDetailMetadata = TypedDict("UserRevokedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
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

UserRevokedDetailDataKeys = TypedDict("UserRevokedDetailDataKeys", {
    "user_id": str,
    "workstream_id": str,
})

UserRevokedDetailDataOld = TypedDict("UserRevokedDetailDataOld", {
})

UserRevokedDetailDataNew = TypedDict("UserRevokedDetailDataNew", {
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
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[UserRevokedDetailDataOmitted],
    # The scope of the role. Absent if the grant applies everywhere.
    "scope": str,
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
    "source": Literal["instep.platform"],
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
"""An item of type UserWorkstream no longer gives its User a role. There is one event for each role."""

UserUpdatedDetailMetadata = TypedDict("UserUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
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
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `account_id`.
    "account_id": NotRequired[Any],
    # The attribute `assignedGroup`.
    "assignedGroup": NotRequired[Any],
    # The attribute `endDate`.
    "endDate": NotRequired[Any],
    # The attribute `end_date`.
    "end_date": NotRequired[Any],
    # The attribute `status`.
    "status": NotRequired[Any],
})

UserUpdatedDetailDataNew = TypedDict("UserUpdatedDetailDataNew", {
    # The attribute `accountId`.
    "accountId": NotRequired[Any],
    # The attribute `account_id`.
    "account_id": NotRequired[Any],
    # The attribute `assignedGroup`.
    "assignedGroup": NotRequired[Any],
    # The attribute `endDate`.
    "endDate": NotRequired[Any],
    # The attribute `end_date`.
    "end_date": NotRequired[Any],
    # The attribute `status`.
    "status": NotRequired[Any],
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
    "changed": List[Literal["accountId", "account_id", "assignedGroup", "endDate", "end_date", "status"]],
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
    "source": Literal["instep.platform"],
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

UserWorkstreamUpdatedDetailMetadata = TypedDict("UserWorkstreamUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["UserWorkstream"],
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

UserWorkstreamUpdatedDetailDataKeys = TypedDict("UserWorkstreamUpdatedDetailDataKeys", {
    "user_id": str,
    "workstream_id": str,
})

UserWorkstreamUpdatedDetailDataOld = TypedDict("UserWorkstreamUpdatedDetailDataOld", {
})

UserWorkstreamUpdatedDetailDataNew = TypedDict("UserWorkstreamUpdatedDetailDataNew", {
})

UserWorkstreamUpdatedDetailDataOmittedKey = TypedDict("UserWorkstreamUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

UserWorkstreamUpdatedDetailDataOmitted = TypedDict("UserWorkstreamUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": UserWorkstreamUpdatedDetailDataOmittedKey,
})

UserWorkstreamUpdatedDetailData = TypedDict("UserWorkstreamUpdatedDetailData", {
    # The names in the item's key.
    "keys": UserWorkstreamUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": UserWorkstreamUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": UserWorkstreamUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[UserWorkstreamUpdatedDetailDataOmitted],
})

UserWorkstreamUpdatedDetail = TypedDict("UserWorkstreamUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": UserWorkstreamUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": UserWorkstreamUpdatedDetailData,
})

UserWorkstreamUpdated = TypedDict("UserWorkstreamUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["UserWorkstream Updated"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": UserWorkstreamUpdatedDetail,
})
"""An item of type UserWorkstream was changed in anything but its roles, or was written without granting or revoking a role."""

WorkstreamCreatedDetailMetadata = TypedDict("WorkstreamCreatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Workstream"],
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

WorkstreamCreatedDetailDataKeys = TypedDict("WorkstreamCreatedDetailDataKeys", {
    "account_id": str,
    "workstream_id": str,
})

WorkstreamCreatedDetailDataNew = TypedDict("WorkstreamCreatedDetailDataNew", {
})

WorkstreamCreatedDetailDataOmittedKey = TypedDict("WorkstreamCreatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

WorkstreamCreatedDetailDataOmitted = TypedDict("WorkstreamCreatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": WorkstreamCreatedDetailDataOmittedKey,
})

WorkstreamCreatedDetailData = TypedDict("WorkstreamCreatedDetailData", {
    # The names in the item's key.
    "keys": WorkstreamCreatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": dict[str, Any],
    # Published attributes after the change. Empty if there is no item.
    "new": WorkstreamCreatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[WorkstreamCreatedDetailDataOmitted],
})

WorkstreamCreatedDetail = TypedDict("WorkstreamCreatedDetail", {
    # What happened, to what, and in which order.
    "metadata": WorkstreamCreatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": WorkstreamCreatedDetailData,
})

WorkstreamCreated = TypedDict("WorkstreamCreated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Workstream Created"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": WorkstreamCreatedDetail,
})
"""An item of type Workstream was created."""

WorkstreamDeletedDetailMetadata = TypedDict("WorkstreamDeletedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Workstream"],
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

WorkstreamDeletedDetailDataKeys = TypedDict("WorkstreamDeletedDetailDataKeys", {
    "account_id": str,
    "workstream_id": str,
})

WorkstreamDeletedDetailDataOld = TypedDict("WorkstreamDeletedDetailDataOld", {
})

WorkstreamDeletedDetailDataOmittedKey = TypedDict("WorkstreamDeletedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

WorkstreamDeletedDetailDataOmitted = TypedDict("WorkstreamDeletedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": WorkstreamDeletedDetailDataOmittedKey,
})

WorkstreamDeletedDetailData = TypedDict("WorkstreamDeletedDetailData", {
    # The names in the item's key.
    "keys": WorkstreamDeletedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": WorkstreamDeletedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": dict[str, Any],
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[WorkstreamDeletedDetailDataOmitted],
})

WorkstreamDeletedDetail = TypedDict("WorkstreamDeletedDetail", {
    # What happened, to what, and in which order.
    "metadata": WorkstreamDeletedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": WorkstreamDeletedDetailData,
})

WorkstreamDeleted = TypedDict("WorkstreamDeleted", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Workstream Deleted"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": WorkstreamDeletedDetail,
})
"""An item of type Workstream was deleted."""

WorkstreamUpdatedDetailMetadata = TypedDict("WorkstreamUpdatedDetailMetadata", {
    # The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
    "id": str,
    # The version of this contract.
    "version": Literal["1"],
    # The table model's name.
    "model": Literal["platform"],
    # The entity that the event is about. For a grant, the subject's.
    "entity": Literal["Workstream"],
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

WorkstreamUpdatedDetailDataKeys = TypedDict("WorkstreamUpdatedDetailDataKeys", {
    "account_id": str,
    "workstream_id": str,
})

WorkstreamUpdatedDetailDataOld = TypedDict("WorkstreamUpdatedDetailDataOld", {
})

WorkstreamUpdatedDetailDataNew = TypedDict("WorkstreamUpdatedDetailDataNew", {
})

WorkstreamUpdatedDetailDataOmittedKey = TypedDict("WorkstreamUpdatedDetailDataOmittedKey", {
    "PK": str,
    "SK": str,
})

WorkstreamUpdatedDetailDataOmitted = TypedDict("WorkstreamUpdatedDetailDataOmitted", {
    # The parts that are empty for that reason. `changed` is still complete.
    "parts": List[Literal["old", "new"]],
    # The item's primary key in the table, with which its present attributes can be read.
    "key": WorkstreamUpdatedDetailDataOmittedKey,
})

WorkstreamUpdatedDetailData = TypedDict("WorkstreamUpdatedDetailData", {
    # The names in the item's key.
    "keys": WorkstreamUpdatedDetailDataKeys,
    # Published attributes before the change. Empty if there was no item.
    "old": WorkstreamUpdatedDetailDataOld,
    # Published attributes after the change. Empty if there is no item.
    "new": WorkstreamUpdatedDetailDataNew,
    # The names of the published attributes that differ, sorted.
    "changed": List[str],
    # Present if the event would be too large for the bus: what is left out, and where it is.
    "omitted": NotRequired[WorkstreamUpdatedDetailDataOmitted],
})

WorkstreamUpdatedDetail = TypedDict("WorkstreamUpdatedDetail", {
    # What happened, to what, and in which order.
    "metadata": WorkstreamUpdatedDetailMetadata,
    # The names in the item's key, and the attributes that the model publishes.
    "data": WorkstreamUpdatedDetailData,
})

WorkstreamUpdated = TypedDict("WorkstreamUpdated", {
    # The version of EventBridge's envelope.
    "version": NotRequired[str],
    # EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
    "id": NotRequired[str],
    # The entity and the verb.
    "detail-type": Literal["Workstream Updated"],
    # The source of all events of the model.
    "source": Literal["instep.platform"],
    # The AWS account.
    "account": NotRequired[str],
    # When the table was written, or when the event was published if the record does not say that.
    "time": NotRequired[str],
    # The AWS region.
    "region": NotRequired[str],
    # Empty: Instep names no resources.
    "resources": NotRequired[List[str]],
    # What Instep publishes.
    "detail": WorkstreamUpdatedDetail,
})
"""An item of type Workstream was changed."""

PlatformEvent = Union[
    AccountCreated,
    AccountDeleted,
    AccountUpdated,
    AddressCreated,
    AddressDeleted,
    AddressUpdated,
    EnterpriseCreated,
    EnterpriseDeleted,
    EnterpriseProductCreated,
    EnterpriseProductDeleted,
    EnterpriseProductUpdated,
    EnterpriseServiceCreated,
    EnterpriseServiceDeleted,
    EnterpriseServiceUpdated,
    EnterpriseUpdated,
    GroupCreated,
    GroupDeleted,
    GroupUpdated,
    LicenseCreated,
    LicenseDeleted,
    LicenseUpdated,
    NotificationAuditCreated,
    NotificationCreated,
    NotificationFailed,
    NotificationSent,
    NotificationSkipped,
    ProductCreated,
    ProductDeleted,
    ProductUpdated,
    RoleCreated,
    RoleDeleted,
    RoleGranted,
    RolePermissionUpdated,
    RoleRevoked,
    RoleUpdated,
    ServiceCreated,
    ServiceDeleted,
    ServiceUpdated,
    TechUserCreated,
    TechUserDeleted,
    TechUserUpdated,
    ToolCreated,
    ToolDeleted,
    ToolUpdated,
    UserCreated,
    UserDeleted,
    UserGranted,
    UserRevoked,
    UserUpdated,
    UserWorkstreamUpdated,
    WorkstreamCreated,
    WorkstreamDeleted,
    WorkstreamUpdated,
]
"""Every event of the model."""
