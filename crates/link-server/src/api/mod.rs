//! The endpoints for tenants' servers, which use API keys. Each resource has one file with its types, its handlers and
//! their documentation, or a folder if one file is not enough.

pub mod accounts;
pub mod archives;
pub(crate) mod audit_events;
pub mod billing;
pub mod clock;
pub mod consent_templates;
pub mod data_points;
pub mod events;
pub mod exports;
pub mod forms;
pub mod invite_templates;
pub mod invites;
pub mod link_sessions;
pub mod link_site_hosts;
pub mod link_sites;
pub mod link_templates;
pub(crate) mod payload;
pub mod providers;
pub(crate) mod resource_limits;
pub mod scenarios;
pub mod signals;
pub mod social_securities;
pub mod tasks;
pub(crate) mod template_versions;
pub mod tokens;
pub mod users;
pub mod webhooks;

use crate::http::endpoints::Endpoints;

/// Returns the routes that the developer portal has too.
pub fn routes_of_portal() -> Endpoints {
    Endpoints::new()
        .merge(webhooks::routes())
        .merge(events::routes())
        .merge(scenarios::routes())
        .merge(clock::routes())
        .merge(link_sites::routes())
        .merge(link_templates::routes())
        .merge(consent_templates::routes())
        .merge(invite_templates::routes())
        .merge(providers::routes())
        .merge(forms::routes())
        .merge(users::routes())
        .merge(accounts::routes())
        .merge(archives::routes())
        .merge(invites::routes())
        .merge(billing::routes())
}

/// Returns the routes of all resources.
pub fn routes() -> Endpoints {
    Endpoints::new()
        .merge(users::routes())
        .merge(tokens::routes())
        .merge(providers::routes())
        .merge(accounts::routes())
        .merge(archives::routes())
        .merge(data_points::routes())
        .merge(exports::routes())
        .merge(tasks::routes())
        .merge(webhooks::routes())
        .merge(events::routes())
        .merge(billing::routes())
        .merge(audit_events::routes())
        .merge(scenarios::routes())
        .merge(clock::routes())
        .merge(link_templates::routes())
        .merge(consent_templates::routes())
        .merge(social_securities::routes())
        .merge(signals::routes())
        .merge(invite_templates::routes())
        .merge(invites::routes())
        .merge(forms::routes())
        .merge(link_sites::routes())
        .merge(link_site_hosts::routes())
        .merge(link_sessions::routes())
}
