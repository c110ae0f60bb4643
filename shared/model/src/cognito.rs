//! Names of Cognito users and groups: rendered so that no two items share one, and told from the
//! names that others choose.

use thiserror::Error;

use crate::matching::Refusal;
use crate::model::{Made, Model, Names, TypeId};
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
    /// Cognito refuses white space.
    #[error("the Cognito name `{template}` would have white space in it, which Cognito refuses")]
    WhiteSpace {
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

/// Whether Cognito refuses a name because of a character in it.
pub(crate) fn has_white_space(text: &str) -> bool {
    text.chars().any(|c| c.is_whitespace() || c.is_control())
}

impl Model {
    /// Renders the name of a Cognito user or group from a template of `of`, with the values that
    /// `lookup` gives. For a group that belongs to another item, `of` is the type of that item.
    ///
    /// # Errors
    /// A value is not allowed for its name, since another item could then have the same Cognito
    /// name; or Cognito would refuse the name.
    pub fn cognito_name(
        &self,
        of: TypeId,
        template: &Template,
        lookup: &dyn Fn(&str) -> Option<String>,
    ) -> Result<String, CognitoNameError> {
        let texts = self.texts(self.item(of));
        let source = || template.source().to_owned();
        for slot in template.slots() {
            let name = slot.name.as_str();
            let text = lookup(name).ok_or_else(|| CognitoNameError::Missing { name: name.to_owned() })?;
            let refused = texts.check(name, &text).err().map(|refusal: Refusal| refusal.for_people(&texts, name));
            if let Some(why) = refused.or_else(|| slot.refuses_to_pad(&text).map(str::to_owned)) {
                return Err(CognitoNameError::Refused { name: name.to_owned(), template: source(), why });
            }
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

    /// Whether a Cognito group's name matches a group template of this model: see
    /// [`crate::Marker::Name`].
    #[must_use]
    pub fn is_group_name(&self, name: &str) -> bool {
        self.items.iter().any(|item| {
            let texts = self.texts(item);
            let brought = item.groups.iter().map(|groups| &groups.name);
            let made = item.members.iter().filter(|member| member.group_of.is_none() && member.made != Made::ByHand);
            let own = made.map(|member| &member.group);
            brought.chain(own).any(|template| texts.read(template, name, &mut Names::new()))
        })
    }
}
