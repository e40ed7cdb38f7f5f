//! Tables of records and signals.

pub(crate) mod records;
pub(super) mod requested;
pub(crate) mod signals;
