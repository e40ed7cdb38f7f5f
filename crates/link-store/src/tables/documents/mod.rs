//! Tables of archives and of their files.

pub(crate) mod archives;
pub(crate) mod file_segments;
