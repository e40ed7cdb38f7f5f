//! `GET /files/…`: the bytes of a file, by the address that an archive shows. Served so that no browser runs them.

use axum::body::Body;
use axum::extract::{Extension, Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use link_domain::archive::{Archive, StoredFile};
use link_domain::owner::Owner;
use link_store::Label;

use crate::app::App;
use crate::http::caller::Environment;
use crate::http::file_address::FileAddress;
use crate::http::problem::{Answer, Problem};
use crate::http::query::{FromQuery, Query, QueryFields};

/// What an address is signed with.
pub struct Signed {
    expires: Option<i64>,
    signature: Option<String>,
}

impl FromQuery for Signed {
    fn take(query: &mut QueryFields) -> Self {
        Self {
            expires: query.required("expires", "a moment"),
            signature: query.required("signature", "a text"),
        }
    }
}
