//! Mail: its format, and delivery over SMTP.

mod message;
mod readable;
mod smtp;

#[cfg(test)]
mod tests;

pub use lettre::Address;
pub use message::written;
pub use readable::readable;
pub use smtp::{SmtpAddressError, SmtpMailer};
