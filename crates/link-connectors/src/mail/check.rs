//! Signs in to the mail server without sending anything.

use lettre::transport::smtp::Error;

use super::{CONVERSATION, SmtpMailer};

/// Reason why the mail server accepts no mail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailCheckError {
    /// The server's status, or a word for a connection that failed.
    pub code: String,
    /// The cause. It contains neither addresses nor passwords.
    pub cause: String,
    /// The next step for the operator.
    pub remedy: &'static str,
}

impl SmtpMailer {
    /// Connects with TLS, signs in, and leaves.
    ///
    /// # Errors
    /// [`MailCheckError`] if the server cannot be used.
    pub async fn check(&self) -> Result<(), MailCheckError> {
        match tokio::time::timeout(CONVERSATION, self.transport.test_connection()).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err(refusal("Closed", "the server ended the conversation", REACH)),
            Ok(Err(error)) => Err(refusal_of(&error)),
            Err(_) => Err(refusal("ETIMEDOUT", "the server did not respond in time", REACH)),
        }
    }
}

const REACH: &str = "Check host and port in --smtp-url, and that the firewall lets this machine connect";

fn refusal(code: &str, cause: &str, remedy: &'static str) -> MailCheckError {
    MailCheckError { code: code.to_owned(), cause: cause.to_owned(), remedy }
}

fn refusal_of(error: &Error) -> MailCheckError {
    if let Some(status) = error.status() {
        let code = status.to_string();
        let remedy = match code.as_str() {
            "530" | "534" | "535" | "538" => {
                "Check user and password in --smtp-url, and that the account may use SMTP"
            }
            "421" | "450" | "451" | "454" => "The server is busy or limits this machine. Check again later",
            _ => "Ask the operator of the mail server what this status means",
        };
        return refusal(&code, "the server refused the sign-in", remedy);
    }
    if error.is_tls() {
        let remedy = "Use smtps:// for port 465 and smtp://…?tls=required for port 587, and check the server's certificate";
        return refusal("TLS", "TLS with the server failed", remedy);
    }
    if error.is_timeout() {
        return refusal("ETIMEDOUT", "the server did not respond in time", REACH);
    }
    refusal("Unreachable", "the server cannot be reached", REACH)
}
