//! Tables of archives and of files.

pub(crate) mod archives;
pub(crate) mod file_segments;
pub(crate) mod provider_files;
