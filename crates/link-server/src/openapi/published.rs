//! The published OpenAPI document, compiled in.

/// The document in the repository, which `cargo xtask codegen` generates from the code.
///
/// The service returns it and validates bodies with it.
pub const PUBLISHED: &str = include_str!("../../../../docs/openapi.json");
