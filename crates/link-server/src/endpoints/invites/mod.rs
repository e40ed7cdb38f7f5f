//! `/invites`: people asked by mail to link an account.

mod create;
mod get;
mod list;
mod resend;
mod revoke;

use link_domain::invite::InviteRefused;

use crate::http::endpoints::{Endpoints, routes};
use crate::http::problem::Problem;

/// The routes of invitations.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create::handler, list::handler))
        .routes(routes!(get::handler, revoke::handler))
        .routes(routes!(resend::handler))
}

impl From<InviteRefused> for Problem {
    fn from(refused: InviteRefused) -> Self {
        match refused {
            InviteRefused::Revoked => Self::conflict("The invitation was revoked."),
            InviteRefused::Linked => Self::conflict("The invitation has ended: an account was linked."),
            InviteRefused::LinkUsed => Self::conflict("The link was used already."),
            InviteRefused::LinkLapsed => Self::conflict("The link's time is over."),
            InviteRefused::MailsSpent => {
                Self::conflict("Twenty mails were sent for this invitation. Make a new one instead.")
            }
            InviteRefused::StaleMail | InviteRefused::TooEarly { .. } | InviteRefused::NotDue { .. } => {
                Self::conflict("The invitation does not take this now.")
            }
        }
    }
}
