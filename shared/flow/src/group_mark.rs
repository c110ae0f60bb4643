//! The descriptions of the Cognito groups that Instep manages. Pure.

use instep_model::Model;
use jiff::Timestamp;

use crate::account::{MARK, Removal, SKEW};

/// The beginning of the word that says which deletion of its item a group was made after.
const AFTER: &str = "after=";

/// The description of a group that is made for an item, which was deleted before if `after` says so.
#[must_use]
pub fn description(model: &Model, after: Option<&Removal>) -> String {
    let after = after.map(|after| format!(" {AFTER}{after}")).unwrap_or_default();
    format!("{MARK}{}{after}", model.name)
}

/// What follows the mark in a description. People may append their own text. Another mark may begin with this one.
fn after_mark<'d>(model: &Model, description: &'d str) -> Option<&'d str> {
    let rest = description.strip_prefix(MARK)?.strip_prefix(&model.name)?;
    (rest.is_empty() || rest.starts_with(' ')).then_some(rest)
}

/// Whether a description has the mark of Instep.
#[must_use]
pub fn is_marked(model: &Model, description: &str) -> bool {
    after_mark(model, description).is_some()
}

/// The deletion of its item after which a group was made, as its description says.
#[must_use]
pub fn after(model: &Model, description: &str) -> Option<Removal> {
    let mut words = after_mark(model, description)?.split(' ');
    words.find_map(|word| Removal::parse(word.strip_prefix(AFTER)?))
}

/// Whether a group was made for an earlier item, which was deleted since, and written again before any run saw that.
#[must_use]
pub fn is_older_than(model: &Model, description: &str, created: Option<Timestamp>, removal: &Removal) -> bool {
    let is_known = after(model, description).is_some_and(|after| after >= *removal);
    !is_known && created.is_some_and(|created| created.duration_since(removal.at) <= SKEW)
}

#[cfg(test)]
mod tests {
    use instep_model::Model;

    use super::*;

    #[test]
    fn a_group_is_older_than_a_deletion_that_it_was_not_made_after() {
        let model = Model::shipped("platform").unwrap();
        let removal = |second, sequence: &str| Removal {
            at: Timestamp::from_second(second).unwrap(),
            sequence: sequence.to_owned(),
        };
        let created = |second| Some(Timestamp::from_second(second).unwrap());
        let plain = description(&model, None);
        let marked = description(&model, Some(&removal(100, "2")));
        assert_eq!(
            (plain.as_str(), marked.as_str()),
            ("instep:platform", "instep:platform after=1970-01-01T00:01:40Z/2")
        );
        assert_eq!(after(&model, &format!("{marked} ours")), Some(removal(100, "2")));
        assert!(is_marked(&model, &marked) && !is_marked(&model, "instep:platforms") && !is_marked(&model, ""));
        assert!(is_older_than(&model, &plain, created(103), &removal(100, "2")), "clocks differ");
        assert!(!is_older_than(&model, &plain, created(104), &removal(100, "2")));
        assert!(!is_older_than(&model, &plain, None, &removal(100, "2")));
        assert!(!is_older_than(&model, &marked, created(100), &removal(100, "2")));
        assert!(is_older_than(&model, &marked, created(100), &removal(100, "3")));
    }
}
