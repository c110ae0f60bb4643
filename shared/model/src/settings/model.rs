//! The settings of a model outside its item types.

use super::{Setting, SettingShape};

pub(super) const OF_MODEL: &[Setting] = &[
    Setting {
        path: "model",
        shape: SettingShape::Text,
        default: "needed, unless `extends`",
        doc: "The model's name: part of every event's id.",
    },
    Setting {
        path: "extends",
        shape: SettingShape::Text,
        default: "",
        doc: "A model that ships with Instep, or a file: TOML tables merge with those of that model; any other \
              value replaces that model's value.",
    },
    Setting {
        path: "source",
        shape: SettingShape::Text,
        default: "`instep.` and the model's name",
        doc: "EventBridge `Source`.",
    },
    Setting {
        path: "detail_type",
        shape: SettingShape::Template,
        default: "`{Entity} {Verb}`",
        doc: "EventBridge `DetailType`, a template of `{Entity}` and `{Verb}`.",
    },
    Setting {
        path: "correlation",
        shape: SettingShape::Texts,
        default: "none",
        doc: "The attribute, or a list of attributes of which the first that has a value counts, whose value \
              events carry as correlation id.",
    },
    Setting {
        path: "tenant",
        shape: SettingShape::Texts,
        default: "none",
        doc: "The name, or a list of names, whose value events carry as tenant: the first that has one. It can \
              come from the key, an attribute or an index key; for a grant that has none, from \
              [its subject or scope](guide/subscribers.md#the-tenant).",
    },
    Setting {
        path: "table.pk",
        shape: SettingShape::Text,
        default: "needed",
        doc: "The attribute of the table's partition key.",
    },
    Setting {
        path: "table.sk",
        shape: SettingShape::Text,
        default: "needed",
        doc: "The attribute of the table's sort key.",
    },
    Setting {
        path: "table.type",
        shape: SettingShape::Text,
        default: "none",
        doc: "The attribute with the item type's name. The keys decide: if the attribute has another value than \
              the item type's `type`, Instep only notes that in its output. It writes the first of these values \
              into guards that it creates.",
    },
    Setting {
        path: "table.ttl",
        shape: SettingShape::Text,
        default: "`\"instepTtl\"`",
        doc: "The TTL attribute, also of Instep's own items.",
    },
    Setting {
        path: "table.unknown",
        shape: SettingShape::OneOf(&["park", "skip"]),
        default: "`\"park\"`",
        doc: "What to do with the record of an item that matches no item type: park or skip it.",
    },
    Setting {
        path: "table.orphans",
        shape: SettingShape::OneOf(&["report", "remove"]),
        default: "`\"report\"`",
        doc: "What a [sweep](operate/runbook.md#sweep) does with a child that remains after its parent's deletion, for \
              example one that was written later. `\"report\"`: it lists it. `\"remove\"`: with `--repair` it \
              deletes it. A child whose parent never existed stays, so that you can import children before their \
              parents. So does one whose parent was deleted more than 105 days ago.",
    },
    Setting {
        path: "table.secret",
        shape: SettingShape::Texts,
        default: "none",
        doc: "Attributes that Instep never publishes, logs or sends to a queue. It also masks every other \
              attribute that contains the value of one, if the value has four characters or more, and if nothing \
              follows from that attribute. Only `disabled` and `attributes` of a Cognito user may use one. The \
              batches that Lambda gives up on, and writes to the bucket, contain them.",
    },
    Setting {
        path: "indexes.*.pk",
        shape: SettingShape::Texts,
        default: "needed",
        doc: "The attribute of the index's partition key. If some items have it under another attribute, list \
              both: the first is the attribute in the index's key schema. Instep finds items through such an \
              index only if their item type has `keep = true`. An index may use the table's own key attributes.",
    },
    Setting {
        path: "indexes.*.sk",
        shape: SettingShape::Texts,
        default: "no sort key",
        doc: "The attribute of the index's sort key, as `pk`.",
    },
    Setting {
        path: "names.*",
        shape: SettingShape::NameRule,
        default: "any text",
        doc: "A rule for a name, wherever it is used: a table, or its fixed values alone.",
    },
    Setting {
        path: "names.*.values",
        shape: SettingShape::Texts,
        default: "any value",
        doc: "Fixed values of the name. `role = [\"owner\", \"viewer\"]` is short for `role = { values = \
              [\"owner\", \"viewer\"] }`.",
    },
    Setting {
        path: "names.*.attribute",
        shape: SettingShape::Texts,
        default: "the attribute of the same name",
        doc: "The attributes that contain the name, in order of preference. It also counts where a setting names \
              an attribute with roles, a time or the correlation id: `grant.roles`, `from`, `until`, \
              `last.written`, `correlation`.",
    },
    Setting {
        path: "names.*.like",
        shape: SettingShape::Template,
        default: "any text",
        doc: "The name's shape; a name cannot have both `like` and `values`: `urn = { like = \
              \"urn:{domain}:{type}::{id}\" }` also gives `{domain}`, `{type}` and `{id}`. The names in it have \
              no dot. Its constants must not contain a character that follows the name in a template.",
    },
    Setting {
        path: "names.*.is",
        shape: SettingShape::OneOf(&["date", "time"]),
        default: "any text",
        doc: "The name's values are [times](guide/time.md). Both mean the same: each value shows whether it is \
              a day or an instant. The name that a `due` rule has in `at` needs it, and no other name may have \
              it.",
    },
    Setting {
        path: "oneof.*.by",
        shape: SettingShape::Text,
        default: "needed",
        doc: "The name whose value says which type a [reference by type](guide/relations.md#references-by-type) leads to. \
              It must be in the key of the item, or in an index key.",
    },
    Setting {
        path: "oneof.*.*",
        shape: SettingShape::Reference,
        default: "needed",
        doc: "For a value of that name, the reference.",
    },
    Setting {
        path: "cognito.marker",
        shape: SettingShape::OneOf(&["description", "name"]),
        default: "`\"description\"`",
        doc: "How Instep recognises its own groups. `\"description\"`: by a mark that it writes into the group's \
              description. `\"name\"`: by the name; Instep may then delete every group whose name matches a \
              template.",
    },
    Setting {
        path: "cognito.extra.members",
        shape: SettingShape::OneOf(&["report", "remove"]),
        default: "`\"report\"`",
        doc: "What a [sweep](operate/runbook.md#sweep) does with memberships that no item implies, in the groups that \
              the model names (also those with `made = \"by-hand\"`). `\"report\"`: it lists them, because \
              people may have made them. `\"remove\"`: with `--repair` it removes them.",
    },
    Setting {
        path: "cognito.extra.users",
        shape: SettingShape::OneOf(&["report", "remove"]),
        default: "`\"report\"`",
        doc: "What a sweep does with users whose item does not exist. Set `\"remove\"` only if every user of the \
              pool has an item.",
    },
];
