//! `linchpin mail …`.

use clap::Subcommand;
use link_types::id::{InviteId, TenantId};

use super::{Asked, Shown};
use crate::admin::AdminRequest;

#[derive(Subcommand)]
pub(in crate::cli) enum Mail {
    /// Show the last kept mail of an invitation: its headers and its text.
    Show {
        /// The invitation, `iv-…`.
        invite: InviteId,
        /// As a mail program reads it: `… > mail.eml`.
        #[arg(long)]
        raw: bool,
    },
    /// Let a tenant's sandbox mail an address or a domain that you have verified to be the tenant's.
    Allow(Recipients),
    /// Take that back.
    Disallow(Recipients),
    /// List whom a tenant's sandbox may mail. Addresses are kept as hashes, so that only domains are named.
    Allowed {
        /// The tenant's id.
        #[arg(long)]
        tenant: TenantId,
    },
    /// Count the addresses that get no mail, by the reason.
    Suppressed,
    /// Stop all mail to an address.
    Suppress {
        /// The address.
        address: String,
    },
    /// Let an address get mail again.
    Release {
        /// The address.
        address: String,
    },
}

/// Whom one tenant's sandbox may mail.
#[derive(clap::Args)]
pub(in crate::cli) struct Recipients {
    /// An address like ana@example.com, or a domain like @example.com.
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
                    empty: "this tenant's sandbox mails no address: its mails are kept for `linchpin mail show`",
                },
            ),
            Self::Suppressed => (
                AdminRequest::CountSuppressedMail {},
                Shown::Table {
                    columns: &[("REASON", "/reason"), ("ADDRESSES", "/addresses")],
                    empty: "mail is stopped for no address",
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
    Shown::Lines { parts: &[("mail is stopped", "/suppressed"), ("changed", "/changed")], advice: "" };
