//! Mail: over SMTP, or as files where no server is configured.

mod folder;
mod message;
mod smtp;

#[cfg(test)]
mod tests;

pub use folder::FolderMailer;
pub use lettre::Address;
pub use smtp::{SmtpAddressError, SmtpMailer};
