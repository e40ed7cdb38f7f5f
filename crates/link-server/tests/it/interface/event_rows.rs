//! The table of events, one entry a row: its types, the fields of `data`.

use super::fields::RESULT_CODES;
use super::resources::Shape::{Day, Id, Integer, Moment, Object, Text, Texts, User, Words};
use super::resources::{Field, field};
use super::states::{MONITOR_STATES, RECORD_STATES};

/// A row of the table.
pub struct EventRow {
    pub types: &'static [&'static str],
    pub fields: &'static [EventField],
}

/// A field of `data`.
#[derive(Clone, Copy)]
pub struct EventField {
    pub field: Field,
    /// If false, the document says that the field may be missing.
    pub always: bool,
}

const fn always(field: Field) -> EventField {
    EventField { field, always: true }
}

const fn maybe(field: Field) -> EventField {
    EventField { field, always: false }
}

/// Fields that we add to the `data` of the interface's types.
pub const ADDED: &[(&str, Field)] = &[
    ("ACCOUNT_DISCONNECTED", field("reason", Words(REASONS))),
    ("ARCHIVE_REVOKED", field("reason", Words(REASONS))),
    ("IDENTITY_ADDED", field("sourceId", Text)),
    ("IDENTITY_ADDED", field("sourceType", Words(SOURCES))),
    ("RATING_ADDED", field("sourceId", Text)),
    ("RATING_ADDED", field("sourceType", Words(SOURCES))),
    ("TRANSACTIONS_ADDED", field("sourceId", Text)),
    ("TRANSACTIONS_ADDED", field("sourceType", Words(SOURCES))),
    ("DOCUMENTS_ADDED", field("sourceId", Text)),
    ("DOCUMENTS_ADDED", field("sourceType", Words(SOURCES))),
    ("EMPLOYMENTS_ADDED", field("sourceId", Text)),
    ("EMPLOYMENTS_ADDED", field("sourceType", Words(SOURCES))),
    ("INCOMES_ADDED", field("sourceId", Text)),
    ("INCOMES_ADDED", field("sourceType", Words(SOURCES))),
    ("CONTRIBUTIONS_ADDED", field("sourceId", Text)),
    ("CONTRIBUTIONS_ADDED", field("sourceType", Words(SOURCES))),
    ("LIABILITIES_ADDED", field("sourceId", Text)),
    ("LIABILITIES_ADDED", field("sourceType", Words(SOURCES))),
    ("EINCOMES_ADDED", field("sourceId", Text)),
    ("EINCOMES_ADDED", field("sourceType", Words(SOURCES))),
    ("INSIGHT_ADDED", field("sourceId", Text)),
    ("INSIGHT_ADDED", field("sourceType", Words(SOURCES))),
    ("LINK_ADDED", field("sourceId", Text)),
    ("LINK_ADDED", field("sourceType", Words(SOURCES))),
];
const REASONS: &[&str] = &["USER", "TENANT", "EXPIRED"];

const SOURCES: &[&str] = &["ACCOUNT", "UPLOAD", "ARCHIVE"];
const ENDINGS: &[&str] = &["SUCCEEDED", "PARTIAL", "FAILED"];
pub const ROWS: &[EventRow] = &[
    EventRow { types: &["USER_CREATED"], fields: &[always(field("userId", User))] },
    EventRow {
        types: &["TASK_STARTED"],
        fields: &[
            always(field("userId", User)),
            always(field("sourceId", Text)),
            always(field("sourceType", Words(SOURCES))),
            always(field("taskType", Text)),
            always(field("providers", Texts)),
        ],
    },
    EventRow {
        types: &["TASK_FINISHED"],
        fields: &[
            always(field("userId", User)),
            always(field("sourceId", Text)),
            always(field("sourceType", Words(SOURCES))),
            always(field("taskType", Text)),
            always(field("status", Words(ENDINGS))),
            always(field("errorCode", Text).or_null()),
            always(field("providers", Texts)),
            always(field("datapoints", Texts)),
            always(field("payload", Object)),
        ],
    },
    EventRow {
        types: &["ACCOUNT_CREATED"],
        fields: &[
            always(field("userId", User)),
            always(field("accountId", Id("a"))),
            always(field("providers", Texts)),
        ],
    },
    EventRow {
        types: &["ACCOUNT_CONNECTED"],
        fields: &[
            always(field("userId", User)),
            always(field("accountId", Id("a"))),
            always(field("loginName", Text).or_null()),
            always(field("providers", Texts)),
        ],
    },
    EventRow {
        types: &["ACCOUNT_DISCONNECTED"],
        fields: &[
            always(field("userId", User)),
            always(field("accountId", Id("a"))),
            always(field("providers", Texts)),
        ],
    },
    EventRow {
        types: &["ACCOUNT_FAILED"],
        fields: &[
            always(field("userId", User)),
            always(field("accountId", Id("a"))),
            always(field("loginName", Text).or_null()),
            always(field("errorCode", Text)),
            always(field("errorMessage", Text)),
            always(field("providers", Texts)),
        ],
    },
    EventRow {
        types: &["ACCOUNT_SYNC_TASK_FINISHED"],
        fields: &[
            always(field("userId", User)),
            always(field("sourceId", Text)),
            always(field("sourceType", Words(SOURCES))),
            always(field("providers", Texts)),
            always(field("status", Words(ENDINGS))),
            always(field("monitorStatus", Words(MONITOR_STATES))),
            always(field("dataPoints", Texts)),
            always(field("payload", Object)),
        ],
    },
    EventRow {
        types: &["ARCHIVE_STARTED"],
        fields: &[always(field("userId", User)), always(field("archiveId", Id("archive")))],
    },
    EventRow {
        types: &["ARCHIVE_ANALYZED"],
        fields: &[always(field("userId", User)), always(field("archiveId", Id("archive")))],
    },
    EventRow {
        types: &["ARCHIVE_REVOKED"],
        fields: &[always(field("userId", User)), always(field("archiveId", Id("archive")))],
    },
    EventRow {
        types: &["ARCHIVE_FAILED"],
        fields: &[
            always(field("userId", User)),
            always(field("archiveId", Id("archive"))),
            always(field("errorCode", Text)),
            always(field("errorMessage", Text)),
        ],
    },
    EventRow {
        types: &["INVITE_INVITED"],
        fields: &[always(field("userId", User)), always(field("inviteId", Id("iv")))],
    },
    EventRow {
        types: &["INVITE_LINKED"],
        fields: &[always(field("userId", User)), always(field("inviteId", Id("iv")))],
    },
    EventRow {
        types: &["IDENTITY_ADDED"],
        fields: &[
            always(field("userId", User)),
            always(field("accountId", Text)),
            always(field("identityId", Id("i"))),
            always(field("providers", Texts)),
        ],
    },
    EventRow {
        types: &["RATING_ADDED"],
        fields: &[
            always(field("userId", User)),
            always(field("accountId", Text)),
            always(field("ratingId", Id("r"))),
            always(field("providers", Texts)),
        ],
    },
    EventRow {
        types: &[
            "TRANSACTIONS_ADDED",
            "DOCUMENTS_ADDED",
            "EMPLOYMENTS_ADDED",
            "INCOMES_ADDED",
            "CONTRIBUTIONS_ADDED",
            "LIABILITIES_ADDED",
        ],
        fields: &[
            always(field("userId", User)),
            always(field("accountId", Text)),
            always(field("count", Integer)),
            always(field("providers", Texts)),
        ],
    },
    EventRow {
        types: &["EINCOMES_ADDED"],
        fields: &[
            always(field("userId", User)),
            always(field("accountId", Text)),
            always(field("count", Integer)),
            always(field("providers", Texts)),
        ],
    },
    EventRow {
        types: &["INSIGHT_ADDED"],
        fields: &[
            always(field("userId", User)),
            always(field("accountId", Text)),
            always(field("id", Id("insight"))),
            always(field("providers", Texts)),
        ],
    },
    EventRow {
        types: &["LINK_ADDED"],
        fields: &[
            always(field("userId", User)),
            always(field("accountId", Text)),
            always(field("id", Id("link"))),
            always(field("providers", Texts)),
        ],
    },
    EventRow {
        types: &["RECORD_CREATED"],
        fields: &[
            always(field("recordId", Id("ss"))),
            always(field("recordType", Words(&["SOCIAL_SECURITY"]))),
            maybe(field("userId", User)),
        ],
    },
    EventRow {
        types: &["RECORD_COMPLETED"],
        fields: &[
            always(field("recordId", Id("ss"))),
            always(field("recordType", Words(&["SOCIAL_SECURITY"]))),
            maybe(field("status", Words(RECORD_STATES))),
            maybe(field("resultCode", Words(RESULT_CODES))),
            maybe(field("resultMessage", Text)),
            maybe(field("payload", Object)),
            maybe(field("userId", User)),
        ],
    },
];

/// Types that the document does not have: events about the tenant's own webhooks (ADR 172), and hosted links (ADR 244).
pub const OPERATIONAL: &[&str] =
    &["WEBHOOK_DISABLED", "LINK_SESSION_COMPLETED", "LINK_SESSION_CLOSED", "LINK_SESSION_EXPIRED"];

/// The fields of the `*_UPDATED` events in `resources.md`. The document does not show them.
const UPDATED: [EventField; 10] = [
    always(field("userId", User)),
    always(field("accountId", Text)),
    always(field("sourceId", Text)),
    always(field("sourceType", Words(SOURCES))),
    always(field("count", Integer)),
    always(field("updatedFrom", Day).or_null()),
    always(field("updatedTo", Day).or_null()),
    always(field("updatedAt", Moment)),
    always(field("providers", Texts)),
    maybe(field("linkSiteSessionId", Id("visit")).or_null()),
];

/// Types whose `data` is in `resources.md` and not in the document.
pub const UNSHOWN: &[EventRow] = &[
    EventRow {
        types: &["DOCUMENTS_UPDATED"],
        fields: &[
            UPDATED[0],
            UPDATED[1],
            UPDATED[2],
            UPDATED[3],
            UPDATED[4],
            UPDATED[5],
            UPDATED[6],
            UPDATED[7],
            UPDATED[8],
            UPDATED[9],
            always(field("updatedIds", Texts)),
        ],
    },
    EventRow {
        types: &[
            "EMPLOYMENTS_UPDATED",
            "INCOMES_UPDATED",
            "EINCOMES_UPDATED",
            "CONTRIBUTIONS_UPDATED",
            "LIABILITIES_UPDATED",
        ],
        fields: &UPDATED,
    },
    EventRow { types: &["VERIFICATION_STARTED"], fields: &[always(field("verificationId", Id("vf")))] },
    EventRow {
        types: &["VERIFICATION_COMPLETED"],
        fields: &[
            always(field("verificationId", Id("vf"))),
            always(field("status", Words(&["COMPLETED", "ERROR"]))),
            always(field("resultCode", Words(RESULT_CODES))),
            always(field("resultMessage", Text)),
        ],
    },
];
