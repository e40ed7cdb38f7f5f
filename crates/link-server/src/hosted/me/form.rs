//! The fields of the page's forms. They name what an action is about in the body, because a URL may be stored.

use std::collections::BTreeMap;

use axum::body::Body;
use link_domain::kernel::owner::Owner;
use maud::{Markup, html};

use crate::http::extract::body::BODY_LIMIT;
use crate::http::limits::body::{BodyTimeouts, read};
use crate::http::problem::ApiResult;

/// The value of `what` for everything that a company has.
pub(super) const ALL: &str = "all";

/// Reads the fields of a form. Called after the session is known, so that others cannot occupy the service.
pub(super) async fn read_fields(body: Body) -> ApiResult<BTreeMap<String, String>> {
    let body = read(body, BODY_LIMIT, BodyTimeouts::default()).await?;
    Ok(form_urlencoded::parse(&body).into_owned().collect())
}

/// Returns the field that names an environment.
pub(super) fn environment(owner: &Owner) -> String {
    format!("{}/{}", owner.tenant, owner.mode.as_str())
}

/// Renders the fields that name an environment and what of it.
pub(super) fn hidden_fields(environment: &str, what: &str) -> Markup {
    html! {
        input type="hidden" name="environment" value=(environment);
        input type="hidden" name="what" value=(what);
    }
}
