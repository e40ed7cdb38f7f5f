//! Code that `cargo xtask codegen` writes.

pub mod message;
