#![doc = include_str!("../README.md")]

mod breach;
mod calls;
mod check;
mod cognito;
mod design;
pub mod explore;
mod implied;
mod item;
mod message;
pub mod random;
mod rules;
mod run;
mod show;
mod state;
mod step;
mod table;
mod without;
mod world;

pub use breach::Breach;
pub use cognito::SmallPool;
pub use design::Design;
pub use item::{SmallItem, SmallRecord};
pub use message::Message;
pub use rules::{Rule, Rules};
pub use run::{Ask, CallAnswer, Run, Source};
pub use state::State;
pub use step::Step;
pub use table::{SmallTable, WriteAnswer};
pub use world::{Budget, Find, Race, SmallLink, SmallMembership, SmallObject, SmallWorld};
