#![doc = include_str!("../README.md")]

mod calls;
mod check;
mod cognito;
mod design;
pub mod explore;
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

pub use check::Breach;
pub use cognito::{Cognito, Membership};
pub use design::Design;
pub use message::Message;
pub use rules::{Rule, Rules};
pub use run::{Answer, Ask, Run, Source};
pub use state::State;
pub use step::Step;
pub use table::{Item, Record, Table, Written};
pub use world::{Budget, Find, Link, Object, Race, World};
