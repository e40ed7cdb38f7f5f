//! The widget's session: opened by a link token, looked at, ended.

pub(super) mod end;
pub(super) mod get;
pub(super) mod open;
mod view;
mod work;
