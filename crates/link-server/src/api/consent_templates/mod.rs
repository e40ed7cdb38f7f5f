//! `/consentTemplates`: the texts that people accept.

mod create;
mod delete;
mod get;
mod list;
mod update;

use link_domain::tenancy::template::{TranslationError, check_translations};
use link_types::problem::{FaultCode, FieldFault};
use link_types::template::ConsentTemplate;

use crate::http::endpoints::{Endpoints, routes};
use crate::http::problem::{ApiResult, Problem, fault};

/// Returns the routes of consent templates.
pub fn routes() -> Endpoints {
    Endpoints::new().routes(routes!(create::handler, list::handler)).routes(routes!(
        get::handler,
        update::handler,
        delete::handler
    ))
}

/// Returns the fault of the field `translations`.
pub(super) fn translation_fault(found: TranslationError) -> FieldFault {
    let code = match found {
        TranslationError::TooMany => FaultCode::TooLong,
        TranslationError::Key => FaultCode::Invalid,
    };
    fault("translations", code, found.to_string())
}

/// Rejects translations whose keys are not other languages.
fn check(template: &ConsentTemplate) -> ApiResult<()> {
    check_translations(&template.locale, &template.translations)
        .map_err(|found| Problem::invalid(vec![translation_fault(found)]))
}
