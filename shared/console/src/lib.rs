//! What the commands of the command line share: files, models and items go in ([`input`], [`model_source`], [`item`],
//! [`record`]); files of writes are read and played ([`writes`], [`steps`], [`writer`]); lines and reports come out
//! ([`output`], [`report`]). It parses no arguments and runs no command: that is `functions/instep`, and `instep-dev`.

pub mod clock;
pub mod data_dir;
pub mod explanation;
pub mod input;
pub mod interrupt;
pub mod item;
pub mod model_source;
pub mod output;
pub mod record;
pub mod report;
pub mod steps;
pub mod writer;
pub mod writes;
