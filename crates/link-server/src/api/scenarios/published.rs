//! The published test inputs of the sandbox, for `GET /scenarios` and `docs/reference/sandbox.md`.

use link_connectors::sandbox::records::{SandboxOutcome, TEST_INPUTS};
use link_connectors::sandbox::{LOGINS, PASSWORD, PublishedOutcome, providers, samples};
use link_types::LinkErrorCode;
use link_types::account::ConnectionStatus;
use link_types::archive::{ArchiveStatus, ArchiveType};
use link_types::id::ProviderId;
use link_types::link::GuessLimit;
use link_types::record::ResultCode;
use serde::Serialize;

/// Test inputs of every sandbox.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Published {
    /// Password of every published login.
    pub password: &'static str,
    /// Logins. If a provider asks for an email address, the login is the part before the `@`.
    pub logins: Vec<PublishedLogin>,
    /// Providers that behave in the same way for every login.
    pub providers: Vec<PublishedProvider>,
    /// Inputs of records and signals. All other valid inputs result in NO_DATA.
    pub records: Vec<PublishedInput>,
    /// Documents to upload, from the folder `docs/samples`.
    pub documents: Vec<PublishedDocument>,
}

/// Login of the sandbox and its result.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishedLogin {
    /// Login name to type in the widget.
    pub login: String,
    /// First status of the account.
    pub connection_status: ConnectionStatus,
    /// Reason for the failure. Null if the login succeeds.
    pub error_code: Option<LinkErrorCode>,
    /// Limit on guessing that rejects the next try. Null if none does.
    pub limit: Option<GuessLimit>,
    /// Correct answers to the challenges, in order. Null for a challenge without input.
    pub answers: Vec<Option<&'static str>>,
    /// Outcome of this login.
    pub description: String,
}

/// Provider that behaves in the same way for every login.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishedProvider {
    /// Identifier of the provider.
    pub provider_id: ProviderId,
    /// Outcome of every login at this provider.
    pub description: &'static str,
}

/// Input of records and signals. The number determines the result, or the email address if a request has no number.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishedInput {
    /// Mobile number. Its MD5 has the same effect.
    pub mobile_number: &'static str,
    /// Email address, for requests without a number.
    pub email_address: &'static str,
    /// Result of a signal.
    pub result_code: ResultCode,
    /// Result of a social security record.
    pub record_result_code: ResultCode,
    /// Outcome of this input.
    pub description: &'static str,
}

/// Document to upload.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishedDocument {
    /// Name of the file in the folder `docs/samples`.
    pub file: &'static str,
    /// Kind of document to upload it as. Null if any kind has the same result.
    #[serde(rename = "type")]
    pub archive_type: Option<ArchiveType>,
    /// Resulting status of the archive. Null if the file is rejected.
    pub status: Option<ArchiveStatus>,
    /// Reason for the failure or rejection. Null if reading succeeds.
    pub error_code: Option<&'static str>,
}

/// Returns the published test inputs.
pub fn published_inputs() -> Published {
    let errors = LinkErrorCode::ALL.iter().map(|code| PublishedLogin {
        login: format!("error-{code}"),
        connection_status: ConnectionStatus::Error,
        error_code: Some(*code),
        limit: None,
        answers: Vec::new(),
        description: format!("fails with {code}"),
    });
    Published {
        password: PASSWORD,
        logins: LOGINS.iter().map(login).chain(errors).collect(),
        providers: special_providers(),
        records: TEST_INPUTS.iter().map(input).collect(),
        documents: samples::SAMPLES.iter().map(document).collect(),
    }
}

fn login(published: &link_connectors::sandbox::PublishedLogin) -> PublishedLogin {
    let (connection_status, error_code, asks) = match published.outcome {
        PublishedOutcome::Connects => (ConnectionStatus::Connected, None, &[][..]),
        PublishedOutcome::ConnectsSlowly => (ConnectionStatus::Pending, None, &[][..]),
        PublishedOutcome::Redirects => (ConnectionStatus::AwaitingMfa, None, &[][..]),
        PublishedOutcome::Asks(asks) => (ConnectionStatus::AwaitingMfa, None, asks),
        PublishedOutcome::Fails(code) => (ConnectionStatus::Error, Some(code), &[][..]),
        PublishedOutcome::ShowsLimit(_) => {
            (ConnectionStatus::Error, Some(LinkErrorCode::InvalidCredentials), &[][..])
        }
    };
    let limit = match published.outcome {
        PublishedOutcome::ShowsLimit(limit) => Some(limit),
        PublishedOutcome::Connects
        | PublishedOutcome::ConnectsSlowly
        | PublishedOutcome::Asks(_)
        | PublishedOutcome::Redirects
        | PublishedOutcome::Fails(_) => None,
    };
    PublishedLogin {
        login: published.login.to_owned(),
        connection_status,
        error_code,
        limit,
        answers: asks.iter().map(|ask| ask.answer()).collect(),
        description: published.description.to_owned(),
    }
}

fn special_providers() -> Vec<PublishedProvider> {
    let special = |provider: link_types::provider::Provider| {
        let description = match (provider.enabled, provider.login_required) {
            (false, _) => "in maintenance: not enabled, not listed in the widget, rejects every login",
            (true, false) => "connects without a login",
            (true, true) => return None,
        };
        Some(PublishedProvider { provider_id: provider.id, description })
    };
    providers().into_iter().filter_map(special).collect()
}

fn input(published: &link_connectors::sandbox::records::TestInput) -> PublishedInput {
    let description = match published.outcome {
        SandboxOutcome::Success => {
            "data is found; a Blacklist signal has a hit, unlike with the other numbers"
        }
        SandboxOutcome::LateItems => {
            "the last two items of a Footprints signal are null if `timeout` is below 5"
        }
        SandboxOutcome::PartialMatch => {
            "an Identity Verification has PARTIAL_MATCH for the names and overall"
        }
        SandboxOutcome::NoMatch => "an Identity Verification has NO_MATCH",
        SandboxOutcome::NoData => "nothing is found, as with every input that is not listed",
        SandboxOutcome::InvalidParameters => "the source rejects the parameters",
        SandboxOutcome::ServiceUnavailable => "the source cannot be reached",
        SandboxOutcome::SystemError => "the service has an internal error",
    };
    PublishedInput {
        mobile_number: published.mobile_number,
        email_address: published.email_address,
        result_code: code_of(published.outcome),
        record_result_code: code_of(published.outcome.of_record()),
        description,
    }
}

const fn code_of(outcome: SandboxOutcome) -> ResultCode {
    match outcome {
        SandboxOutcome::Success
        | SandboxOutcome::LateItems
        | SandboxOutcome::PartialMatch
        | SandboxOutcome::NoMatch => ResultCode::Success,
        SandboxOutcome::NoData => ResultCode::NoData,
        SandboxOutcome::InvalidParameters => ResultCode::InvalidParameters,
        SandboxOutcome::ServiceUnavailable => ResultCode::ServiceUnavailable,
        SandboxOutcome::SystemError => ResultCode::SystemError,
    }
}

fn document(sample: &samples::Sample) -> PublishedDocument {
    PublishedDocument {
        file: sample.file,
        archive_type: sample.archive_type,
        status: sample.status,
        error_code: sample.error_code,
    }
}
