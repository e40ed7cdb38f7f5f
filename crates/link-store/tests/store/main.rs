//! The store's stories, each told on both databases.
//!
//! Where to start: [`sample`] makes what the stories are about; each further module is one promise of the store.

mod sample;

mod claims;
mod erasure;
mod exchange;
mod jobs;
mod lists;
mod opening;
mod units;
