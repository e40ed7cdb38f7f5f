//! The table of events, one entry a row: its line, its types, the fields of `data`.

use super::fields::RESULT_CODES;
use super::shape::Shape::{Day, Id, Integer, Moment, Object, Text, Texts, User, Words};
use super::shape::{Field, part};
use super::states::{MONITOR_STATES, RECORD_STATES};

/// A row of the table.
pub struct EventRow {
    pub line: u32,
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
    ("ACCOUNT_DISCONNECTED", part(330, "reason", Words(REASONS))),
    ("ARCHIVE_REVOKED", part(335, "reason", Words(REASONS))),
    ("IDENTITY_ADDED", part(339, "sourceId", Text)),
    ("IDENTITY_ADDED", part(339, "sourceType", Words(SOURCES))),
    ("RATING_ADDED", part(340, "sourceId", Text)),
    ("RATING_ADDED", part(340, "sourceType", Words(SOURCES))),
    ("TRANSACTIONS_ADDED", part(341, "sourceId", Text)),
    ("TRANSACTIONS_ADDED", part(341, "sourceType", Words(SOURCES))),
    ("DOCUMENTS_ADDED", part(341, "sourceId", Text)),
    ("DOCUMENTS_ADDED", part(341, "sourceType", Words(SOURCES))),
    ("EMPLOYMENTS_ADDED", part(341, "sourceId", Text)),
    ("EMPLOYMENTS_ADDED", part(341, "sourceType", Words(SOURCES))),
    ("INCOMES_ADDED", part(341, "sourceId", Text)),
    ("INCOMES_ADDED", part(341, "sourceType", Words(SOURCES))),
    ("CONTRIBUTIONS_ADDED", part(341, "sourceId", Text)),
    ("CONTRIBUTIONS_ADDED", part(341, "sourceType", Words(SOURCES))),
    ("LIABILITIES_ADDED", part(341, "sourceId", Text)),
    ("LIABILITIES_ADDED", part(341, "sourceType", Words(SOURCES))),
    ("EINCOMES_ADDED", part(342, "sourceId", Text)),
    ("EINCOMES_ADDED", part(342, "sourceType", Words(SOURCES))),
    ("INSIGHT_ADDED", part(343, "sourceId", Text)),
    ("INSIGHT_ADDED", part(343, "sourceType", Words(SOURCES))),
    ("LINK_ADDED", part(344, "sourceId", Text)),
    ("LINK_ADDED", part(344, "sourceType", Words(SOURCES))),
];
const REASONS: &[&str] = &["USER", "TENANT", "EXPIRED"];

const SOURCES: &[&str] = &["ACCOUNT", "UPLOAD", "ARCHIVE"];
const ENDINGS: &[&str] = &["SUCCEEDED", "PARTIAL", "FAILED"];
pub const ROWS: &[EventRow] = &[
    EventRow { line: 325, types: &["USER_CREATED"], fields: &[always(part(325, "userId", User))] },
    EventRow {
        line: 326,
        types: &["TASK_STARTED"],
        fields: &[
            always(part(326, "userId", User)),
            always(part(326, "sourceId", Text)),
            always(part(326, "sourceType", Words(SOURCES))),
            always(part(326, "taskType", Text)),
            always(part(326, "providers", Texts)),
        ],
    },
    EventRow {
        line: 327,
        types: &["TASK_FINISHED"],
        fields: &[
            always(part(327, "userId", User)),
            always(part(327, "sourceId", Text)),
            always(part(327, "sourceType", Words(SOURCES))),
            always(part(327, "taskType", Text)),
            always(part(327, "status", Words(ENDINGS))),
            always(part(327, "errorCode", Text).or_null()),
            always(part(327, "providers", Texts)),
            always(part(327, "datapoints", Texts)),
            always(part(327, "payload", Object)),
        ],
    },
    EventRow {
        line: 328,
        types: &["ACCOUNT_CREATED"],
        fields: &[
            always(part(328, "userId", User)),
            always(part(328, "accountId", Id("a"))),
            always(part(328, "providers", Texts)),
        ],
    },
    EventRow {
        line: 329,
        types: &["ACCOUNT_CONNECTED"],
        fields: &[
            always(part(329, "userId", User)),
            always(part(329, "accountId", Id("a"))),
            always(part(329, "loginName", Text).or_null()),
            always(part(329, "providers", Texts)),
        ],
    },
    EventRow {
        line: 330,
        types: &["ACCOUNT_DISCONNECTED"],
        fields: &[
            always(part(330, "userId", User)),
            always(part(330, "accountId", Id("a"))),
            always(part(330, "providers", Texts)),
        ],
    },
    EventRow {
        line: 331,
        types: &["ACCOUNT_FAILED"],
        fields: &[
            always(part(331, "userId", User)),
            always(part(331, "accountId", Id("a"))),
            always(part(331, "loginName", Text).or_null()),
            always(part(331, "errorCode", Text)),
            always(part(331, "errorMessage", Text)),
            always(part(331, "providers", Texts)),
        ],
    },
    EventRow {
        line: 332,
        types: &["ACCOUNT_SYNC_TASK_FINISHED"],
        fields: &[
            always(part(332, "userId", User)),
            always(part(332, "sourceId", Text)),
            always(part(332, "sourceType", Words(SOURCES))),
            always(part(332, "providers", Texts)),
            always(part(332, "status", Words(ENDINGS))),
            always(part(332, "monitorStatus", Words(MONITOR_STATES))),
            always(part(332, "dataPoints", Texts)),
            always(part(332, "payload", Object)),
        ],
    },
    EventRow {
        line: 333,
        types: &["ARCHIVE_STARTED"],
        fields: &[always(part(333, "userId", User)), always(part(333, "archiveId", Id("archive")))],
    },
    EventRow {
        line: 334,
        types: &["ARCHIVE_ANALYZED"],
        fields: &[always(part(334, "userId", User)), always(part(334, "archiveId", Id("archive")))],
    },
    EventRow {
        line: 335,
        types: &["ARCHIVE_REVOKED"],
        fields: &[always(part(335, "userId", User)), always(part(335, "archiveId", Id("archive")))],
    },
    EventRow {
        line: 336,
        types: &["ARCHIVE_FAILED"],
        fields: &[
            always(part(336, "userId", User)),
            always(part(336, "archiveId", Id("archive"))),
            always(part(336, "errorCode", Text)),
            always(part(336, "errorMessage", Text)),
        ],
    },
    EventRow {
        line: 337,
        types: &["INVITE_INVITED"],
        fields: &[always(part(337, "userId", User)), always(part(337, "inviteId", Id("iv")))],
    },
    EventRow {
        line: 338,
        types: &["INVITE_LINKED"],
        fields: &[always(part(338, "userId", User)), always(part(338, "inviteId", Id("iv")))],
    },
    EventRow {
        line: 339,
        types: &["IDENTITY_ADDED"],
        fields: &[
            always(part(339, "userId", User)),
            always(part(339, "accountId", Text)),
            always(part(339, "identityId", Id("i"))),
            always(part(339, "providers", Texts)),
        ],
    },
    EventRow {
        line: 340,
        types: &["RATING_ADDED"],
        fields: &[
            always(part(340, "userId", User)),
            always(part(340, "accountId", Text)),
            always(part(340, "ratingId", Id("r"))),
            always(part(340, "providers", Texts)),
        ],
    },
    EventRow {
        line: 341,
        types: &[
            "TRANSACTIONS_ADDED",
            "DOCUMENTS_ADDED",
            "EMPLOYMENTS_ADDED",
            "INCOMES_ADDED",
            "CONTRIBUTIONS_ADDED",
            "LIABILITIES_ADDED",
        ],
        fields: &[
            always(part(341, "userId", User)),
            always(part(341, "accountId", Text)),
            always(part(341, "count", Integer)),
            always(part(341, "providers", Texts)),
        ],
    },
    EventRow {
        line: 342,
        types: &["EINCOMES_ADDED"],
        fields: &[
            always(part(342, "userId", User)),
            always(part(342, "accountId", Text)),
            always(part(342, "count", Integer)),
            always(part(342, "providers", Texts)),
        ],
    },
    EventRow {
        line: 343,
        types: &["INSIGHT_ADDED"],
        fields: &[
            always(part(343, "userId", User)),
            always(part(343, "accountId", Text)),
            always(part(343, "id", Id("insight"))),
            always(part(343, "providers", Texts)),
        ],
    },
    EventRow {
        line: 344,
        types: &["LINK_ADDED"],
        fields: &[
            always(part(344, "userId", User)),
            always(part(344, "accountId", Text)),
            always(part(344, "id", Id("link"))),
            always(part(344, "providers", Texts)),
        ],
    },
    EventRow {
        line: 345,
        types: &["RECORD_CREATED"],
        fields: &[
            always(part(345, "recordId", Id("ss"))),
            always(part(345, "recordType", Words(&["SOCIAL_SECURITY"]))),
            maybe(part(345, "userId", User)),
        ],
    },
    EventRow {
        line: 346,
        types: &["RECORD_COMPLETED"],
        fields: &[
            always(part(346, "recordId", Id("ss"))),
            always(part(346, "recordType", Words(&["SOCIAL_SECURITY"]))),
            maybe(part(346, "status", Words(RECORD_STATES))),
            maybe(part(346, "resultCode", Words(RESULT_CODES))),
            maybe(part(346, "resultMessage", Text)),
            maybe(part(346, "payload", Object)),
            maybe(part(346, "userId", User)),
        ],
    },
];

/// Types that the document does not have: events about the tenant's own webhooks (ADR 172).
pub const OPERATIONAL: &[&str] = &["WEBHOOK_DISABLED"];

/// The fields of the `*_UPDATED` events in `resources.md`. The document does not show them.
const UPDATED: [EventField; 10] = [
    always(part(348, "userId", User)),
    always(part(348, "accountId", Text)),
    always(part(348, "sourceId", Text)),
    always(part(348, "sourceType", Words(SOURCES))),
    always(part(348, "count", Integer)),
    always(part(348, "updatedFrom", Day).or_null()),
    always(part(348, "updatedTo", Day).or_null()),
    always(part(348, "updatedAt", Moment)),
    always(part(348, "providers", Texts)),
    maybe(part(348, "linkSiteSessionId", Id("visit")).or_null()),
];

/// Types whose `data` is in `resources.md` and not in the document.
pub const UNSHOWN: &[EventRow] = &[
    EventRow {
        line: 348,
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
            always(part(348, "updatedIds", Texts)),
        ],
    },
    EventRow {
        line: 348,
        types: &[
            "EMPLOYMENTS_UPDATED",
            "INCOMES_UPDATED",
            "EINCOMES_UPDATED",
            "CONTRIBUTIONS_UPDATED",
            "LIABILITIES_UPDATED",
        ],
        fields: &UPDATED,
    },
    EventRow {
        line: 348,
        types: &["VERIFICATION_STARTED"],
        fields: &[always(part(348, "verificationId", Id("vf")))],
    },
    EventRow {
        line: 348,
        types: &["VERIFICATION_COMPLETED"],
        fields: &[
            always(part(348, "verificationId", Id("vf"))),
            always(part(348, "status", Words(&["COMPLETED", "ERROR"]))),
            always(part(348, "resultCode", Words(RESULT_CODES))),
            always(part(348, "resultMessage", Text)),
        ],
    },
];
