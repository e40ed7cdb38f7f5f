//! `linchpin mail …`.

use clap::Subcommand;
use link_types::id::{InviteId, TenantId};

use super::service::Asked;
use crate::admin::AdminRequest;
use link_cli::shown::Shown;

#[derive(Subcommand)]
pub(in crate::cli) enum Mail {
    /// Show the headers and text of an invitation's last stored mail.
    Show {
        /// The invitation (`iv-…`).
        invite: InviteId,
        /// Print the mail in the format of mail programs, for example to save it as mail.eml.
        #[arg(long)]
        raw: bool,
    },
    /// Show the stored mail with the link to a person's own page.
    PageLink {
        /// The address that asked for the link.
        address: String,
    },
    /// Show the stored mail with the code that proves a visitor's address on a link site.
    Code {
        /// The address that the code was requested for.
        address: String,
    },
    /// Allow a tenant's sandbox to send mail to an address or domain. Verify first that it belongs to the tenant.
    Allow(Recipients),
    /// Stop allowing an address or domain.
    Disallow(Recipients),
    /// List the recipients that a tenant's sandbox may send mail to. Addresses are stored as hashes, so only domains
    /// are shown by name.
    Allowed {
        /// The tenant's id.
        #[arg(long)]
        tenant: TenantId,
    },
    /// Count the blocked addresses by reason.
    Suppressed,
    /// Block an address, so that it gets no mail.
    Suppress {
        /// The address.
        address: String,
    },
    /// Unblock an address.
    Release {
        /// The address.
        address: String,
    },
}

/// The recipients that a tenant's sandbox may send mail to.
#[derive(clap::Args)]
pub(in crate::cli) struct Recipients {
    /// An address, like ana@example.com, or a domain, like @example.com.
    recipients: String,
    /// The tenant's id.
    #[arg(long)]
    tenant: TenantId,
}

impl Mail {
    pub(super) fn request(self) -> Asked {
        match self {
            Self::Show { invite, raw } => {
                (AdminRequest::ShowMail { invite }, Shown::Text { at: if raw { "/mail" } else { "/text" } })
            }
            Self::PageLink { address } => {
                (AdminRequest::ShowPageLink { address }, Shown::Text { at: "/text" })
            }
            Self::Code { address } => (AdminRequest::ShowCode { address }, Shown::Text { at: "/text" }),
            Self::Allow(Recipients { recipients, tenant }) => {
                (AdminRequest::AllowMail { tenant, recipients }, CHANGED)
            }
            Self::Disallow(Recipients { recipients, tenant }) => {
                (AdminRequest::DisallowMail { tenant, recipients }, CHANGED)
            }
            Self::Allowed { tenant } => (
                AdminRequest::ListAllowedMail { tenant },
                Shown::Table {
                    columns: &[("RECIPIENTS", "/recipients"), ("ALLOWED", "/allowedAt")],
                    empty: "No allowed recipients. To read this sandbox's mails, run `linchpin mail show`.",
                },
            ),
            Self::Suppressed => (
                AdminRequest::CountSuppressedMail {},
                Shown::Table {
                    columns: &[("REASON", "/reason"), ("ADDRESSES", "/addresses")],
                    empty: "No blocked addresses.",
                },
            ),
            Self::Suppress { address } => (AdminRequest::SuppressMail { address }, STOPPED),
            Self::Release { address } => (AdminRequest::ReleaseMail { address }, STOPPED),
        }
    }
}

const CHANGED: Shown =
    Shown::Lines { parts: &[("sandbox may mail", "/allowed"), ("changed", "/changed")], advice: "" };
const STOPPED: Shown =
    Shown::Lines { parts: &[("mail stopped", "/suppressed"), ("changed", "/changed")], advice: "" };
