//! Use cases that change or show several entities in one unit of work, or that decide about what is stored. Each is one
//! function: a handler or worker reads what is stored, calls it, and applies the [`Change`](crate::change::Change) that
//! it returns.

pub use answer_survey::answer_survey;
pub use begin_archive::{StoredUploads, begin_archive};
pub use brand_template::{NewBrand, NewLogo, UnknownLogosError, brand_template};
pub use create_tenant::{NewEnvironment, NewTenant, create_tenant};
pub use delete_orphans::{OrphanObjects, Orphans, find_orphans};
pub use enter_hosted_link::enter_hosted_link;
pub use enter_invite::enter_invite;
pub use enter_link_site::enter_link_site;
pub use erase_tenant::TenantData;
pub use erase_user::{MAX_ERASED_AT_ONCE, UserData, erased_at_once};
pub use hand_off::{HandoffOffer, hand_off};
pub use invite_person::invite_person;
pub use issue_hosted_token::{HostedPage, HostedTokenError, issue_hosted_token};
pub use link_invite::{LinkedThrough, with_linked_origin};
pub use open_session::{OpenedSession, StoredAttempt, open_session};
pub use person_history::{History, WidgetStep};
pub use prove_address::{StoredProof, forget_address, prove_address, request_code};
pub use provide_user::{NewUser, ProvidedUser, provide_user};
pub use read_archive::must_read_again;
pub use recover_deliveries::{RecoveryError, RecoveryRun, recover_deliveries, start_recovery};
pub use resend_code::resend_code;
pub use revoke::{revoke_account, revoke_archive, revoke_invite};
pub use send_invite::{mail_admitted, mail_sent, record_mail};
pub use start_link::{LinkTarget, StoredLink, start_link, tries_of_submission};
pub use submit_archive::{StoredSubmission, SubmitError, submit_archive};
pub use submit_form::{SubmitFormError, submit_form};
pub use upload_document::{BegunUpload, UploadError, UserUploads, begin_upload, submit_upload};

use crate::linking::account::IllegalTransitionError;
use crate::tenancy::quota::QuotaExceededError;

mod answer_survey;
mod begin_archive;
mod brand_template;
mod create_tenant;
mod delete_orphans;
mod enter_hosted_link;
mod enter_invite;
mod enter_link_site;
mod erase_tenant;
mod erase_user;
mod hand_off;
mod invite_person;
mod issue_hosted_token;
mod link_invite;
mod open_session;
mod person_history;
mod prove_address;
mod provide_user;
mod read_archive;
mod recover_deliveries;
mod resend_code;
mod revoke;
mod send_invite;
mod start_link;
mod submit_archive;
mod submit_form;
mod upload_document;

#[cfg(test)]
mod tests;

/// Reason why a request about an account is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccountRefusedError {
    /// A quota of the user is used up.
    #[error(transparent)]
    Quota(#[from] QuotaExceededError),
    /// The request is illegal in the account's state, or too many logins were tried.
    #[error(transparent)]
    Account(#[from] IllegalTransitionError),
}
