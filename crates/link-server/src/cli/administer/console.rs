//! `linchpin console …`.

use clap::Subcommand;
use link_types::id::TenantId;

use super::service::Asked;
use crate::admin::AdminRequest;
use link_cli::shown::Shown;

#[derive(Subcommand)]
pub(in crate::cli) enum Console {
    /// Invite an owner, who can then invite other members. Prints an address that signs them in once, within 24 hours.
    Invite {
        /// The tenant's id.
        #[arg(long)]
        tenant: TenantId,
        /// The owner's e-mail address.
        #[arg(long, value_name = "EMAIL")]
        owner: String,
    },
    /// Let an owner in who cannot sign in. Prints an address that signs them in once, within 30 minutes.
    Recover {
        /// The tenant's id.
        #[arg(long)]
        tenant: TenantId,
        /// The owner's e-mail address. Needed if the tenant has several owners.
        email: Option<String>,
    },
    /// Confirm that a domain is a tenant's, if no TXT record can prove it. People with verified addresses of this domain can
    /// then join with the tenant's single sign-on.
    ConfirmDomain {
        /// The tenant's id.
        #[arg(long)]
        tenant: TenantId,
        /// The domain, for example `shop.example`.
        domain: String,
    },
}

impl Console {
    pub(super) fn request(self) -> Asked {
        let shown = Shown::Lines {
            parts: &[("owner", "/owner"), ("address", "/address"), ("expires", "/expiresAt")],
            advice: "Open the address in a browser, or send it to the owner. It works once.",
        };
        match self {
            Self::Invite { tenant, owner } => (AdminRequest::InviteOwner { tenant, email: owner }, shown),
            Self::Recover { tenant, email } => (AdminRequest::RecoverOwner { tenant, email }, shown),
            Self::ConfirmDomain { tenant, domain } => {
                let advice = "People with verified addresses of the domain can join with single sign-on.";
                let shown = Shown::Lines { parts: &[("domain", "/domain")], advice };
                (AdminRequest::ConfirmDomain { tenant, domain }, shown)
            }
        }
    }
}
