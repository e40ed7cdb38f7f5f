//! Code that `cargo xtask codegen` writes.

pub mod service_texts;
pub mod text_keys;
