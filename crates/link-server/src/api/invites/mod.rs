//! `/invites`: invitations by mail to link an account.

mod create;
mod get;
mod list;
mod resend;
mod revoke;

use link_domain::invitations::invite::InviteRefused;

use crate::http::endpoints::{Endpoints, routes};
use crate::http::problem::Problem;

/// Returns the routes of invitations.
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
            InviteRefused::Linked => {
                Self::conflict("The invitation has ended because an account was linked.")
            }
            InviteRefused::Uploaded => Self::conflict("The invitation is complete: documents were uploaded."),
            InviteRefused::LinkUsed => Self::conflict("The link was already used."),
            InviteRefused::LinkLapsed => Self::conflict("The link has expired."),
            InviteRefused::MailsSpent => {
                Self::conflict("All 20 mails of this invitation were sent. Create a new invitation.")
            }
            InviteRefused::StaleMail | InviteRefused::TooEarly { .. } | InviteRefused::NotDue { .. } => {
                Self::conflict("This is not possible in the invitation's current state. Try again later.")
            }
        }
    }
}
