//! What runs beside the requests: jobs, deliveries, housekeeping.

pub mod deliveries;
pub mod housekeeping;
pub mod jobs;
mod wake;
