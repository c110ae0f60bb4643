//! What a Cognito group has beside its name: a precedence and an IAM role.

use instep_model::{CognitoGroups, Item, Model, Object, Precedence, group_precedence};
use serde::{Deserialize, Serialize};

use crate::implied;

/// What a group has beside its name, or what it should have. `None`: it has none, or people alone decide.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GroupSettings {
    /// Its precedence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precedence: Option<i32>,
    /// The ARN of its IAM role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iam_role: Option<String>,
}

impl GroupSettings {
    /// What of this a group lacks that has `other`.
    #[must_use]
    pub fn lacking(&self, other: &Self) -> Self {
        Self {
            precedence: self.precedence.filter(|_| self.precedence != other.precedence),
            iam_role: self.iam_role.clone().filter(|_| self.iam_role != other.iam_role),
        }
    }

    /// Whether it has neither.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.precedence.is_none() && self.iam_role.is_none()
    }
}

/// What the group of an object should have that `groups` gives it for this value. INVARIANT 2: the model alone gives an
/// IAM role.
fn settings_of(
    model: &Model,
    groups: &CognitoGroups,
    object: &Object,
    item: Option<&Item>,
    value: Option<&str>,
) -> GroupSettings {
    let precedence = match &groups.precedence {
        Some(Precedence::Fixed(fixed)) => fixed.of(value).copied(),
        Some(Precedence::OfItem(template)) => {
            let lookup = model.lookup(object.of, &object.names, item);
            template.render(&lookup).ok().and_then(|text| group_precedence(&text))
        }
        None => None,
    };
    let iam_role = groups.iam_role.as_ref().and_then(|roles| roles.of(value)).cloned();
    GroupSettings { precedence, iam_role }
}

/// The precedences that an image gives to the groups of its item.
pub(crate) fn precedences(model: &Model, object: &Object, image: &Item) -> Vec<Option<i32>> {
    let rules = model.item(object.of).groups.iter();
    let of_item = rules.filter(|groups| matches!(groups.precedence, Some(Precedence::OfItem(_))));
    of_item.map(|groups| settings_of(model, groups, object, Some(image), None).precedence).collect()
}

/// A group that an object may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ObjectGroup {
    /// The index of its rule.
    pub(crate) rule: usize,
    /// Its name.
    pub(crate) name: String,
    /// What it should have.
    pub(crate) settings: GroupSettings,
}

/// All groups of the pool that an object may have, without those whose names Cognito refuses.
pub(crate) fn groups_of(model: &Model, object: &Object, item: Option<&Item>) -> Vec<ObjectGroup> {
    let all = implied::groups_by_rule(model, object);
    let all = all.map(|(rule, groups, value, name)| {
        let settings = settings_of(model, groups, object, item, value);
        ObjectGroup { rule, name, settings }
    });
    all.collect()
}

/// The attributes of an item that would give its groups a precedence that Cognito refuses.
pub(crate) fn refused_precedence(model: &Model, object: &Object, item: &Item) -> Option<String> {
    let lookup = model.lookup(object.of, &object.names, Some(item));
    let is_refused = |text: &str| group_precedence(text).is_none();
    let refused = model.item(object.of).groups.iter().find_map(|groups| match &groups.precedence {
        Some(Precedence::OfItem(template)) => {
            template.render(&lookup).ok().filter(|text| is_refused(text)).map(|_| template)
        }
        Some(Precedence::Fixed(_)) | None => None,
    })?;
    let sources = refused.names().flat_map(|name| model.sources(object.of, &object.names, name));
    let sources: Vec<String> = sources.map(|source| format!("`{source}`")).collect();
    Some(sources.join(", "))
}
