//! Tables of data points, of the files that providers have for documents, and of the tasks that read them.

pub(crate) mod data_points;
pub(crate) mod provider_files;
pub(crate) mod tasks;
