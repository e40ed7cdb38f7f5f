//! `/invites`: invitations by mail to link an account.

mod create;
mod get;
mod list;
mod resend;
mod revoke;

use link_domain::invitations::invite::InviteError;

use crate::http::endpoints::{Endpoints, routes};
use crate::http::problem::Problem;

/// Returns the routes of invitations.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .routes(routes!(create::handler, list::handler))
        .routes(routes!(get::handler, revoke::handler))
        .routes(routes!(resend::handler))
}

impl From<InviteError> for Problem {
    fn from(refused: InviteError) -> Self {
        match refused {
            InviteError::Revoked => Self::conflict("The invitation was revoked."),
            InviteError::Linked => Self::conflict("The invitation has ended because an account was linked."),
            InviteError::Uploaded => Self::conflict("The invitation is complete: documents were uploaded."),
            InviteError::LinkUsed => Self::conflict("The link was already used."),
            InviteError::LinkLapsed => Self::conflict("The link has expired."),
            InviteError::MailsSpent => {
                Self::conflict("All 20 mails of this invitation were sent. Create a new invitation.")
            }
            InviteError::StaleMail | InviteError::TooEarly { .. } | InviteError::NotDue { .. } => {
                Self::conflict("This is not possible in the invitation's current state. Try again later.")
            }
        }
    }
}
