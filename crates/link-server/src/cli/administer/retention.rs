//! `linchpin retention …`.

use clap::Subcommand;

use super::{Asked, Shown};
use crate::admin::AdminRequest;

#[derive(Subcommand)]
pub(in crate::cli) enum Retention {
    /// Show whether retention runs, or is paused because the clock jumped.
    Show,
    /// Take the clock for right after a jump: what has had its time by then is removed.
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
