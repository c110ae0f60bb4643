//! Counting API calls.
