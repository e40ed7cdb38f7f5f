//! `linchpin mail …`.

use clap::Subcommand;
use link_types::id::InviteId;

use super::{Asked, Shown};
use crate::admin::AdminRequest;

#[derive(Subcommand)]
pub(in crate::cli) enum Mail {
    /// Show the last mail of an invitation, as a mail program reads it: `… > mail.eml`.
    Show {
        /// The invitation, `iv-…`.
        invite: InviteId,
    },
}

impl Mail {
    pub(super) fn request(self) -> Asked {
        match self {
            Self::Show { invite } => (AdminRequest::ShowMail { invite }, Shown::Text { at: "/mail" }),
        }
    }
}
