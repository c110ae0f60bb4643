#![doc = include_str!("../README.md")]

mod answer;
mod asking;
mod can;
mod checks;
mod cursor;
mod evaluation;
mod grants;
mod question;
mod read;
mod roles;
mod scopes;
mod what;
mod who;

pub use answer::{Allowed, Answer, Denied, GrantKey, Holder, Holders, Holding, Holdings, NEAR_MAX, NearGrant, Reason};
pub use asking::{Asking, AskingStep, QuestionCost};
pub use question::{AskedPlace, NamedItem, Question, RefusedQuestion, WantedAccess, grants_of, scope_types};
pub use read::{PAGE_ROWS, PageReading, ReadItem, ReadPage, ReadingStep, RefusedRead, read_plan};
pub use roles::elements_without_permission;
pub use who::{PAGE_SUBJECTS, who_lists};
