//! The settings of named reads.

use super::{Setting, SettingShape};

pub(super) const OF_READS: &[Setting] = &[
    Setting {
        path: "reads.*.items",
        shape: SettingShape::Texts,
        default: "needed",
        doc: "The item type that the [read](guide/reads.md) returns, or a list. All are in one partition. A `secret` item \
              type cannot be read.",
    },
    Setting {
        path: "reads.*.index",
        shape: SettingShape::Text,
        default: "the table itself",
        doc: "The index to query. Index queries are eventually consistent, reads of the table strongly consistent.",
    },
    Setting {
        path: "reads.*.given",
        shape: SettingShape::Texts,
        default: "none",
        doc: "The names whose values the caller gives: all names of the partition key that `where` does not have, and \
              as many names of the sort key, in its order, as the caller knows.",
    },
    Setting {
        path: "reads.*.where.*",
        shape: SettingShape::Text,
        default: "none",
        doc: "A name in the key, with the one value that it has in this read.",
    },
    Setting {
        path: "reads.*.range",
        shape: SettingShape::Text,
        default: "all values",
        doc: "The next name of the sort key, of which the caller gives a first and a last value: `NAME=FROM..TO`. Both \
              are included, and so is everything that begins with TO.",
    },
    Setting {
        path: "reads.*.begins",
        shape: SettingShape::Text,
        default: "all values",
        doc: "The next name of the sort key, of which the caller gives how it begins.",
    },
    Setting {
        path: "reads.*.descending",
        shape: SettingShape::Flag,
        default: "`false`",
        doc: "`true` returns the rows from the last sort key to the first, page by page (`ScanIndexForward = false`).",
    },
    Setting {
        path: "reads.*.partial",
        shape: SettingShape::Flag,
        default: "`false`",
        doc: "`true` accepts that the index may lack items, because Instep does not [keep](reference/settings.md#itemstypeindex) its keys \
              for all of these item types. The result says `complete: false`.",
    },
    Setting {
        path: "reads.*.follow",
        shape: SettingShape::Text,
        default: "none",
        doc: "The name of an end, if the items are edges: the read returns the items at that end, read strongly \
              consistently by their keys, each with its edge. An edge whose end has no item is left out.",
    },
];
