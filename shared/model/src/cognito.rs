//! Names in Cognito: rendered so that no two items get one, and told from other people's.

use thiserror::Error;

use crate::matching::Refusal;
use crate::model::{Made, Model, Names, TypeId};
use crate::template::Template;

/// Cognito's limit on the length of group and user names, in characters.
pub const COGNITO_NAME_MAX_CHARS: usize = 128;

/// A Cognito name cannot be made. No message holds a value.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CognitoNameError {
    /// A name in the template has no text.
    #[error("`{name}` has no value")]
    Missing {
        /// The name.
        name: String,
    },
    /// A name's text could make the Cognito name of something else.
    #[error("the text of `{name}` cannot stand in the Cognito name `{template}`: {why}")]
    Refused {
        /// The name.
        name: String,
        /// The template.
        template: String,
        /// What is wrong with the text.
        why: String,
    },
    /// Cognito refuses white space.
    #[error("the Cognito name `{template}` would have white space in it, which Cognito refuses")]
    WhiteSpace {
        /// The template.
        template: String,
    },
    /// Cognito's names are shorter.
    #[error("the Cognito name `{template}` would have {chars} characters; Cognito's limit is {COGNITO_NAME_MAX_CHARS}")]
    TooLong {
        /// The template.
        template: String,
        /// Its length.
        chars: usize,
    },
}

/// Whether Cognito refuses a name for a character in it.
pub(crate) fn has_white_space(text: &str) -> bool {
    text.chars().any(|c| c.is_whitespace() || c.is_control())
}

impl Model {
    /// A Cognito user or group name: a template of `of` (for a group that another item brings, of that item's type),
    /// with the texts that `lookup` gives.
    ///
    /// # Errors
    /// Where a text is not one that its name can hold, for then another item could have the same Cognito name; and
    /// where Cognito would refuse the name.
    pub fn cognito_name(
        &self,
        of: TypeId,
        template: &Template,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<String, CognitoNameError> {
        let texts = self.texts(self.item(of));
        let source = || template.source().to_owned();
        for name in template.names() {
            let text = lookup(name).ok_or_else(|| CognitoNameError::Missing { name: name.to_owned() })?;
            texts.check(name, &text).map_err(|refusal: Refusal| CognitoNameError::Refused {
                name: name.to_owned(),
                template: source(),
                why: refusal.for_people(&texts, name),
            })?;
        }
        let rendered = template.render(lookup).map_err(|missing| CognitoNameError::Missing { name: missing.name })?;
        let chars = rendered.chars().count();
        if has_white_space(&rendered) {
            Err(CognitoNameError::WhiteSpace { template: source() })
        } else if chars > COGNITO_NAME_MAX_CHARS {
            Err(CognitoNameError::TooLong { template: source(), chars })
        } else {
            Ok(rendered)
        }
    }

    /// Whether a Cognito group's name is one that this model gives to groups: those of [`crate::Marker::Name`].
    #[must_use]
    pub fn is_group_name(&self, name: &str) -> bool {
        self.items.iter().any(|item| {
            let texts = self.texts(item);
            let brought = item.groups.as_ref().map(|groups| &groups.name);
            let made = item.member.as_ref().filter(|member| member.group_of.is_none() && member.made != Made::ByHand);
            let own = made.map(|member| &member.group);
            brought.into_iter().chain(own).any(|template| texts.read(template, name, &mut Names::new()))
        })
    }
}
