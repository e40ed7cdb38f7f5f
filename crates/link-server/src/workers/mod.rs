//! Background workers: jobs, deliveries, housekeeping and connector catalogues.

mod archives;
pub mod catalogues;
pub mod deliveries;
pub mod housekeeping;
mod in_hand;
mod invites;
pub mod jobs;
mod places;
pub(crate) mod records;
pub mod retention;
mod settle;
pub(crate) mod slots;
mod users;
mod wake;
mod webhooks;
