//! What a change of the model means for what exists.
//!
//! Each struct of a model is taken apart without `..` and without `field: _`: a new field of the model does not compile
//! before a change of it is in a [`SettingClass`], with what follows and what has to be done. A test refuses what would
//! get around that. As a second guard, [`canonical`] texts of both models are compared: a difference that nothing
//! reports is never "deploy".

mod canonical;
mod cognito;
mod events;
mod grants;
mod groups;
mod guards;
mod items;
mod keys;
mod links;
mod reads;
mod settings;

use std::collections::BTreeMap;
use std::fmt::Debug;

use sha2::{Digest as _, Sha256};

use crate::model::{ItemType, Link, Model};

/// The number of bytes of a fingerprint.
const FINGERPRINT_BYTES: usize = 4;

/// The number of bytes of the hash of a model's text.
const TEXT_HASH_BYTES: usize = 8;

/// A difference between two models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelChange {
    /// What the setting is about.
    pub class: SettingClass,
    /// The setting, such as `items.Team.cognito.groups`.
    pub what: String,
    /// What follows for items, Cognito, bookkeeping and subscribers.
    pub meaning: String,
    /// What to do.
    pub advice: Advice,
}

/// What a setting is about: which questions a change of it asks of what exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SettingClass {
    /// By what Instep knows what it made.
    Identity,
    /// Which keys are items of a type.
    Keys,
    /// The values that a name can have.
    Values,
    /// Where the value of a name is.
    Source,
    /// How dependents are found.
    Finding,
    /// What an item depends on.
    References,
    /// Who has access.
    Grants,
    /// Who may do what, in answers alone.
    Answers,
    /// From when until when something applies.
    Time,
    /// Unique values.
    Guards,
    /// Users, groups and memberships.
    Cognito,
    /// What subscribers receive.
    Events,
    /// What leaves the table.
    Privacy,
    /// Which records are handled.
    Records,
    /// What a sweep removes.
    Sweep,
    /// The resources of the deployment.
    Stack,
    /// No class. This is a mistake of Instep.
    Unknown,
}

impl SettingClass {
    /// What people call it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Identity => "identity",
            Self::Keys => "keys",
            Self::Values => "values",
            Self::Source => "source of values",
            Self::Finding => "finding",
            Self::References => "references",
            Self::Grants => "grants",
            Self::Answers => "answers",
            Self::Time => "time",
            Self::Guards => "guards",
            Self::Cognito => "Cognito",
            Self::Events => "events",
            Self::Privacy => "privacy",
            Self::Records => "records",
            Self::Sweep => "sweep",
            Self::Stack => "stack",
            Self::Unknown => "unknown",
        }
    }
}

/// What to do about a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Advice {
    /// Nothing, if it is meant.
    Nothing,
    /// These steps, in this order.
    Steps(Vec<String>),
    /// Do not deploy. Do this.
    DoNotDeploy(String),
}

/// Whether a new model can be deployed. The later, the worse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeVerdict {
    /// Nothing else is needed.
    Deploy,
    /// With steps of people.
    DeployWithSteps,
    /// It would leave what nobody finds any more, or cannot be deployed.
    DoNotDeploy,
}

impl Advice {
    /// The verdict on a model with this change alone.
    #[must_use]
    pub const fn verdict(&self) -> ChangeVerdict {
        match self {
            Self::Nothing => ChangeVerdict::Deploy,
            Self::Steps(_) => ChangeVerdict::DeployWithSteps,
            Self::DoNotDeploy(_) => ChangeVerdict::DoNotDeploy,
        }
    }
}

/// What the deployment itself begins with.
const DEPLOYS: [&str; 3] = ["deploy the new model", "then deploy the new model", "then deploy this model"];
/// What the first step after it begins with.
const LATER: [&str; 2] = ["after ", "then "];

/// The ends of settings of which a change leaves what no count of items, users, groups and memberships shows.
const UNCOUNTED: [&str; 5] = [".assumed", ".precedence", ".iam_role", ".delete", "cognito.marker"];

impl ModelChange {
    /// Whether programs of subscribers miss something.
    #[must_use]
    pub fn breaks_subscribers(&self) -> bool {
        matches!(&self.advice, Advice::Steps(steps) if steps.iter().any(|step| step == TELL))
    }

    /// What to do before the deployment, how to deploy, and what to do after it, each in its order.
    #[must_use]
    pub fn steps(&self) -> (&[String], &[String], &[String]) {
        let Advice::Steps(steps) = &self.advice else { return (&[], &[], &[]) };
        let deploys = |step: &&String| DEPLOYS.iter().any(|begins| step.starts_with(begins));
        let is_later = |step: &String| deploys(&step) || LATER.iter().any(|begins| step.starts_with(begins));
        let (before, rest) = steps.split_at(steps.iter().position(is_later).unwrap_or(steps.len()));
        let (deployment, after) = rest.split_at(rest.iter().take_while(deploys).count());
        (before, deployment, after)
    }

    /// Whether a count of what both models make of a table and a user pool answers it: if such a count finds nothing,
    /// nothing is to be done.
    #[must_use]
    pub fn is_answered_by_counts(&self) -> bool {
        let is_counted = match self.class {
            SettingClass::Keys
            | SettingClass::Values
            | SettingClass::Source
            | SettingClass::Finding
            | SettingClass::References
            | SettingClass::Grants
            | SettingClass::Time
            | SettingClass::Guards
            | SettingClass::Cognito
            | SettingClass::Sweep => true,
            SettingClass::Identity
            | SettingClass::Answers
            | SettingClass::Events
            | SettingClass::Privacy
            | SettingClass::Records
            | SettingClass::Stack
            | SettingClass::Unknown => false,
        };
        let is_uncounted = UNCOUNTED.iter().any(|end| self.what.ends_with(end));
        is_counted && !self.breaks_subscribers() && !is_uncounted && self.advice.verdict() != ChangeVerdict::DoNotDeploy
    }
}

impl ChangeVerdict {
    /// The verdict on a model with all of these changes.
    #[must_use]
    pub fn of(changes: &[ModelChange]) -> Self {
        changes.iter().map(|change| change.advice.verdict()).max().unwrap_or(Self::Deploy)
    }
}

/// So that Instep looks at every item again.
const CHANGE: &str = "after the deployment, wait until the change that it starts is complete (`instep change`)";
/// So that access goes which no item implies any more.
const TAKE: &str = "it takes the access that only the old model gives, and waits for a person if that is much";
/// So that groups go that nothing has any more.
const DROP_GROUPS: &str = "then delete the groups that it leaves, if nobody needs them";
/// So that tokens have the groups which the pool has no more.
const ATTACH: &str = "before the deployment, let `instep template stack --tokens` add the function of tokens, and set it as the \
                      pool's trigger: `instep doctor` says whether it is";
/// So that the pool says nothing of groups that are in tokens.
const LEFT: &str =
    "then remove what `instep sweep` lists as left in the pool: `cognito.extra.members = \"remove\"` lets it";
/// So that the pool alone says which groups tokens have.
const DETACH: &str =
    "then take the function of tokens from the pool's triggers, unless tokens shall agree with the table";
/// So that nothing is lost which is under way.
const DRAIN: &str = "wait until the work queue is empty";
/// So that no rule or program stops to match.
const TELL: &str =
    "before the deployment, tell the subscribers: `instep contract diff OLD NEW` lists what their programs miss";
/// So that the rows of subscribers become right again.
const REBUILD: &str = "after all that, subscribers delete their rows and take a snapshot (`instep contract snapshot`): no event tells them";
/// For what is only a number of items that the models do not show.
const MEANT: &str = "make sure that this is meant: without the table, nothing was counted";

impl Model {
    /// What a change from `old` to this model means, in the order in which it should be read. Empty
    /// if the two mean the same for every item.
    ///
    /// The table is not read. So a change that touches nothing if no item is like it has the steps that it needs
    /// otherwise.
    #[must_use]
    pub fn changes_since(&self, old: &Self) -> Vec<ModelChange> {
        let (old, new) = (canonical::ordered(old), canonical::ordered(self));
        let mut found = Found { old: &old, new: &new, changes: Vec::new(), reported: 0 };
        found.part("model", canonical::whole(&old) != canonical::whole(&new), Found::model);
        found.changes
    }

    /// A fingerprint of what the keys of bookkeeping items follow from: item types and the names in
    /// their keys. A model with another one may not find what was written under this one.
    #[must_use]
    pub fn fingerprint(&self) -> &str {
        &self.derived.fingerprint
    }

    /// The text of one file that says what this model's file says with all that it extends.
    #[must_use]
    pub fn resolved_text(&self) -> &str {
        &self.derived.text
    }

    /// A name that follows from [`Model::resolved_text`]: of another text, another one.
    #[must_use]
    pub fn text_hash(&self) -> String {
        let hash = Sha256::digest(self.derived.text.as_bytes());
        hash.iter().take(TEXT_HASH_BYTES).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// See [`Model::fingerprint`].
pub(crate) fn fingerprint(items: &[ItemType]) -> String {
    let names = |item: &ItemType| -> Vec<String> {
        item.forms.iter().map(|form| form.names.iter().cloned().collect::<Vec<_>>().join(",")).collect()
    };
    let items: BTreeMap<&str, Vec<String>> = items.iter().map(|item| (item.stable_name(), names(item))).collect();
    let text = items.iter().map(|(name, forms)| format!("{name}({})", forms.join("|")));
    let hash = Sha256::digest(text.collect::<Vec<_>>().join(";").as_bytes());
    hash.iter().take(FINGERPRINT_BYTES).map(|byte| format!("{byte:02x}")).collect()
}

/// What distinguishes a link, whatever its place in the model.
pub(crate) fn link_text(model: &Model, link: &Link) -> String {
    let names: Vec<String> = link.names.iter().map(|(name, template)| format!("{name}={template}")).collect();
    let when = link.when.as_ref().map(|(name, value)| format!("?{name}={value}")).unwrap_or_default();
    format!("{}({}){when}{:?}", model.item(link.to).stable_name(), names.join(","), link.condition.alternatives)
}

/// The differences of two models, both [`canonical::ordered`].
struct Found<'m> {
    old: &'m Model,
    new: &'m Model,
    changes: Vec<ModelChange>,
    /// How often something was reported, also what is in the list already.
    reported: usize,
}

impl Found<'_> {
    /// Whether a value of the old model and one of the new one differ, with item types and links by name.
    fn differs<T: Debug + ?Sized>(&self, was: &T, is: &T) -> bool {
        canonical::text(self.old, was) != canonical::text(self.new, is)
    }

    /// Compares a part. If it differs and nothing is reported of it, this is.
    fn part(&mut self, what: &str, differs: bool, compare: impl FnOnce(&mut Self)) {
        let before = self.reported;
        compare(self);
        if differs && self.reported == before {
            let meaning = "the two models differ here, and this version of Instep does not know what that means";
            self.refuse(SettingClass::Unknown, what, meaning, "report this as a bug of Instep, with both models");
        }
    }

    /// The same for two values.
    fn compare<T: Debug + ?Sized>(&mut self, what: &str, was: &T, is: &T, compare: impl FnOnce(&mut Self)) {
        if self.differs(was, is) {
            self.part(what, true, compare);
        }
    }

    /// There is nothing to do.
    fn note(&mut self, class: SettingClass, what: impl Into<String>, meaning: impl Into<String>) {
        self.push(class, what.into(), meaning.into(), Advice::Nothing);
    }

    /// There are steps for people, in this order.
    fn steps(&mut self, class: SettingClass, what: impl Into<String>, meaning: impl Into<String>, steps: &[&str]) {
        let steps = steps.iter().map(|step| (*step).to_owned()).collect();
        self.push(class, what.into(), meaning.into(), Advice::Steps(steps));
    }

    /// The new model must not be deployed.
    fn refuse(
        &mut self,
        class: SettingClass,
        what: impl Into<String>,
        meaning: impl Into<String>,
        fix: impl Into<String>,
    ) {
        self.push(class, what.into(), meaning.into(), Advice::DoNotDeploy(fix.into()));
    }

    fn push(&mut self, class: SettingClass, what: String, meaning: String, advice: Advice) {
        self.reported += 1;
        let change = ModelChange { class, what, meaning, advice };
        // Two references to one item, or two keys in one index, can say the same.
        if !self.changes.contains(&change) {
            self.changes.push(change);
        }
    }
}

#[cfg(test)]
mod tests {
    /// A field that a pattern leaves out, or names without comparing it, would be a difference in no class.
    #[test]
    fn no_pattern_leaves_a_field_out() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/changes");
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for (place, line) in code.lines().enumerate() {
                let line = line.split("//").next().unwrap_or_default().replace("derived: _", "");
                let rests = [".. }", "(..)", ", ..)", ": _"];
                let leaves_out = line.trim() == ".." || rests.iter().any(|rest| line.contains(rest));
                assert!(!leaves_out, "{}:{}: {line}", path.display(), place + 1);
            }
        }
    }
}
