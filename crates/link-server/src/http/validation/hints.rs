//! Advice about fields that callers expect and a body does not have.

use link_types::problem::{FaultCode, FieldFault};

const REFERENCE: &str = "put your own identifier of the person, such as an email address, in `reference`";

/// The name of a body, the field, and the advice.
const HINTS: &[(&str, &[&str], &str)] = &[
    (
        "CreateUser",
        &[
            "userId",
            "id",
            "externalId",
            "customerId",
            "email",
            "emailAddress",
            "name",
            "fullName",
            "mobileNumber",
        ],
        REFERENCE,
    ),
    ("CreateUser", &["metadata"], "use `externalMetadata`"),
    ("CreateInvite", &["email"], "use `emailAddress`"),
    ("CreateInvite", &["name"], "use `fullName`"),
    ("CreateWebhook", &["events"], "use `eventTypes`"),
];

/// Adds the advice to the faults of unknown fields of a body.
pub fn hinted(body: &str, mut faults: Vec<FieldFault>) -> Vec<FieldFault> {
    for fault in faults.iter_mut().filter(|it| it.code == FaultCode::Unknown) {
        let hint = HINTS.iter().find(|(of, fields, _)| *of == body && fields.contains(&fault.field.as_str()));
        if let Some((_, _, advice)) = hint {
            fault.message = format!("{}: {advice}", fault.message);
        }
    }
    faults
}
