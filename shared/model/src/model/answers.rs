//! What only answers read: where access applies beside its scope, and what a role permits.

use super::condition::Condition;
use super::ids::LinkId;
use super::link::Link;
use crate::template::{Slot, Template, TemplatePart};

/// What an item is in: what applies there applies to the item, too.
#[derive(Debug, Clone)]
pub enum Within {
    /// The items that these references lead to.
    Items(Vec<Link>),
    /// The items of the same type that a leading part of the value of a name identifies. `/usa/west` is in `/usa`, and that is
    /// in `/`.
    Path {
        /// The only name in the key.
        name: String,
        /// What separates the parts.
        separator: String,
    },
}

/// An edge along which access flows: what applies to the item at one end applies to the item at the other.
#[derive(Debug, Clone)]
pub struct Conveys {
    /// The name of the end to which it flows.
    pub end: String,
    /// The links of that end.
    pub to: Vec<LinkId>,
    /// The links of the other end.
    pub from: Vec<LinkId>,
    /// It flows while this holds for the edge's item.
    pub when: Condition,
}

/// The permissions that an item gives: a role's item, or an item that links a role to one.
#[derive(Debug, Clone)]
pub struct Permits {
    /// A permission, over the item's names and attributes, or over those of each element of `list`.
    pub permission: Template,
    /// An attribute, or a path, with a list of maps: each is a permission.
    pub list: Option<String>,
    /// The value of a name that stands for every value.
    pub any: Option<String>,
    /// The role that gets it, of an item that links a role to a permission.
    pub role: Option<Link>,
}

/// The characters that separate the values of a permission: the first of each constant behind a name.
pub(crate) fn separators(permission: &Template) -> impl Iterator<Item = char> {
    permission.parts().iter().skip(1).filter_map(|part| match part {
        TemplatePart::Constant(constant) => constant.chars().next(),
        TemplatePart::Name(_) => None,
    })
}

/// One permission: the value of each name, so that no value can be read as several.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Permission {
    /// As people write it.
    pub text: String,
    /// The text of each name in it, in order.
    values: Vec<String>,
}

impl Permits {
    /// The permission that a text names. `None` if it has another form.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<Permission> {
        let mut rest = text;
        let mut values = Vec::new();
        for part in self.permission.parts() {
            match part {
                TemplatePart::Constant(constant) => rest = rest.strip_prefix(constant.as_str())?,
                TemplatePart::Name(_) => {
                    let end = rest.find(|c| self.separates(c)).unwrap_or(rest.len());
                    let (value, tail) = rest.split_at_checked(end)?;
                    values.push(value.to_owned());
                    rest = tail;
                }
            }
        }
        self.checked(values).filter(|_| rest.is_empty())
    }

    /// The permission that values give. `None` if a name has none, or one that would be read back as another permission.
    pub fn of<T: AsRef<str>>(&self, lookup: &dyn Fn(&str) -> Option<T>) -> Option<Permission> {
        let value = |slot: &Slot| Some(slot.apply(lookup(&slot.name)?.as_ref()).into_owned());
        self.checked(self.permission.slots().map(value).collect::<Option<Vec<String>>>()?)
    }

    /// Whether a permission that an item gives is the one that was asked for, or stands for it.
    #[must_use]
    pub fn allows(&self, given: &Permission, asked: &Permission) -> bool {
        let is_any = |value: &String| self.any.as_ref() == Some(value);
        given.values.len() == asked.values.len()
            && given.values.iter().zip(&asked.values).all(|(given, asked)| given == asked || is_any(given))
    }

    /// Whether a character separates values, so that none contains it: the last one neither.
    fn separates(&self, c: char) -> bool {
        separators(&self.permission).any(|separator| separator == c)
    }

    fn checked(&self, values: Vec<String>) -> Option<Permission> {
        let is_value = |value: &String| !value.is_empty() && !value.contains(|c| self.separates(c));
        let names: Vec<&Slot> = self.permission.slots().collect();
        let differs = |(place, slot): (usize, &&Slot)| {
            let first = names.iter().position(|other| other.name == slot.name);
            first.is_some_and(|first| values.get(first) != values.get(place))
        };
        if !values.iter().all(is_value) || names.iter().enumerate().any(differs) {
            return None;
        }
        let mut in_order = values.iter();
        let texts = self.permission.parts().iter().map(|part| match part {
            TemplatePart::Constant(constant) => constant.as_str(),
            TemplatePart::Name(_) => in_order.next().map_or("", String::as_str),
        });
        let text = texts.collect();
        Some(Permission { text, values })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(permission: &str) -> Permits {
        let permission = Template::parse(permission).unwrap();
        Permits { permission, list: None, any: Some("*".to_owned()), role: None }
    }

    /// Promise 2: a permission is read in one way, and no value is taken for several.
    #[test]
    fn a_permission_has_one_value_for_each_name() {
        let read = |form: &str, text: &str| permits(form).read(text).map(|permission| permission.values.join(" "));
        assert_eq!(read("{module}:{action}", "files:read").as_deref(), Some("files read"));
        assert_eq!(read("app:{action}", "app:apply").as_deref(), Some("apply"), "what comes first separates nothing");
        assert_eq!(read("{a}--{b}!", "x--y!").as_deref(), Some("x y"));
        assert_eq!(read("{a}:{a}", "x:x").as_deref(), Some("x x"));
        for (form, text) in [
            ("{module}:{action}", "files"),
            ("{module}:{action}", "files:"),
            ("{module}:{action}", ":read"),
            ("{module}:{action}", "files:read:all"),
            ("app:{action}", "apply"),
            ("{a}--{b}", "x-y--z"),
            ("{a}:{a}", "x:y"),
        ] {
            assert_eq!(read(form, text), None, "{form} {text}");
        }
        let of = |value: &str| {
            permits("{module}:{action}").of(&|name: &str| Some(if name == "module" { value } else { "read" }))
        };
        assert_eq!(of("files").map(|permission| permission.text).as_deref(), Some("files:read"));
        assert_eq!(of("files:all"), None);
        assert_eq!(of(""), None);
    }

    /// Promise 2: what stands for every value does so where it is given, not where it is asked for.
    #[test]
    fn any_stands_for_every_value_of_one_name() {
        let permits = permits("{module}:{action}");
        let allows =
            |given: &str, asked: &str| permits.allows(&permits.read(given).unwrap(), &permits.read(asked).unwrap());
        assert!(allows("files:read", "files:read") && allows("*:read", "files:read") && allows("*:*", "files:read"));
        assert!(
            !allows("files:read", "*:read")
                && !allows("fi*:read", "files:read")
                && !allows("files:read", "files:write")
        );
    }
}
