//! The path prefixes of the environments.

use link_types::Mode;

/// Returns the path prefix of an environment's API.
pub const fn prefix(mode: Mode) -> &'static str {
    match mode {
        Mode::Sandbox => "/sandbox/v1",
        Mode::Production => "/v1",
    }
}
