//! Background workers: jobs, deliveries, housekeeping and connector catalogues.

mod active_leases;
mod archives;
mod clock;
pub mod delivery;
pub mod housekeeping;
mod invites;
pub mod jobs;
pub(crate) mod records;
mod settle;
mod wake;
mod webhooks;
