#![doc = include_str!("../README.md")]

mod changes;
mod cognito;
mod compile;
mod describe;
mod duration;
mod errors;
mod file;
mod finding;
mod group_settings;
mod identity;
mod links;
mod load;
mod look_back;
mod matching;
mod messages;
mod model;
mod moment;
mod nearest;
mod number;
mod object_text;
mod path;
mod published;
mod reading;
mod reverse;
pub mod settings;
mod shipped;
mod slot;
mod source;
pub mod template;
mod template_error;
mod user_attributes;
mod uses;
mod value;

pub use changes::{Advice, ChangeVerdict, ModelChange, SettingClass};
pub use cognito::{COGNITO_NAME_MAX_CHARS, CognitoNameError, is_cognito_char};
pub use describe::{describe, follows, keys_of, kinds};
pub use errors::{ModelErrors, Problem};
pub use finding::{WayQuery, Ways};
pub use group_settings::{PRECEDENCE_MAX, account_of_iam_role, group_precedence};
pub use identity::{BOOKKEEPING_ATTRIBUTE, BOOKKEEPING_PREFIX, Identity, RenderError};
pub use links::Sources;
pub use messages::{escaped, suggestion};
pub use model::*;
pub use moment::{beginning, end, is_too_far};
pub use nearest::{Differs, Near};
pub use path::{attribute_of, first_value, leads_into, put, value_at, without};
pub use published::{DETAIL_TYPE_CHARS_MAX, EventName, KeyName, Name, Published, TextOf};
pub use reading::{PartitionPart, ReadCondition, ReadRefusal, SortCondition};
pub use shipped::{example_writes, shipped_names, shipped_text};
pub use slot::encode_uri_component;
pub use user_attributes::{
    ACCOUNT_MARK, AttributeForm, COGNITO_USER_ATTRIBUTES, CUSTOM_ATTRIBUTE, CUSTOM_ATTRIBUTES_MAX, DEVELOPER_ATTRIBUTE,
    VERIFIED_ATTRIBUTE, user_attribute_refusal,
};
pub use value::*;
