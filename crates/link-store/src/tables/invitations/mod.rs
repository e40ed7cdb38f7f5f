//! Tables of invitations, hosted links, link sites and their hosts, visits of their pages, and forms.

pub(crate) mod forms;
pub(crate) mod hosted_links;
pub(crate) mod invited_rows;
pub(crate) mod invites;
pub(crate) mod link_site_hosts;
pub(crate) mod link_sites;
pub(crate) mod visits;
