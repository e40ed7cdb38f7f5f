//! The only task runner.
fn main() {}
