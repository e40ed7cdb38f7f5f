//! `linchpin audit …`.

use clap::Subcommand;
use link_types::id::TenantId;

use super::service::Asked;
use crate::admin::AdminRequest;
use link_cli::shown::Shown;

#[derive(Subcommand)]
pub(in crate::cli) enum Audit {
    /// Check that no event was changed, removed or added. Fails and names the first fault if one was.
    Verify {
        /// The tenant's id.
        #[arg(long)]
        tenant: TenantId,
    },
}

impl Audit {
    pub(super) fn request(self) -> Asked {
        let Self::Verify { tenant } = self;
        let shown = Shown::Lines {
            parts: &[
                ("events", "/events"),
                ("first", "/first"),
                ("last", "/last"),
                ("hash", "/hash"),
                ("checked", "/checkedAt"),
            ],
            advice: "The chain is complete. Keep the last number and hash elsewhere, to compare them later.",
        };
        (AdminRequest::VerifyAudit { tenant }, shown)
    }
}
