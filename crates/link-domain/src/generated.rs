//! Code that `cargo xtask codegen` writes.

pub mod text_keys;
