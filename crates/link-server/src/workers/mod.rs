//! Background workers: jobs, deliveries, housekeeping, backups and connector catalogues.

pub mod audit;
pub mod backups;
mod codes;
pub mod delivery;
mod documents;
pub mod housekeeping;
mod invitations;
pub mod jobs;
pub mod key_uses;
pub(crate) mod lookups;
mod page_links;
mod running;
mod settle;
mod tenancy;
mod wake;
mod webhooks;
mod withdrawals;
