//! The service through its real router, on both databases.

mod service;
mod receiver;
mod users;
mod exchange;
mod linking;
mod webhooks;
mod lists;
mod frame;
mod limits;
mod openapi;
mod matrix;
mod secrets;
