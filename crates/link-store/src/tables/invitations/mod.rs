//! Tables of invitations, the visits of their pages, and forms.

pub(crate) mod forms;
pub(crate) mod invites;
pub(crate) mod visits;
