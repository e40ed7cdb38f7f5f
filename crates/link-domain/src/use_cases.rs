//! Use cases that change several entities in one unit of work. Each is one function: a handler or worker reads what is
//! stored, calls it, and applies the [`Change`](crate::change::Change) that it returns.

mod link_invite;
mod open_session;
mod start_link;

#[cfg(test)]
mod tests;

pub use link_invite::{connects_account, link_invite};
pub use open_session::{OpenedSession, StoredAttempt, open_session};
pub use start_link::{LinkTarget, StartRefused, StoredLink, start_link, tries_of_submission};
