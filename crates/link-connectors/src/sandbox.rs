//! The sandbox: providers with a published login for every outcome, and with invented people and numbers.
//!
//! | Login | Password | What happens |
//! |---|---|---|
//! | `good` | `pass` | connects immediately |
//! | `many` | `pass` | connects; one list has more than 300 items |
//! | `slow` | `pass` | connects after three waits |
//! | `partial`, `reauth` | `pass` | connects; the reading is incomplete, or requires a new login |
//! | `changes`, `sync-…` | `pass` | connects; later readings find changes, or fail |
//! | `mfa-otp` and other `mfa-…` | `pass` | one or several of the challenges of `sandbox/ask.rs` |
//! | `oauth` | `pass` | leads to the sandbox provider's own page of `sandbox/redirect.rs` |
//! | `error-<CODE>` | `pass` | fails with this error code |
//! | `guess-…` | | fails with INVALID_CREDENTIALS, and then shows one of the limits on guessing |
//! | anything else, or another password | | fails with INVALID_CREDENTIALS |
//!
//! A login may be written as an email address. Only the part before the `@` counts.

mod ask;
mod data;
mod document_file;
mod draw;
mod picture;
mod providers;
mod published;
mod recording;
pub mod records;
pub mod redirect;
pub mod samples;
mod scenario;
mod source;
mod state;
mod translations;

pub use providers::all as providers;
pub use published::{Ask, LOGINS, PASSWORD, PublishedLogin, PublishedOutcome, is_published};
pub use source::{SandboxSource, sample};

#[cfg(test)]
mod tests;
