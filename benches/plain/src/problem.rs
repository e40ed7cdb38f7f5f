//! The reasons for which a request fails, as problem documents.

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// The reason for which a request fails.
#[derive(Debug)]
pub enum Problem {
    /// The API key is missing or wrong.
    Unauthorized,
    /// The tenant does not have this object.
    NotFound,
    /// The database failed.
    Database(sqlx::Error),
}

impl From<sqlx::Error> for Problem {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, title) = match self {
            Self::Unauthorized => (StatusCode::UNAUTHORIZED, "The API key is missing or wrong"),
            Self::NotFound => (StatusCode::NOT_FOUND, "It does not exist"),
            Self::Database(error) => {
                tracing::error!(%error, "database");
                (StatusCode::SERVICE_UNAVAILABLE, "Try again later")
            }
        };
        let body = Json(json!({"type": "about:blank", "title": title, "status": status.as_u16()}));
        (status, [(header::CONTENT_TYPE, "application/problem+json")], body).into_response()
    }
}

/// Executes a statement with these values in a transaction.
#[macro_export]
macro_rules! execute {
    ($tx:expr, $text:expr, $($value:expr),+) => {
        sqlx::query($text)$(.bind($value))+.execute(&mut *$tx).await
    };
}
