//! Filters the latest requests, and groups their errors.

use link_types::Timestamp;
use link_types::console::LoggedRequest;
use link_types::problem::ProblemCode;

/// The filters of the latest requests.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LogFilter {
    /// Part of the request's id.
    pub id: String,
    /// Part of the route.
    pub route: String,
    /// Method. Empty for all.
    pub method: String,
    /// Beginning of the status, for example `4` or `404`.
    pub status: String,
}

/// Errors with the same code at the same endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorGroup {
    /// Code of the problem documents.
    pub code: Option<ProblemCode>,
    /// Status of the responses.
    pub status: u16,
    /// Method of the endpoint.
    pub method: String,
    /// Route of the endpoint.
    pub route: String,
    /// Number of requests.
    pub count: usize,
    /// When the last one was.
    pub last_at: Timestamp,
    /// Identifier of the last one.
    pub last_id: String,
}

impl LogFilter {
    /// Returns whether a request passes.
    pub fn admits(&self, request: &LoggedRequest) -> bool {
        let has =
            |text: &str, part: &str| text.to_ascii_lowercase().contains(&part.trim().to_ascii_lowercase());
        has(&request.id, &self.id)
            && has(&request.route, &self.route)
            && (self.method.is_empty() || request.method == self.method)
            && request.status.to_string().starts_with(self.status.trim())
    }

    /// Returns whether a filter is set.
    pub fn is_set(&self) -> bool {
        *self != Self::default()
    }
}

/// Groups the errors of requests, which are newest first: the most frequent group first.
pub fn error_groups(requests: &[LoggedRequest]) -> Vec<ErrorGroup> {
    let mut groups: Vec<ErrorGroup> = Vec::new();
    for request in requests.iter().filter(|it| it.status >= 400) {
        let same = |it: &&mut ErrorGroup| {
            (it.code, it.status, &it.method, &it.route)
                == (request.code, request.status, &request.method, &request.route)
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.count += 1,
            None => groups.push(ErrorGroup {
                code: request.code,
                status: request.status,
                method: request.method.clone(),
                route: request.route.clone(),
                count: 1,
                last_at: request.at,
                last_id: request.id.clone(),
            }),
        }
    }
    groups.sort_by_key(|group| std::cmp::Reverse(group.count));
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(number: i64, method: &str, route: &str, status: u16) -> LoggedRequest {
        LoggedRequest {
            id: format!("req-{number}"),
            at: Timestamp::from_micros(number),
            method: method.into(),
            route: route.into(),
            status,
            code: (status == 404).then_some(ProblemCode::MissingResource),
            micros: 1,
        }
    }

    #[test]
    fn request_passes_only_if_every_filter_admits_it() {
        let one = request(12, "GET", "/v1/users/{id}", 404);
        let admits = |id: &str, route: &str, method: &str, status: &str| {
            let [id, route, method, status] = [id, route, method, status].map(str::to_owned);
            LogFilter { id, route, method, status }.admits(&one)
        };
        assert!(admits("", "", "", "") && admits(" REQ-12 ", "users", "GET", "4"));
        assert!(!admits("13", "", "", "") && !admits("", "accounts", "", ""));
        assert!(!admits("", "", "POST", "") && !admits("", "", "", "40 5"));
    }

    #[test]
    fn errors_are_grouped_by_code_and_endpoint() {
        let requests = [
            request(4, "GET", "/v1/users/{id}", 404),
            request(3, "POST", "/v1/users", 500),
            request(2, "GET", "/v1/users/{id}", 404),
            request(1, "GET", "/v1/users", 200),
        ];
        let groups = error_groups(&requests);
        assert_eq!(groups.len(), 2);
        assert_eq!((groups[0].count, groups[0].last_id.as_str(), groups[0].status), (2, "req-4", 404));
        assert_eq!((groups[1].count, groups[1].code), (1, None));
    }
}
