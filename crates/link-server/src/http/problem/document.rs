//! The response with the document of a problem.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use link_types::archive::FileFault;
use link_types::problem::{Problem as Document, ProblemCode};

use super::{Problem, title_of};

/// A problem document for a rejected file, with the reason.
#[derive(Debug, serde::Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct FileProblem {
    /// The problem.
    #[serde(flatten)]
    problem: Document,
    /// Why the file was rejected; absent if something else is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    file_fault: Option<FileFault>,
}

impl Problem {
    /// Builds the response with the problem document and this request id.
    pub fn into_document(self, request_id: &str) -> Response {
        let problem = Document {
            problem_type: "about:blank".to_owned(),
            title: title_of(self.code).to_owned(),
            status: self.status.as_u16(),
            code: self.code,
            detail: self.detail.into_owned(),
            request_id: request_id.to_owned(),
            errors: self.errors,
            truncated: self.truncated.then_some(true),
        };
        let document = FileProblem { problem, file_fault: self.file_fault };
        let body = serde_json::to_vec(&document).unwrap_or_default();
        let mut response = (self.status, body).into_response();
        response.headers_mut().extend(self.headers);
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        if self.status == StatusCode::UNAUTHORIZED {
            let challenge = HeaderValue::from_static(challenge(self.code));
            response.headers_mut().entry(header::WWW_AUTHENTICATE).or_insert(challenge);
        }
        response
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(self);
        response
    }
}

/// Returns the `WWW-Authenticate` value of a 401 that has none. Requests of the widget and of the developer portal must
/// not get `Basic`: a browser would ask the person for a name and a password.
fn challenge(code: ProblemCode) -> &'static str {
    if matches!(code, ProblemCode::Unauthorized | ProblemCode::KeyExpired) {
        "Basic realm=\"linchpin\""
    } else {
        "Bearer realm=\"linchpin\", error=\"invalid_token\""
    }
}

#[cfg(test)]
mod tests {
    use link_types::problem::{FaultCode, FieldFault};

    use super::*;
    use crate::http::problem::fault;

    fn document(faults: Vec<FieldFault>) -> (usize, serde_json::Value) {
        let response = Problem::invalid(faults).into_document("req-1");
        let body =
            futures_util::FutureExt::now_or_never(axum::body::to_bytes(response.into_body(), usize::MAX));
        let body = body.unwrap().unwrap();
        (body.len(), serde_json::from_slice(&body).unwrap())
    }

    fn faults(count: usize, field: &str, message: &str) -> Vec<FieldFault> {
        (0..count).map(|_| fault(field, FaultCode::Invalid, message)).collect()
    }

    #[test]
    fn faults_above_fifty_are_cut_and_marked_truncated() {
        let (_, all) = document(faults(50, "name", "required"));
        assert_eq!((all["errors"].as_array().unwrap().len(), all.get("truncated")), (50, None));
        let (_, more) = document(faults(51, "name", "required"));
        assert_eq!((more["errors"].as_array().unwrap().len(), &more["truncated"]), (50, &true.into()));
    }

    #[test]
    fn problem_document_is_at_most_64_kb() {
        for (field, message) in [("a", "é"), ("\0", "\u{1}"), ("🦀", "x")] {
            let (size, document) = document(faults(60, &field.repeat(30_000), &message.repeat(30_000)));
            assert!(size <= 64 * 1024, "{size}");
            assert_eq!(document["truncated"], true);
            let first = &document["errors"][0];
            assert_eq!(first["field"].as_str().unwrap().chars().count(), 257);
            assert_eq!(first["message"].as_str().unwrap().chars().count(), 2_001);
        }
    }
}
