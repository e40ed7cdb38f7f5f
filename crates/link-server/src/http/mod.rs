//! Shared HTTP code for all endpoints.
//!
//! # Where to start
//!
//! 1. [`endpoints`]: how an endpoint is routed and documented.
//! 2. [`extract`]: what a handler takes, above all authenticated callers. [`validation`]: checks of bodies.
//! 3. [`problem`]: error responses of handlers. [`idempotency`]: runs each POST once.
//! 4. [`middleware`]: the layers around all endpoints. [`limits`]: what they and the extractors count.

pub mod audit;
pub mod endpoints;
pub mod extract;
pub mod idempotency;
pub mod limits;
pub mod list;
pub mod middleware;
pub mod multipart;
pub mod polling;
pub mod problem;
pub mod tus;
pub mod txt_records;
pub mod validation;

use link_types::Mode;

/// Returns the path prefix of an environment's API.
pub const fn prefix(mode: Mode) -> &'static str {
    match mode {
        Mode::Sandbox => "/sandbox/v1",
        Mode::Production => "/v1",
    }
}

/// Returns the environment to whose API a path belongs.
pub fn mode_of(path: &str) -> Option<Mode> {
    let is_below = |mode: &Mode| path.strip_prefix(prefix(*mode)).is_some_and(|below| below.starts_with('/'));
    [Mode::Sandbox, Mode::Production].into_iter().find(is_below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mode_follows_from_the_whole_prefix_of_a_path() {
        assert_eq!(mode_of("/sandbox/v1/users"), Some(Mode::Sandbox));
        assert_eq!(mode_of("/v1/users"), Some(Mode::Production));
        for path in ["/v10/users", "/v1", "/sandbox/v10/users", "/invite/v1/users", ""] {
            assert_eq!(mode_of(path), None, "{path}");
        }
    }
}
