//! The published inputs of the sandbox, as `GET /scenarios` tells them and `docs/reference/sandbox.md` shows them.

use link_connectors::sandbox::records::{TEST_INPUTS, Wish};
use link_connectors::sandbox::{LOGINS, PASSWORD, PublishedOutcome, providers, samples};
use link_types::LinkErrorCode;
use link_types::account::ConnectionStatus;
use link_types::archive::{ArchiveStatus, ArchiveType};
use link_types::guessing::GuessLimit;
use link_types::id::ProviderId;
use link_types::record::ResultCode;
use serde::Serialize;

/// What every tenant's sandbox knows.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Published {
    /// The password of every login here.
    pub password: &'static str,
    /// Logins; where a provider asks for an e-mail address, the part before the `@`.
    pub logins: Vec<PublishedLogin>,
    /// Providers that do something of their own, whatever the login.
    pub providers: Vec<PublishedProvider>,
    /// Inputs of records and signals; any other valid one is NO_DATA.
    pub records: Vec<PublishedInput>,
    /// Documents to upload, in the guide's folder of samples.
    pub documents: Vec<PublishedDocument>,
}

/// A login, and what it leads to.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishedLogin {
    /// What the person types.
    pub login: String,
    /// What the account comes to first.
    pub connection_status: ConnectionStatus,
    /// Why it fails; null when it does not.
    pub error_code: Option<LinkErrorCode>,
    /// The limit on guessing that the next try meets; null when it meets none.
    pub limit: Option<GuessLimit>,
    /// The right answers to what is asked, in order; null where there is nothing to type or choose.
    pub answers: Vec<Option<&'static str>>,
    /// What happens.
    pub description: String,
}

/// A provider that does something of its own.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishedProvider {
    /// The provider.
    pub provider_id: ProviderId,
    /// What it does.
    pub description: &'static str,
}

/// An input of records and signals: the number leads to the result, or the address of what has no number.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishedInput {
    /// Mobile number; its MD5 counts as the number.
    pub mobile_number: &'static str,
    /// E-mail address, for what has no number.
    pub email_address: &'static str,
    /// How a signal ends.
    pub result_code: ResultCode,
    /// How a social security record ends.
    pub record_result_code: ResultCode,
    /// What is special about it.
    pub description: &'static str,
}

/// A document to upload.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublishedDocument {
    /// The file, in the guide's folder `samples`.
    pub file: &'static str,
    /// What to upload it as; null where that makes no difference.
    #[serde(rename = "type")]
    pub archive_type: Option<ArchiveType>,
    /// What the archive comes to; null where the file is refused before.
    pub status: Option<ArchiveStatus>,
    /// Why it fails or is refused; null when it does not.
    pub error_code: Option<&'static str>,
}

/// Everything that is published.
pub fn published() -> Published {
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
        providers: providers_apart(),
        records: TEST_INPUTS.iter().map(input).collect(),
        documents: samples::SAMPLES.iter().map(document).collect(),
    }
}

fn login(published: &link_connectors::sandbox::PublishedLogin) -> PublishedLogin {
    let (connection_status, error_code, asks) = match published.outcome {
        PublishedOutcome::Connects => (ConnectionStatus::Connected, None, &[][..]),
        PublishedOutcome::ConnectsSlowly => (ConnectionStatus::Pending, None, &[][..]),
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

fn providers_apart() -> Vec<PublishedProvider> {
    let apart = |provider: link_types::provider::Provider| {
        let description = match (provider.enabled, provider.login_required) {
            (false, _) => "in maintenance: not enabled, not listed in the widget, and no login is taken",
            (true, false) => "connects without a login",
            (true, true) => return None,
        };
        Some(PublishedProvider { provider_id: provider.id, description })
    };
    providers().into_iter().filter_map(apart).collect()
}

fn input(published: &link_connectors::sandbox::records::TestInput) -> PublishedInput {
    let description = match published.wish {
        Wish::Success => "data is found; a Blacklist signal has a hit, with the other numbers none",
        Wish::LateItems => "the last two items of a Footprints signal are null when `timeout` is below 5",
        Wish::PartialMatch => "an Identity Verification has PARTIAL_MATCH for the names and in all",
        Wish::NoMatch => "an Identity Verification has NO_MATCH",
        Wish::NoData => "nothing is found, as with every input that is not here",
        Wish::InvalidParameters => "the source rejects the parameters",
        Wish::ServiceUnavailable => "the source cannot be reached",
        Wish::SystemError => "a fault of the service",
    };
    PublishedInput {
        mobile_number: published.mobile_number,
        email_address: published.email_address,
        result_code: code_of(published.wish),
        record_result_code: code_of(published.wish.of_record()),
        description,
    }
}

const fn code_of(wish: Wish) -> ResultCode {
    match wish {
        Wish::Success | Wish::LateItems | Wish::PartialMatch | Wish::NoMatch => ResultCode::Success,
        Wish::NoData => ResultCode::NoData,
        Wish::InvalidParameters => ResultCode::InvalidParameters,
        Wish::ServiceUnavailable => ResultCode::ServiceUnavailable,
        Wish::SystemError => ResultCode::SystemError,
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
