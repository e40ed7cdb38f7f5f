//! `/inviteTemplates`: the texts of an invitation's mail and pages.

mod create;
mod delete;
mod get;
mod list;
mod update;

use link_domain::invitations::invite::variable_faults;
use link_domain::tenancy::template::check_translations;
use link_types::invite_template::InviteTemplate;
use link_types::problem::FaultCode;

use crate::api::consent_templates::translation_fault;
use crate::http::endpoints::{Endpoints, routes};
use crate::http::problem::{ApiResult, Problem, fault};

/// Returns the routes of invite templates.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(create::handler, list::handler)).routes(routes!(
        get::handler,
        update::handler,
        delete::handler
    ))
}

/// Rejects unknown variables, translations without a language, and a `replyTo` that is not an email address.
fn check(template: &InviteTemplate) -> ApiResult<()> {
    let mut faults: Vec<_> = variable_faults(template)
        .into_iter()
        .map(|found| {
            let message =
                format!("${{{}}} is not a variable: use ${{companyName}} or ${{fullName}}", found.name);
            fault(found.field, FaultCode::Unknown, message)
        })
        .collect();
    let reply_to = template.email.reply_to.as_deref();
    if reply_to.is_some_and(|it| it.parse::<link_connectors::mail::Address>().is_err()) {
        faults.push(fault("email.replyTo", FaultCode::Invalid, "an e-mail address, like name@example.com"));
    }
    if let Err(found) = check_translations(&template.locale, &template.translations) {
        faults.push(translation_fault(found));
    }
    if faults.is_empty() { Ok(()) } else { Err(Problem::invalid(faults)) }
}
