//! Tables of a person's own page: the mailbox that data belongs to, and sessions. Mailboxes are keyed hashes.

pub(crate) mod given_data;
pub(crate) mod page_sessions;
