//! Names of Cognito users and groups: rendered so that no two items share one, and told from the
//! names that others choose.

use std::ops::RangeInclusive;

use thiserror::Error;

use crate::matching::ValueRefusal;
use crate::model::{ItemType, KeyForm, Link, Model, Names, TypeId, UserValue};
use crate::slot::Slot;
use crate::template::Template;

/// Cognito's limit on the length of group and user names, in characters.
pub const COGNITO_NAME_MAX_CHARS: usize = 128;

/// A Cognito name cannot be rendered. No message contains a value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CognitoNameError {
    /// A name in the template has no value.
    #[error("`{name}` has no value")]
    Missing {
        /// The name.
        name: String,
    },
    /// With this value of a name, the Cognito name could be that of another item.
    #[error("the text of `{name}` cannot stand in the Cognito name `{template}`: {why}")]
    Refused {
        /// The name.
        name: String,
        /// The template.
        template: String,
        /// What is wrong with the value.
        why: String,
    },
    /// Cognito refuses white space, and characters that are not shown.
    #[error("the Cognito name `{template}` would have white space or a hidden character in it, which Cognito refuses")]
    Character {
        /// The template.
        template: String,
    },
    /// The name is too long for Cognito.
    #[error("the Cognito name `{template}` would have {chars} characters; Cognito's limit is {COGNITO_NAME_MAX_CHARS}")]
    TooLong {
        /// The template.
        template: String,
        /// Its length.
        chars: usize,
    },
}

/// Unicode's format characters (Cf). Source: Unicode 16, `DerivedGeneralCategory.txt`.
const FORMAT: [RangeInclusive<char>; 21] = [
    '\u{00AD}'..='\u{00AD}',
    '\u{0600}'..='\u{0605}',
    '\u{061C}'..='\u{061C}',
    '\u{06DD}'..='\u{06DD}',
    '\u{070F}'..='\u{070F}',
    '\u{0890}'..='\u{0891}',
    '\u{08E2}'..='\u{08E2}',
    '\u{180E}'..='\u{180E}',
    '\u{200B}'..='\u{200F}',
    '\u{202A}'..='\u{202E}',
    '\u{2060}'..='\u{2064}',
    '\u{2066}'..='\u{206F}',
    '\u{FEFF}'..='\u{FEFF}',
    '\u{FFF9}'..='\u{FFFB}',
    '\u{110BD}'..='\u{110BD}',
    '\u{110CD}'..='\u{110CD}',
    '\u{13430}'..='\u{1343F}',
    '\u{1BCA0}'..='\u{1BCA3}',
    '\u{1D173}'..='\u{1D17A}',
    '\u{E0001}'..='\u{E0001}',
    '\u{E0020}'..='\u{E007F}',
];

/// Unicode's private use areas (Co). Source: as above.
const PRIVATE_USE: [RangeInclusive<char>; 3] =
    ['\u{E000}'..='\u{F8FF}', '\u{F0000}'..='\u{FFFFD}', '\u{100000}'..='\u{10FFFD}'];

/// Whether Cognito accepts a character in the name of a user or group.
///
/// Source: Amazon Cognito User Pools API Reference, `GroupName` and `Username`, pattern
/// `[\p{L}\p{M}\p{S}\p{N}\p{P}]+`. The pattern excludes separators and the "other" categories. Of
/// the latter, unassigned characters are accepted here, because rejecting them needs tables of all
/// assigned characters.
#[must_use]
pub fn is_cognito_char(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_graphic();
    }
    // Every separator (Zs, Zl, Zp) is white space. All other white space is control characters.
    let is_other = c.is_control() || FORMAT.iter().chain(&PRIVATE_USE).any(|range| range.contains(&c));
    !c.is_whitespace() && !is_other
}

/// The first character of a text for which Cognito refuses a name.
pub(crate) fn refused_char(text: &str) -> Option<char> {
    text.chars().find(|c| !is_cognito_char(*c))
}

/// Such a character, for people: most of them cannot be seen.
pub(crate) fn for_people(c: char) -> String {
    if c.is_whitespace() { "white space".to_owned() } else { format!("the character U+{:04X}", u32::from(c)) }
}

impl Model {
    /// Whether all names of Cognito users are in lower case: each name in their templates is written so there, or in
    /// every form of the item's key, from which its value comes.
    #[must_use]
    pub fn has_lowered_users(&self) -> bool {
        let is_lowered = |item: &ItemType, slot: &Slot| {
            let in_form = |form: &KeyForm| form.slots().any(|own| own.name == slot.name && own.lower);
            slot.lower || item.forms.iter().all(in_form)
        };
        let of_item = |item: &ItemType| {
            if let Some(value) = item.user_value {
                return value == UserValue::Sub || self.user_values_are_lowered();
            }
            item.user.as_ref().is_none_or(|user| user.name.is_lowered(&|slot| is_lowered(item, slot)))
        };
        self.items.iter().all(of_item)
    }

    /// Whether a pool that is made for the model ignores case. If the model names no user, it does not: a pool never
    /// changes in this, and only one that heeds case serves whatever users a later model names.
    #[must_use]
    pub fn pool_ignores_case(&self) -> bool {
        let names_user = |item: &ItemType| item.user.is_some() || item.user_value.is_some();
        self.items.iter().any(names_user) && self.has_lowered_users()
    }

    /// Whether each template of a user name of people who sign up is in lower case.
    #[must_use]
    pub fn user_values_are_lowered(&self) -> bool {
        let is_value = |link: &&Link| self.item(link.to).user_value.is_some();
        let mut templates = self.links.iter().filter(is_value).flat_map(|link| link.names.values());
        templates.all(|template| template.is_lowered(&|slot| slot.lower))
    }

    /// Whether a user is signed out after a membership was removed.
    #[must_use]
    pub fn signs_out(&self) -> bool {
        self.items.iter().flat_map(|item| &item.members).any(|member| member.sign_out)
    }

    /// By what items name accounts of people who sign up, and the item type of these values.
    #[must_use]
    pub fn user_value(&self) -> Option<(TypeId, UserValue)> {
        self.types().find_map(|(of, item)| Some((of, item.user_value?)))
    }

    /// Renders a template of `of` whose text gives back the values of its names.
    ///
    /// # Errors
    /// A name has no value, or one that is not allowed for it.
    pub fn checked_text<T: AsRef<str>>(
        &self,
        of: TypeId,
        template: &Template,
        lookup: &dyn Fn(&str) -> Option<T>,
    ) -> Result<String, CognitoNameError> {
        let texts = self.texts(self.item(of));
        template.render_or(&|slot| {
            let name = slot.name.as_str();
            let value = lookup(name).ok_or_else(|| CognitoNameError::Missing { name: name.to_owned() })?;
            let text = value.as_ref();
            let refused = texts.check(name, text).err().map(|refusal: ValueRefusal| refusal.for_people(&texts, name));
            match refused.or_else(|| slot.refuses_to_pad(text).map(str::to_owned)) {
                None => Ok(value),
                Some(why) => {
                    let (name, template) = (name.to_owned(), template.source().to_owned());
                    Err(CognitoNameError::Refused { name, template, why })
                }
            }
        })
    }

    /// Renders the name of a Cognito user or group from a template of `of`, with the values that
    /// `lookup` gives. For a group that belongs to another item, `of` is the type of that item.
    ///
    /// # Errors
    /// A value is not allowed for its name, since another item could then have the same Cognito
    /// name; or Cognito would refuse the name.
    pub fn cognito_name<T: AsRef<str>>(
        &self,
        of: TypeId,
        template: &Template,
        lookup: &dyn Fn(&str) -> Option<T>,
    ) -> Result<String, CognitoNameError> {
        let source = || template.source().to_owned();
        let rendered = self.checked_text(of, template, lookup)?;
        let chars = rendered.chars().count();
        if refused_char(&rendered).is_some() {
            Err(CognitoNameError::Character { template: source() })
        } else if chars > COGNITO_NAME_MAX_CHARS {
            Err(CognitoNameError::TooLong { template: source(), chars })
        } else {
            Ok(rendered)
        }
    }

    /// Whether a Cognito group's name matches a group template of this model: see
    /// [`crate::Marker::Name`].
    #[must_use]
    pub fn is_group_name(&self, name: &str) -> bool {
        self.items.iter().any(|item| {
            let texts = self.texts(item);
            let brought = item.groups.iter().map(|groups| &groups.name);
            let made = item.members.iter().filter(|member| member.group_link().is_none() && !member.is_by_hand());
            let own = made.map(|member| &member.group);
            brought.chain(own).any(|template| texts.read(template, name, &mut Names::new()))
        })
    }

    /// Whether a group's name matches a template of groups that are in tokens alone.
    #[must_use]
    pub fn is_token_group(&self, name: &str) -> bool {
        self.items.iter().any(|item| {
            let texts = self.texts(item);
            let own = item.groups.iter().filter(|groups| groups.in_token).map(|groups| &groups.name);
            let members = item.members.iter().filter(|member| member.in_token && member.group_link().is_none());
            let mut all = own.chain(members.map(|member| &member.group));
            all.any(|template| texts.read(template, name, &mut Names::new()))
        })
    }

    /// Whether a rule of the model needs Cognito.
    #[must_use]
    pub fn uses_cognito(&self) -> bool {
        self.items.iter().any(|item| item.user.is_some() || !item.groups.is_empty() || !item.members.is_empty())
    }

    /// Whether some groups are in tokens alone.
    #[must_use]
    pub fn has_token_groups(&self) -> bool {
        self.items.iter().flat_map(|item| &item.members).any(|member| member.in_token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Promise 5: a pool that folds case folds no two users of the model into one.
    #[test]
    fn user_names_are_lowered_by_their_template_or_by_the_key() {
        let is_lowered = |pk: &str, name: &str| {
            let text = format!(
                "model = \"m\"\ntable = {{ pk = \"pk\", sk = \"sk\" }}\n[items.User]\npk = {pk}\nsk = \"U\"\n\
                 cognito.user.name = \"{name}\""
            );
            Model::parse("m.toml", &text).unwrap().has_lowered_users()
        };
        assert!(is_lowered("\"U#{u}\"", "{u|lower}"));
        assert!(is_lowered("\"U#{u|lower}\"", "{u}"));
        assert!(is_lowered("[\"U#{u|lower}\", \"V#{u|lower}\"]", "u-{u}"));
        assert!(!is_lowered("\"U#{u|lower}\"", "U-{u}"));
        assert!(!is_lowered("\"U#{u}\"", "{u}"));
    }

    /// A user of any name can be added to the model later, but a pool that ignores case will always do so.
    #[test]
    fn the_pool_of_a_model_without_users_heeds_case() {
        let ignores_case = |cognito: &str| {
            let text = format!(
                "model = \"m\"\ntable = {{ pk = \"pk\", sk = \"sk\" }}\n[items.Team]\npk = \"T#{{t}}\"\nsk = \"T\"\n{cognito}"
            );
            Model::parse("m.toml", &text).unwrap().pool_ignores_case()
        };
        assert!(!ignores_case("cognito.groups = \"t:{t}\""));
        assert!(ignores_case("cognito.user.name = \"{t|lower}\""));
        assert!(!ignores_case("cognito.user.name = \"{t}\""));
    }
}
