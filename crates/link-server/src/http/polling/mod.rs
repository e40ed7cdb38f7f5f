//! Long polling: requests that wait for a change.

pub mod long_polls;
pub mod news;
