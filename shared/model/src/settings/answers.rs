//! The settings of an item type that only answers read: where access applies, and what a role permits.

use super::{Setting, SettingShape};

pub(super) const OF_ANSWERS: &[Setting] = &[
    Setting {
        path: "items.*.within",
        shape: SettingShape::Within,
        default: "in nothing",
        doc: "What the item is in: what applies in that item applies here, too. Only answers read it.",
    },
    Setting {
        path: "items.*.within.path",
        shape: SettingShape::Text,
        default: "needed",
        doc: "The only name in the key, if its values are paths: an item is in each item of its type whose id is a \
              leading part of its own. `/usa/west` is in `/usa`, and items between need not exist.",
    },
    Setting {
        path: "items.*.within.separator",
        shape: SettingShape::Text,
        default: "`\"/\"`",
        doc: "What separates the parts of a path.",
    },
    Setting {
        path: "items.*.edge.conveys",
        shape: SettingShape::TextOrTable,
        default: "neither",
        doc: "The end to which access flows: with `conveys = \"child\"`, what applies to the parent applies to the \
              child, too. Only answers read it. The child finds its edges by a partition or an index.",
    },
    Setting {
        path: "items.*.edge.conveys.to",
        shape: SettingShape::Text,
        default: "needed",
        doc: "The end, if there is a condition, too.",
    },
    Setting {
        path: "items.*.edge.conveys.when",
        shape: SettingShape::Condition,
        default: "always",
        doc: "Access flows while the condition holds for the edge's item.",
    },
    Setting {
        path: "items.*.permits.as",
        shape: SettingShape::Template,
        default: "needed",
        doc: "The permission that the item of a role gives: a template over its attributes, without transforms. Only \
              answers read it. A value with a text that separates two names permits nothing.",
    },
    Setting {
        path: "items.*.permits.list",
        shape: SettingShape::Text,
        default: "the item is one permission",
        doc: "An attribute that is a list of maps: each is one permission, and `as` is over its attributes.",
    },
    Setting {
        path: "items.*.permits.any",
        shape: SettingShape::Text,
        default: "none",
        doc: "The value that stands for every value of a name: with `any = \"*\"`, `*:read` permits `files:read`.",
    },
    Setting {
        path: "items.*.permits.role",
        shape: SettingShape::Reference,
        default: "the item is the role",
        doc: "The role that gets the permission, of an item that gives one to a role. The role finds these items by a \
              partition or an index.",
    },
    Setting {
        path: "items.*.inherits",
        shape: SettingShape::Reference,
        default: "from none",
        doc: "A role of the same item type whose permissions this role has, too. Only answers read it.",
    },
];
