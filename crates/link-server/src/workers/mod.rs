//! Background workers: jobs, deliveries, housekeeping and connector catalogues.

mod active_leases;
mod archives;
pub mod catalogues;
mod clock;
pub mod delivery;
pub mod housekeeping;
mod invites;
pub mod jobs;
mod provider_files;
pub(crate) mod records;
pub mod retention;
mod settle;
mod tenant_concurrency;
mod users;
mod wake;
mod webhooks;
