//! The document's tables of fields. Each entry has the line, the name and the type as written, and its JSON shape.

use super::shape::Shape::{
    Currency, Day, Flag, Id, Integer, Moment, Month, Number, Object, Objects, Photo, Text, Texts, Url, User,
    Words,
};
use super::shape::{Field, field, part};
use super::states::{CONNECTION, MONITOR_STATES, RECORD_STATES};

/// The codes of a record, lines 397 to 401.
pub const RESULT_CODES: &[&str] =
    &["SUCCESS", "NO_DATA", "INVALID_PARAMETERS", "SERVICE_UNAVAILABLE", "SYSTEM_ERROR"];

/// Token.
pub const TOKEN: &[Field] = &[
    field(56, "expiresAt", "date-time", Moment),
    field(57, "mode", "string", Words(&["SANDBOX", "PRODUCTION"])),
    field(58, "accessToken", "string", Text),
];
/// Account.
pub const ACCOUNT: &[Field] = &[
    field(67, "id", "string", Id("a")),
    field(68, "createdAt", "date-time", Moment),
    field(69, "providerId", "string", Text),
    field(70, "userId", "string", User),
    field(71, "connectionStatus", "string", Words(CONNECTION)),
    field(72, "connection", "object", Object),
    field(73, "monitorStatus", "string", Words(MONITOR_STATES)),
    field(74, "monitor", "object", Object),
];
/// `connection` of an account.
pub const CONNECTION_PARTS: &[Field] = &[
    part(72, "status", Words(CONNECTION)),
    part(72, "errorCode", Text).or_null(),
    part(72, "errorMessage", Text).or_null(),
    part(72, "updatedAt", Moment),
];
/// `monitor` of an account.
pub const MONITOR_PARTS: &[Field] =
    &[part(74, "status", Words(MONITOR_STATES)), part(74, "updatedAt", Moment).or_null()];
/// The request of a social security record.
pub const RECORD_REQUEST: &[Field] = &[
    field(82, "templateId", "string", Text),
    field(83, "consent", "object", Object),
    field(84, "mobileNumber", "string", Text),
    field(85, "fullName", "string", Text),
    field(86, "curp", "string", Text),
    field(87, "emailAddress", "string", Text),
];
/// Social security record.
pub const RECORD: &[Field] = &[
    field(93, "id", "string", Id("ss")),
    field(94, "createdAt", "date-time", Moment),
    field(95, "status", "string", Words(RECORD_STATES)),
    field(96, "resultCode", "string", Words(RESULT_CODES)).or_null(),
    field(97, "resultMessage", "string", Text).or_null(),
    field(98, "result", "object", Object).or_null(),
    field(99, "requestMeta", "object", Object),
];
/// The result of a record.
pub const RECORD_RESULT: &[Field] = &[
    field(105, "fullName", "string", Text),
    field(106, "curp", "string", Text),
    field(107, "nss", "string", Text),
    field(108, "reportDate", "date", Day),
    field(109, "employerName", "string", Text),
    field(110, "employerRegistration", "string", Text),
    field(111, "state", "string", Text),
    field(112, "contributionDays", "integer", Integer),
    field(113, "contributionBaseAmount", "number", Number),
    field(114, "currency", "string", Words(&["MXN"])),
];
/// Consent, as `requestMeta` shows it with every field set.
pub const CONSENT: &[Field] = &[
    field(122, "consentedAt", "date-time", Moment),
    field(123, "consentTemplateId", "string, nullable", Id("ct")).or_null(),
    field(124, "type", "string", Text),
    field(125, "version", "string", Text),
    field(126, "consentedWith", "string", Text),
];
/// Form.
pub const FORM: &[Field] = &[
    field(134, "id", "string", Text),
    field(135, "createdAt", "date-time", Moment),
    field(136, "name", "string", Text).or_null(),
    field(137, "userId", "string", User),
    field(138, "linkSiteId", "string", Text),
    field(139, "linkSiteSessionId", "string", Text),
    field(140, "reference", "string", Text),
    field(141, "data", "object", Object),
];
/// Document.
pub const DOCUMENT: &[Field] = &[
    field(147, "id", "string", Id("d")),
    field(148, "name", "string", Text),
    field(149, "docId", "string", Text),
    field(150, "status", "string", Words(&["VALID", "HIT", "EXPIRED"])).or_null(),
    field(151, "documentType", "string", Words(&["IDENTIFICATION", "PAYSLIP", "CLEARANCE", "CERTIFICATE"])),
    field(152, "issueDate", "date", Day).or_null(),
    field(153, "expiryDate", "date", Day).or_null(),
    field(154, "fileUrl", "string", Url).or_null(),
    field(155, "metadata", "object", Object),
];
/// Rating.
pub const RATING: &[Field] = &[
    field(163, "id", "string", Id("r")),
    field(164, "currentRating", "number", Number).or_null(),
    field(165, "maxRating", "number", Number).or_null(),
    field(166, "calculatedPercentage", "number", Number).or_null(),
    field(167, "reviewsReceived", "number", Number).or_null(),
    field(168, "likesReceived", "number", Number).or_null(),
    field(169, "jobsCompleted", "number", Number).or_null(),
    field(170, "metadata", "object", Object),
];
/// Estimated income.
pub const ESTIMATED_INCOME: &[Field] = &[
    field(176, "id", "string", Id("einc")),
    field(177, "month", "string", Month),
    field(178, "currency", "string", Currency),
    field(179, "amount", "number", Number),
    field(180, "baseAmount", "number", Number),
    field(181, "metadata", "object", Object),
];
/// Metadata.
pub const METADATA: &[Field] = &[
    field(187, "createdAt", "date-time", Moment),
    field(188, "itemCreatedAt", "date-time", Moment),
    field(189, "accountId", "string", Text),
    field(190, "sourceId", "string", Text),
    field(191, "sourceType", "string", Words(&["ACCOUNT", "UPLOAD", "ARCHIVE"])),
    field(192, "providerId", "string", Text),
    field(193, "userId", "string", User),
];
/// A document in the payload.
pub const EMBEDDED_DOCUMENT: &[Field] = &[part(157, "remarks", Text).or_null()];
/// An identity in the payload.
pub const IDENTITY: &[Field] = &[
    part(197, "id", Id("i")),
    part(197, "fullName", Text).or_null(),
    part(197, "firstName", Text).or_null(),
    part(197, "middleName", Text).or_null(),
    part(197, "lastName", Text).or_null(),
    part(197, "suffix", Text).or_null(),
    part(197, "gender", Text).or_null(),
    part(197, "dob", Day).or_null(),
    part(197, "maritalStatus", Text).or_null(),
    part(197, "countryResidence", Text).or_null(),
    part(197, "citizenship", Text).or_null(),
    part(197, "photoUrl", Photo).or_null(),
    part(197, "referenceId", Text).or_null(),
    part(197, "profileUrl", Url).or_null(),
    part(197, "latestEmployerName", Text).or_null(),
    part(197, "emails", Objects),
    part(197, "phones", Objects),
    part(197, "socialProfiles", Objects),
    part(197, "addresses", Objects),
];
/// `emails[]` of an identity.
pub const EMAIL: &[Field] = &[part(197, "address", Text), part(197, "type", Text).or_null()];
/// `phones[]` of an identity.
pub const PHONE: &[Field] = &[part(197, "number", Text), part(197, "type", Text).or_null()];
/// `socialProfiles[]` of an identity.
pub const SOCIAL_PROFILE: &[Field] = &[part(197, "socialUrl", Url), part(197, "type", Text).or_null()];
/// `addresses[]` of an identity.
pub const ADDRESS: &[Field] = &[
    part(197, "fullAddress", Text).or_null(),
    part(197, "line1", Text).or_null(),
    part(197, "line2", Text).or_null(),
    part(197, "city", Text).or_null(),
    part(197, "region", Text).or_null(),
    part(197, "zip", Text).or_null(),
    part(197, "country", Text).or_null(),
    part(197, "latitude", Number).or_null(),
    part(197, "longitude", Number).or_null(),
    part(197, "type", Text).or_null(),
];
/// An employment in the payload.
pub const EMPLOYMENT: &[Field] = &[
    part(198, "id", Id("e")),
    part(198, "name", Text).or_null(),
    part(198, "description", Text).or_null(),
    part(198, "jobTitle", Text).or_null(),
    part(198, "department", Text).or_null(),
    part(198, "employeeNumber", Text).or_null(),
    part(198, "employer", Text).or_null(),
    part(198, "status", Text).or_null(),
    part(198, "startDate", Day).or_null(),
    part(198, "endDate", Day).or_null(),
];
/// A contribution in the payload.
pub const CONTRIBUTION: &[Field] = &[
    part(199, "id", Id("con")),
    part(199, "date", Day).or_null(),
    part(199, "currency", Currency),
    part(199, "amount", Number),
    part(199, "referenceId", Text).or_null(),
];
/// A liability in the payload.
pub const LIABILITY: &[Field] = &[
    part(200, "id", Id("lia")),
    part(200, "type", Text).or_null(),
    part(200, "referenceId", Text).or_null(),
    part(200, "startDate", Day).or_null(),
    part(200, "endDate", Day).or_null(),
    part(200, "firstAmortizationDate", Day).or_null(),
    part(200, "amortizationFrequency", Text).or_null(),
    part(200, "currency", Currency),
    part(200, "loanAmount", Number).or_null(),
    part(200, "amortizationAmount", Number).or_null(),
    part(200, "outstandingBalance", Number).or_null(),
    part(200, "nextPaymentAmount", Number).or_null(),
    part(200, "overduePaymentAmount", Number).or_null(),
];
/// An estimated income in the payload.
pub const EMBEDDED_ESTIMATED_INCOME: &[Field] = &[
    part(201, "id", Id("einc")),
    part(201, "month", Month),
    part(201, "currency", Currency),
    part(201, "baseAmount", Number),
    part(201, "amount", Number),
];
/// Webhook registration.
pub const WEBHOOK: &[Field] = &[
    field(209, "name", "string", Text),
    field(210, "url", "string", Url),
    field(211, "eventTypes", "array of string", Texts),
    field(212, "active", "boolean", Flag),
    field(213, "secret", "string", Text),
    field(214, "includePayload", "boolean", Flag),
];
/// The envelope of a delivery.
pub const ENVELOPE: &[Field] = &[
    part(315, "id", Id("et")),
    part(315, "version", Integer),
    part(315, "type", Text),
    part(315, "createdAt", Moment),
    part(315, "data", Object),
];
/// The payload of a finished task.
pub const PAYLOAD: &[Field] = &[
    part(319, "identity", Object).or_null(),
    part(319, "rating", Object).or_null(),
    part(319, "documents", Object).or_null(),
    part(319, "incomes", Object).or_null(),
    part(319, "transactions", Object).or_null(),
    part(319, "employments", Object).or_null(),
    part(319, "contributions", Object).or_null(),
    part(319, "liabilities", Object).or_null(),
    part(319, "eincomes", Object).or_null(),
    part(319, "links", Object).or_null(),
    part(319, "insight", Object).or_null(),
];

/// Every table.
pub const TABLES: &[&[Field]] = &[
    TOKEN,
    ACCOUNT,
    CONNECTION_PARTS,
    MONITOR_PARTS,
    RECORD_REQUEST,
    RECORD,
    RECORD_RESULT,
    CONSENT,
    FORM,
    DOCUMENT,
    RATING,
    ESTIMATED_INCOME,
    METADATA,
    EMBEDDED_DOCUMENT,
    IDENTITY,
    EMAIL,
    PHONE,
    SOCIAL_PROFILE,
    ADDRESS,
    EMPLOYMENT,
    CONTRIBUTION,
    LIABILITY,
    EMBEDDED_ESTIMATED_INCOME,
    WEBHOOK,
    ENVELOPE,
    PAYLOAD,
];
