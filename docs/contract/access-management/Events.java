package instep.accessmanagement;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/** The events of the table model access-management. Made by `instep contract`: do not edit. What is absent is null. */
public final class Events {
  private Events() {}

  /** No fields. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Nothing() {}

  /**
   * The snapshot that the event belongs to. Absent if it reports a change.
   * @param id The snapshot's id, the same in all its events.
   * @param watermark The snapshot has seen everything that happened before this time (RFC 3339, whole seconds). What it does not have, and what no event with this or a later `recordedAt` reports, is gone.
   * @param startedAt When reading the table began (RFC 3339).
   * @param count Only of the end: the number of events between the beginning and the end.
   * @param complete Only of the end: whether all items are in it. If not, what is missing may exist.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record SnapshotMark(
      @JsonProperty("id") String id,
      @JsonProperty("watermark") String watermark,
      @JsonProperty("startedAt") String startedAt,
      @JsonProperty("count") Long count,
      @JsonProperty("complete") Boolean complete) {}

  /**
   * What happened, to what, and in which order.
   * @param id The id of the change: the same however often, from wherever and in whatever batch it is published. Ignore an id that you have seen, unless the earlier event had `parked: true`.
   * @param version The version of this contract.
   * @param model The table model's name.
   * @param entity The entity that the event is about. For a grant, the subject's.
   * @param entityId The entity's id. For a grant, the subject's.
   * @param verb What happened.
   * @param item The changed item: its type and id. No other item has this text: it is the key of a row. If a write of a guard led to the event, only the guard's type.
   * @param kind What the changed item is. An item that is several of these is the first of `guard`, `edge`, `entity` and `grant`.
   * @param epoch The stream that `sequence` is a number of: the label in its ARN, which is the time at which the stream was made. A later stream has a greater one. Empty if nothing says it, as in a snapshot.
   * @param sequence Orders the events of one item, after `epoch`: the stream record's sequence number, padded with zeros to 40 digits. If the cause is `due`, that of the record that set the window, or zero after a backfill.
   * @param index Orders the events of one record, after `sequence`.
   * @param recordedAt When it happened (RFC 3339): when the table was written or, if the cause is `due`, when the window opened or closed. `null` if nothing says it, as in a snapshot.
   * @param cause Why the item changed.
   * @param correlationId The value of the attribute that the model names as `correlation`, or `null`.
   * @param tenant The tenant: the value of the name that the model gives as `tenant`, or `null`. A grant that does not say it has that of its subject or scope, as the table has it now: `null` if the subject is gone, and maybe another one when the event is published again.
   * @param replay Whether captures were handled against a table that others write, or the event is of a snapshot. As a rule, the change was published before.
   * @param parked Whether the record was parked: its effects are not in place, or only some. When it is redriven, the event is published again, under the same id and with `parked: false`.
   * @param snapshot The snapshot that the event belongs to. Absent if it reports a change.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Metadata(
      @JsonProperty("id") String id,
      @JsonProperty("version") String version,
      @JsonProperty("model") String model,
      @JsonProperty("entity") String entity,
      @JsonProperty("entityId") String entityId,
      @JsonProperty("verb") String verb,
      @JsonProperty("item") String item,
      @JsonProperty("kind") String kind,
      @JsonProperty("epoch") String epoch,
      @JsonProperty("sequence") String sequence,
      @JsonProperty("index") long index,
      @JsonProperty("recordedAt") String recordedAt,
      @JsonProperty("cause") String cause,
      @JsonProperty("correlationId") String correlationId,
      @JsonProperty("tenant") String tenant,
      @JsonProperty("replay") boolean replay,
      @JsonProperty("parked") boolean parked,
      @JsonProperty("snapshot") SnapshotMark snapshot) {}

  /**
   * Of a conflict or its end: whose unique value it is.
   * @param guard The guard's item type.
   * @param holder The id of the owner that has the value. At the end of a conflict, that is the owner that the event is about.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Conflict(
      @JsonProperty("guard") String guard,
      @JsonProperty("holder") String holder) {}

  /**
   * The item's primary key in the table, with which its present attributes can be read.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record PrimaryKey(
      @JsonProperty("pk") String pk,
      @JsonProperty("sk") String sk) {}

  /**
   * Present if the event would be too large for the bus: what is left out, and where it is.
   * @param parts The parts that are empty for that reason. `changed` is still complete.
   * @param key The item's primary key in the table, with which its present attributes can be read.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Omitted(
      @JsonProperty("parts") List<String> parts,
      @JsonProperty("key") PrimaryKey key) {}

  /**
   * The names in the item's key, and the attributes that the model publishes.
   * @param keys The names in the item's key.
   * @param old Published attributes before the change. Empty if there was no item.
   * @param new_ Published attributes after the change. Empty if there is no item.
   * @param changed The names of the published attributes that differ, sorted.
   * @param types What in `old` and `new` is not what its JSON says, by its JSON Pointer in `data`, such as `/new/tags`: DynamoDB's type. Absent if everything is what its JSON says.
   * @param role The role. Absent if the grant has none.
   * @param scope The scope of the role: the id of its item, as in that item's `metadata.item`, or a value. Absent if the grant applies everywhere.
   * @param scopeEntity The entity of the scope, which its id alone does not say. Absent if the scope is no item.
   * @param guard Of a conflict or its end: whose unique value it is.
   * @param omitted Present if the event would be too large for the bus: what is left out, and where it is.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Data<K, A>(
      @JsonProperty("keys") K keys,
      @JsonProperty("old") A old,
      @JsonProperty("new") A new_,
      @JsonProperty("changed") List<String> changed,
      @JsonProperty("types") Map<String, String> types,
      @JsonProperty("role") String role,
      @JsonProperty("scope") String scope,
      @JsonProperty("scopeEntity") String scopeEntity,
      @JsonProperty("guard") Conflict guard,
      @JsonProperty("omitted") Omitted omitted) {}

  /**
   * What Instep publishes.
   * @param metadata What happened, to what, and in which order.
   * @param data The names in the item's key, and the attributes that the model publishes.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Detail<K, A>(
      @JsonProperty("metadata") Metadata metadata,
      @JsonProperty("data") Data<K, A> data) {}

  /**
   * An event as EventBridge delivers it.
   * @param version The version of EventBridge's envelope.
   * @param id EventBridge's id of this delivery. It differs each time the event is published: use the id in the metadata to recognise duplicates.
   * @param detailType The entity and the verb.
   * @param source The source of all events of the model.
   * @param account The AWS account.
   * @param time When the table was written, or when the event was published if the record does not say that.
   * @param region The AWS region.
   * @param resources Empty: Instep names no resources.
   * @param detail What Instep publishes.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record InstepEvent<K, A>(
      @JsonProperty("version") String version,
      @JsonProperty("id") String id,
      @JsonProperty("detail-type") String detailType,
      @JsonProperty("source") String source,
      @JsonProperty("account") String account,
      @JsonProperty("time") String time,
      @JsonProperty("region") String region,
      @JsonProperty("resources") List<String> resources,
      @JsonProperty("detail") Detail<K, A> detail) {}

  /** An event: what its detail-type is, null if items decide that, and how to read it: `mapper.readValue(text, event.type())`. */
  public record EventType<K, A>(String detailType, TypeReference<InstepEvent<K, A>> type) {}

  /**
   * The attributes of Group that events show.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record GroupAttributes(
      @JsonProperty("createdAt") JsonNode createdAt,
      @JsonProperty("createdBy") JsonNode createdBy,
      @JsonProperty("description") JsonNode description,
      @JsonProperty("id") JsonNode id,
      @JsonProperty("name") JsonNode name,
      @JsonProperty("state") JsonNode state,
      @JsonProperty("updatedAt") JsonNode updatedAt,
      @JsonProperty("updatedBy") JsonNode updatedBy) {}

  /**
   * The names in the key of Group.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record GroupKeys(
      @JsonProperty("groupId") String groupId) {}

  /**
   * The attributes of Hierarchy that events show.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record HierarchyAttributes() {}

  /**
   * The names in the key of Hierarchy.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record HierarchyKeys(
      @JsonProperty("parent.groupId") String parentGroupId,
      @JsonProperty("child.groupId") String childGroupId) {}

  /**
   * The attributes of Membership that events show.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record MembershipAttributes(
      @JsonProperty("createdAt") JsonNode createdAt,
      @JsonProperty("createdBy") JsonNode createdBy,
      @JsonProperty("role") JsonNode role) {}

  /**
   * The names in the key of Membership.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record MembershipKeys(
      @JsonProperty("email") String email,
      @JsonProperty("groupId") String groupId) {}

  /**
   * The attributes of User that events show.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record UserAttributes(
      @JsonProperty("createdAt") JsonNode createdAt,
      @JsonProperty("createdBy") JsonNode createdBy,
      @JsonProperty("email") JsonNode email,
      @JsonProperty("state") JsonNode state,
      @JsonProperty("updatedAt") JsonNode updatedAt,
      @JsonProperty("updatedBy") JsonNode updatedBy) {}

  /**
   * The names in the key of User.
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record UserKeys(
      @JsonProperty("email") String email) {}

  /** An item of type Group was created. */
  public static final EventType<GroupKeys, GroupAttributes> GROUP_CREATED =
      new EventType<>("Group Created", new TypeReference<InstepEvent<GroupKeys, GroupAttributes>>() {});

  /** An item of type Group was deleted. */
  public static final EventType<GroupKeys, GroupAttributes> GROUP_DELETED =
      new EventType<>("Group Deleted", new TypeReference<InstepEvent<GroupKeys, GroupAttributes>>() {});

  /** An item of type Group was changed in what its events show. */
  public static final EventType<GroupKeys, GroupAttributes> GROUP_UPDATED =
      new EventType<>("Group Updated", new TypeReference<InstepEvent<GroupKeys, GroupAttributes>>() {});

  /** An item of type Hierarchy was created. */
  public static final EventType<HierarchyKeys, HierarchyAttributes> HIERARCHY_CREATED =
      new EventType<>("Hierarchy Created", new TypeReference<InstepEvent<HierarchyKeys, HierarchyAttributes>>() {});

  /** An item of type Hierarchy was deleted. */
  public static final EventType<HierarchyKeys, HierarchyAttributes> HIERARCHY_DELETED =
      new EventType<>("Hierarchy Deleted", new TypeReference<InstepEvent<HierarchyKeys, HierarchyAttributes>>() {});

  /** An item of type Membership was changed in what its events show, beside its roles. */
  public static final EventType<MembershipKeys, MembershipAttributes> MEMBERSHIP_UPDATED =
      new EventType<>("Membership Updated", new TypeReference<InstepEvent<MembershipKeys, MembershipAttributes>>() {});

  /** A snapshot ended: it says how many events it has, and whether the whole table was read. */
  public static final EventType<Nothing, Nothing> SNAPSHOT_ENDED =
      new EventType<>("Snapshot Ended", new TypeReference<InstepEvent<Nothing, Nothing>>() {});

  /** A snapshot began: until its end come the items that the table has. */
  public static final EventType<Nothing, Nothing> SNAPSHOT_STARTED =
      new EventType<>("Snapshot Started", new TypeReference<InstepEvent<Nothing, Nothing>>() {});

  /** An item of type User was created. */
  public static final EventType<UserKeys, UserAttributes> USER_CREATED =
      new EventType<>("User Created", new TypeReference<InstepEvent<UserKeys, UserAttributes>>() {});

  /** An item of type User was deleted. */
  public static final EventType<UserKeys, UserAttributes> USER_DELETED =
      new EventType<>("User Deleted", new TypeReference<InstepEvent<UserKeys, UserAttributes>>() {});

  /** An item of type Membership gave its User a role. There is one event for each role. */
  public static final EventType<MembershipKeys, MembershipAttributes> USER_GRANTED =
      new EventType<>("User Granted", new TypeReference<InstepEvent<MembershipKeys, MembershipAttributes>>() {});

  /** An item of type Membership no longer gives its User a role. There is one event for each role. */
  public static final EventType<MembershipKeys, MembershipAttributes> USER_REVOKED =
      new EventType<>("User Revoked", new TypeReference<InstepEvent<MembershipKeys, MembershipAttributes>>() {});

  /** An item of type User was changed in what its events show. */
  public static final EventType<UserKeys, UserAttributes> USER_UPDATED =
      new EventType<>("User Updated", new TypeReference<InstepEvent<UserKeys, UserAttributes>>() {});
}
