//! `linchpin retention …`.

use clap::Subcommand;

use super::service::Asked;
use super::shown::Shown;
use crate::admin::AdminRequest;

#[derive(Subcommand)]
pub(in crate::cli) enum Retention {
    /// Show whether expired data is removed, or removal is paused because the clock jumped.
    Show,
    /// Confirm that the clock is right after a jump, so that expired data is removed again.
    Confirm,
}

impl Retention {
    pub(super) fn request(self) -> Asked {
        let request = match self {
            Self::Show => AdminRequest::ShowRetention {},
            Self::Confirm => AdminRequest::ConfirmRetention {},
        };
        let parts = &[
            ("paused", "/paused"),
            ("clock", "/clock"),
            ("last seen", "/lastSeen"),
            ("what to do", "/advice"),
        ];
        (request, Shown::Lines { parts, advice: "" })
    }
}
