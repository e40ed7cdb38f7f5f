//! The languages of a browser.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use link_domain::kernel::languages::Languages;

use crate::http::extract::caller::languages_of;

/// The languages that a browser accepts, best first.
#[derive(Clone, Debug)]
pub(super) struct Browser(pub(super) Languages);

impl Browser {
    /// Reads them from the headers of a request.
    pub(super) fn of(headers: &HeaderMap) -> Self {
        Self(languages_of(headers))
    }
}

impl<S: Sync> FromRequestParts<S> for Browser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.headers))
    }
}
