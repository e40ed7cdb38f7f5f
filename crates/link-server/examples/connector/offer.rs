//! The providers with their login forms, the records and the signals.

use serde_json::{Value, json};

/// Returns the response of `GET /linchpin/v1/providers`.
pub fn providers() -> Value {
    let field = |name: &str, label: &str, kind: &str, autocomplete: &str| json!({"name": name, "label": label, "type": kind, "autocomplete": autocomplete});
    json!({"providers": [{
        "id": "mx_aurora_portal",
        "name": "Aurora Portal",
        "longName": "Aurora, portal del trabajador",
        "type": "GOVERNMENT",
        "subType": "SOCIAL_SECURITY",
        "country": "MX",
        "mfa": true,
        "monitorSupported": true,
        "supported": ["IDENTITIES", "DOCUMENTS", "EMPLOYMENTS", "CONTRIBUTIONS", "EINCOMES"],
        "loginOptions": [{
            "id": "username",
            "label": "User name and password",
            "fields": [
                field("username", "User name", "text", "username"),
                field("password", "Password", "password", "current-password"),
            ],
        }],
    }],
    "records": ["SOCIAL_SECURITY"],
    "signals": ["SOCIAL_SECURITY_SIGNAL", "INCOME_ESTIMATOR"]})
}
