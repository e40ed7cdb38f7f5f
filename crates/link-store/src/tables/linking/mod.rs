//! Tables of linking: accounts, attempts, sessions, guesses, exports, and the reports of the widget.

pub(crate) mod account_links;
pub(super) mod account_summaries;
pub(crate) mod accounts;
pub(crate) mod exports;
pub(crate) mod funnel;
pub(crate) mod guess_counts;
pub(crate) mod link_attempts;
pub(crate) mod link_handoffs;
pub(crate) mod link_sessions;
pub(crate) mod link_tokens;
pub(crate) mod login_tries;
pub(crate) mod surveys;
pub(crate) mod ui_events;
pub(crate) mod withdrawals;
