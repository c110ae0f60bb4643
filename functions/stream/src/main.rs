//! tbd
fn main() {}
