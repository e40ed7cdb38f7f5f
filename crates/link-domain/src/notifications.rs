//! Messages to tenants and people: events, webhooks and their deliveries, mails, and the texts of the service.

pub mod delivery;
pub mod event;
pub mod generated;
pub mod mail;
pub mod mailer;
pub mod service_text;
pub mod webhook;
pub mod webhook_sender;
