//! The settings of an item type: its keys, events and relations.

use super::{Setting, SettingShape};

pub(super) const OF_ITEM_TYPE: &[Setting] = &[
    Setting {
        path: "items.*.formerly",
        shape: SettingShape::Text,
        default: "",
        doc: "The item type's first name, if it was renamed ([changing a model](operate/changing.md)).",
    },
    Setting {
        path: "items.*.pk",
        shape: SettingShape::Templates,
        default: "needed",
        doc: "The template of the partition key, or a list: one for each spelling of the key \
              ([templates](reference/templates.md#templates)).",
    },
    Setting {
        path: "items.*.sk",
        shape: SettingShape::Templates,
        default: "needed",
        doc: "The template of the sort key, or a list.",
    },
    Setting {
        path: "items.*.INDEX.pk",
        shape: SettingShape::Template,
        default: "",
        doc: "`INDEX` is the name of an index: the template of its partition key. Leave it out if it is the \
              table's own `pk` or `sk`, and leave the index out if both keys are. Attributes of an index give no \
              values to other templates if it has `keep = true`.",
    },
    Setting {
        path: "items.*.INDEX.sk",
        shape: SettingShape::Template,
        default: "",
        doc: "The template of the index's sort key.",
    },
    Setting {
        path: "items.*.INDEX.keep",
        shape: SettingShape::Keep,
        default: "`false`",
        doc: "`\"fill\"`: Instep writes the attributes if they are missing or differ from the templates, and removes \
              none. Use it if some writers forget index keys, and others name a parent by its index key alone. \
              `true`: Instep also removes them if a name has no value. If a value is too long for an index key, \
              Instep parks the record, and `true` removes them ([details](guide/relations.md#index-keys)).",
    },
    Setting {
        path: "items.*.type",
        shape: SettingShape::Texts,
        default: "the item type's name",
        doc: "Values of the table's `type` attribute that agree with this item type.",
    },
    Setting {
        path: "items.*.values.*",
        shape: SettingShape::Texts,
        default: "",
        doc: "Fixed values of a name, for this item type only: `values.status = [\"on\", \"off\"]`.",
    },
    Setting {
        path: "items.*.entity",
        shape: SettingShape::Templates,
        default: "none",
        doc: "Makes the item an entity, with this name in events. In a list, the first template that has a value \
              is the name. Without it, the item is no entity, and other events (of an edge, `updated` of a \
              grant, and those about the item as a subject or claimant) have the item type's name. `granted` and \
              `revoked` have the entity of the subject, `conflicted` and `resolved` that of the claimant.",
    },
    Setting {
        path: "items.*.id",
        shape: SettingShape::Template,
        default: "the key's names, joined by `/`; if there can be several, `/` and `%` in them are escaped",
        doc: "Its `entityId` in events. As the `scope` of a grant and the `holder` of a unique value, an item \
              always has the key's names.",
    },
    Setting {
        path: "items.*.events",
        shape: SettingShape::Texts,
        default: "none",
        doc: "Attributes that events carry.",
    },
    Setting {
        path: "items.*.publish",
        shape: SettingShape::SomeOf(&["created", "updated", "deleted", "granted", "revoked", "conflicted", "resolved"]),
        default: "the first three for entities and edges; `granted`, `revoked` and `updated` for grants; \
                  `conflicted` and `resolved` for owners of guards",
        doc: "Which events are published. An item that is several of these has the events of all. A guard \
              publishes only what it lists here, and a `secret` item nothing.",
    },
    Setting {
        path: "items.*.publish_unchanged",
        shape: SettingShape::Flag,
        default: "`false`",
        doc: "`true`: every write of an existing item publishes an `updated`, also one that changes nothing that \
              events show, such as Instep's own correction of an index key. Otherwise such a write publishes none.",
    },
    Setting {
        path: "items.*.verb.*",
        shape: SettingShape::Words,
        default: "the verb",
        doc: "`verb.created = \"{status}\"`: a word that replaces the verb, or a list of words of which the \
              first that applies counts ([details](reference/templates.md#words-for-verbs)).",
    },
    Setting { path: "items.*.verb.*.word", shape: SettingShape::Template, default: "needed", doc: "The word." },
    Setting {
        path: "items.*.verb.*.when",
        shape: SettingShape::Condition,
        default: "always",
        doc: "The condition became true with this write.",
    },
    Setting {
        path: "items.*.verb.*.changed",
        shape: SettingShape::Texts,
        default: "always",
        doc: "One of these attributes changed.",
    },
    Setting {
        path: "items.*.verb.*.cause",
        shape: SettingShape::OneOf(&["ttl"]),
        default: "always",
        doc: "DynamoDB's TTL deleted the item.",
    },
    Setting {
        path: "items.*.secret",
        shape: SettingShape::Flag,
        default: "`false`",
        doc: "`true`: nothing of such items is published, logged or shown, and of a parked record or message \
              only that there is one. Messages of the work queue contain their keys, and the attributes from \
              which something follows: Instep cannot handle them without. So do its own items in the table, and \
              the batches that Lambda gives up on. `instep check` lists where else a part of the key may stand.",
    },
    Setting {
        path: "items.*.assumed",
        shape: SettingShape::Identities,
        default: "none",
        doc: "Identities that exist without an item: `[{ groupId = \"/\" }]`. They have their Cognito groups, \
              unless these have a condition, and no Cognito user.",
    },
    Setting {
        path: "items.*.parent",
        shape: SettingShape::References,
        default: "none",
        doc: "When any of these parents is deleted, Instep deletes the item \
              ([details](guide/deletions.md)).",
    },
    Setting {
        path: "items.*.edge.takes",
        shape: SettingShape::Text,
        default: "neither",
        doc: "The end that goes with the other one: with `takes = \"child\"`, Instep also deletes the child when \
              the parent is deleted, unless the child has another parent that exists, by any edge whose `takes` \
              names the child. If only the edge is deleted, the child stays. It also stays if you delete the \
              edge yourself in one transaction with the parent.",
    },
    Setting {
        path: "items.*.edge.unique",
        shape: SettingShape::Text,
        default: "any number",
        doc: "The end that has at most one edge of this type: with `unique = \"child\"`, a child has one parent. It \
              needs a guard of the edge. Another edge has no effect while the one that the guard names exists \
              ([details](guide/relations.md#one-edge-for-each-child)).",
    },
    Setting {
        path: "items.*.edge.*",
        shape: SettingShape::Reference,
        default: "needed",
        doc: "Two references, its *ends*, under names that you choose: `{ parent = \"Folder\", child = \"File\" \
              }`. If both have a name called `id`, write `{parent.id}` and `{child.id}` in the keys of the edge. \
              When either of the two is deleted, Instep deletes the edge. If an edge without a grant knows a \
              part of the parent's key and no index leads to the parent, the parent counts as existing until it \
              is deleted.",
    },
];
