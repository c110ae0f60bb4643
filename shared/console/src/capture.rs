//! Captures as files: redacted, and written for people.

pub mod pretty;
pub mod redact;
