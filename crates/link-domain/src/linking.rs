//! Linking accounts: sessions, consent, attempts, guesses, the life cycle of an account, and the port to its source.

pub mod account;
pub mod account_source;
pub mod consent;
pub mod consent_reading;
pub mod export;
pub mod guesses;
pub mod link;
pub mod link_history;
pub mod login_form;
pub mod reach;
pub mod terms;
