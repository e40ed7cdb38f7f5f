//! The document's tables of fields. Each entry has the name and the JSON shape.

use super::resources::Shape::{
    Currency, Day, Flag, Id, Integer, Moment, Month, Number, Object, Objects, Photo, Text, Texts, Url, User,
    Words,
};
use super::resources::{Field, field};
use super::states::{CONNECTION, MONITOR_STATES, RECORD_STATES};

/// The codes of a record.
pub const RESULT_CODES: &[&str] =
    &["SUCCESS", "NO_DATA", "INVALID_PARAMETERS", "SERVICE_UNAVAILABLE", "SYSTEM_ERROR"];

/// Token.
pub const TOKEN: &[Field] = &[
    field("expiresAt", Moment),
    field("mode", Words(&["SANDBOX", "PRODUCTION"])),
    field("accessToken", Text),
];
/// Account.
pub const ACCOUNT: &[Field] = &[
    field("id", Id("a")),
    field("createdAt", Moment),
    field("providerId", Text),
    field("userId", User),
    field("connectionStatus", Words(CONNECTION)),
    field("connection", Object),
    field("monitorStatus", Words(MONITOR_STATES)),
    field("monitor", Object),
];
/// `connection` of an account.
pub const CONNECTION_PARTS: &[Field] = &[
    field("status", Words(CONNECTION)),
    field("errorCode", Text).or_null(),
    field("errorMessage", Text).or_null(),
    field("updatedAt", Moment),
];
/// `monitor` of an account.
pub const MONITOR_PARTS: &[Field] =
    &[field("status", Words(MONITOR_STATES)), field("updatedAt", Moment).or_null()];
/// The request of a social security record.
pub const RECORD_REQUEST: &[Field] = &[
    field("templateId", Text),
    field("consent", Object),
    field("mobileNumber", Text),
    field("fullName", Text),
    field("curp", Text),
    field("emailAddress", Text),
];
/// Social security record.
pub const RECORD: &[Field] = &[
    field("id", Id("ss")),
    field("createdAt", Moment),
    field("status", Words(RECORD_STATES)),
    field("resultCode", Words(RESULT_CODES)).or_null(),
    field("resultMessage", Text).or_null(),
    field("result", Object).or_null(),
    field("requestMeta", Object),
];
/// The result of a record.
pub const RECORD_RESULT: &[Field] = &[
    field("fullName", Text),
    field("curp", Text),
    field("nss", Text),
    field("reportDate", Day),
    field("employerName", Text),
    field("employerRegistration", Text),
    field("state", Text),
    field("contributionDays", Integer),
    field("contributionBaseAmount", Number),
    field("currency", Words(&["MXN"])),
];
/// Consent, as `requestMeta` shows it with every field set.
pub const CONSENT: &[Field] = &[
    field("consentedAt", Moment),
    field("consentTemplateId", Id("ct")).or_null(),
    field("type", Text),
    field("version", Text),
    field("consentedWith", Text),
];
/// Form.
pub const FORM: &[Field] = &[
    field("id", Text),
    field("createdAt", Moment),
    field("name", Text).or_null(),
    field("userId", User),
    field("linkSiteId", Text),
    field("linkSiteSessionId", Text),
    field("reference", Text),
    field("data", Object),
];
/// Document.
pub const DOCUMENT: &[Field] = &[
    field("id", Id("d")),
    field("name", Text),
    field("docId", Text),
    field("status", Words(&["VALID", "HIT", "EXPIRED"])).or_null(),
    field("documentType", Words(&["IDENTIFICATION", "PAYSLIP", "CLEARANCE", "CERTIFICATE"])),
    field("issueDate", Day).or_null(),
    field("expiryDate", Day).or_null(),
    field("fileUrl", Url).or_null(),
    field("metadata", Object),
];
/// Rating.
pub const RATING: &[Field] = &[
    field("id", Id("r")),
    field("currentRating", Number).or_null(),
    field("maxRating", Number).or_null(),
    field("calculatedPercentage", Number).or_null(),
    field("reviewsReceived", Number).or_null(),
    field("likesReceived", Number).or_null(),
    field("jobsCompleted", Number).or_null(),
    field("metadata", Object),
];
/// Estimated income.
pub const ESTIMATED_INCOME: &[Field] = &[
    field("id", Id("einc")),
    field("month", Month),
    field("currency", Currency),
    field("amount", Number),
    field("baseAmount", Number),
    field("metadata", Object),
];
/// Metadata.
pub const METADATA: &[Field] = &[
    field("createdAt", Moment),
    field("itemCreatedAt", Moment),
    field("accountId", Text),
    field("sourceId", Text),
    field("sourceType", Words(&["ACCOUNT", "UPLOAD", "ARCHIVE"])),
    field("providerId", Text),
    field("userId", User),
];
/// A document in the payload.
pub const EMBEDDED_DOCUMENT: &[Field] = &[field("remarks", Text).or_null()];
/// An identity in the payload.
pub const IDENTITY: &[Field] = &[
    field("id", Id("i")),
    field("fullName", Text).or_null(),
    field("firstName", Text).or_null(),
    field("middleName", Text).or_null(),
    field("lastName", Text).or_null(),
    field("suffix", Text).or_null(),
    field("gender", Text).or_null(),
    field("dob", Day).or_null(),
    field("maritalStatus", Text).or_null(),
    field("countryResidence", Text).or_null(),
    field("citizenship", Text).or_null(),
    field("photoUrl", Photo).or_null(),
    field("referenceId", Text).or_null(),
    field("profileUrl", Url).or_null(),
    field("latestEmployerName", Text).or_null(),
    field("emails", Objects),
    field("phones", Objects),
    field("socialProfiles", Objects),
    field("addresses", Objects),
];
/// `emails[]` of an identity.
pub const EMAIL: &[Field] = &[field("address", Text), field("type", Text).or_null()];
/// `phones[]` of an identity.
pub const PHONE: &[Field] = &[field("number", Text), field("type", Text).or_null()];
/// `socialProfiles[]` of an identity.
pub const SOCIAL_PROFILE: &[Field] = &[field("socialUrl", Url), field("type", Text).or_null()];
/// `addresses[]` of an identity.
pub const ADDRESS: &[Field] = &[
    field("fullAddress", Text).or_null(),
    field("line1", Text).or_null(),
    field("line2", Text).or_null(),
    field("city", Text).or_null(),
    field("region", Text).or_null(),
    field("zip", Text).or_null(),
    field("country", Text).or_null(),
    field("latitude", Number).or_null(),
    field("longitude", Number).or_null(),
    field("type", Text).or_null(),
];
/// An employment in the payload.
pub const EMPLOYMENT: &[Field] = &[
    field("id", Id("e")),
    field("name", Text).or_null(),
    field("description", Text).or_null(),
    field("jobTitle", Text).or_null(),
    field("department", Text).or_null(),
    field("employeeNumber", Text).or_null(),
    field("employer", Text).or_null(),
    field("status", Text).or_null(),
    field("startDate", Day).or_null(),
    field("endDate", Day).or_null(),
];
/// A contribution in the payload.
pub const CONTRIBUTION: &[Field] = &[
    field("id", Id("con")),
    field("date", Day).or_null(),
    field("currency", Currency),
    field("amount", Number),
    field("referenceId", Text).or_null(),
];
/// A liability in the payload.
pub const LIABILITY: &[Field] = &[
    field("id", Id("lia")),
    field("type", Text).or_null(),
    field("referenceId", Text).or_null(),
    field("startDate", Day).or_null(),
    field("endDate", Day).or_null(),
    field("firstAmortizationDate", Day).or_null(),
    field("amortizationFrequency", Text).or_null(),
    field("currency", Currency),
    field("loanAmount", Number).or_null(),
    field("amortizationAmount", Number).or_null(),
    field("outstandingBalance", Number).or_null(),
    field("nextPaymentAmount", Number).or_null(),
    field("overduePaymentAmount", Number).or_null(),
];
/// An estimated income in the payload.
pub const EMBEDDED_ESTIMATED_INCOME: &[Field] = &[
    field("id", Id("einc")),
    field("month", Month),
    field("currency", Currency),
    field("baseAmount", Number),
    field("amount", Number),
];
/// Webhook registration.
pub const WEBHOOK: &[Field] = &[
    field("name", Text),
    field("url", Url),
    field("eventTypes", Texts),
    field("active", Flag),
    field("secret", Text),
    field("includePayload", Flag),
];
/// The envelope of a delivery.
pub const ENVELOPE: &[Field] = &[
    field("id", Id("et")),
    field("version", Integer),
    field("type", Text),
    field("createdAt", Moment),
    field("data", Object),
];
/// The payload of a finished task.
pub const PAYLOAD: &[Field] = &[
    field("identity", Object).or_null(),
    field("rating", Object).or_null(),
    field("documents", Object).or_null(),
    field("incomes", Object).or_null(),
    field("transactions", Object).or_null(),
    field("employments", Object).or_null(),
    field("contributions", Object).or_null(),
    field("liabilities", Object).or_null(),
    field("eincomes", Object).or_null(),
    field("links", Object).or_null(),
    field("insight", Object).or_null(),
];
