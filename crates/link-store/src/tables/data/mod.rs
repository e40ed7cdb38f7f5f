//! Tables of data points, and of the tasks that read them.

pub(crate) mod data_points;
pub(crate) mod tasks;
