//! The widget's session: opening it with a link token, reading it and ending it.

pub(super) mod end;
pub(super) mod get;
pub(super) mod open;
mod view;
mod work;
