//! Data points: how they are found, merged, computed, and left out if a person declined them.

pub mod batch;
pub mod data_point;
pub mod declined_data;
pub(crate) mod estimate;
pub mod extracted;
pub(crate) mod findings;
pub(crate) mod insight;
pub mod optional_data;
pub mod task;
