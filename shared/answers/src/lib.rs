#![doc = include_str!("../README.md")]

mod answer;
mod asking;
mod can;
mod evaluation;
mod grants;
mod question;
mod roles;
mod scopes;
mod what;

pub use answer::{Allowed, Answer, Denied, GrantKey, Holding, Holdings, NEAR_MAX, NearGrant, Reason};
pub use asking::{Asking, AskingStep, QuestionCost};
pub use question::{AskedPlace, NamedItem, Question, RefusedQuestion, WantedAccess, grants_of, scope_types};
pub use roles::elements_without_permission;
