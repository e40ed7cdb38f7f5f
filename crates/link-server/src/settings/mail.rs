//! The mail server and the addresses in mails.

use link_connectors::mail::{Address, SmtpMailer};
use secrecy::{ExposeSecret as _, SecretString};

use super::error::{Faults, SettingsError};

/// The mail settings as configured. An absent address has a default.
pub(super) struct MailInput {
    pub(super) smtp_url: Option<SecretString>,
    pub(super) from: Option<String>,
    pub(super) abuse: Option<String>,
}

/// The checked mail settings.
pub(super) struct Mail {
    pub(super) smtp_url: Option<SecretString>,
    pub(super) from: String,
    pub(super) abuse: String,
}

impl MailInput {
    pub(super) fn settle(self, faults: &mut Faults) -> Mail {
        let from = self.from.unwrap_or_else(|| "invites@localhost".to_owned());
        match (from.parse::<Address>(), &self.smtp_url) {
            (Ok(from), Some(url)) => {
                let mailer = SmtpMailer::new(url.expose_secret(), from).map(drop);
                faults.or(mailer.map_err(|error| SettingsError::Service(format!("--smtp-url {error}"))), ());
            }
            (Ok(_), None) => {}
            (Err(_), _) => {
                faults.add(SettingsError::Service("--mail-from must be an email address".to_owned()));
            }
        }
        Mail { smtp_url: self.smtp_url, abuse: self.abuse.unwrap_or_else(|| from.clone()), from }
    }
}
