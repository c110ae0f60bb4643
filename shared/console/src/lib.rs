#![doc = include_str!("../README.md")]
#![expect(
    clippy::missing_errors_doc,
    reason = "each error is for the person at the command line, and says itself what failed"
)]

pub mod answer;
pub mod capture;
pub mod clock;
pub mod data_dir;
pub mod explanation;
pub mod forward;
pub mod input;
pub mod interrupt;
pub mod model_source;
pub mod output;
pub mod record;
pub mod report;
pub mod scan;
pub mod sdk_error;
pub mod steps;
pub mod writer;
pub mod writes;
