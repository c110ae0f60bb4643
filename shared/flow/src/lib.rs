//! Decode, plan, settle: pure stages.

pub mod report;
