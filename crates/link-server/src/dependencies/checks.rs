//! The checks of `linchpin check` and `linchpin doctor`: each dependency is used as the service uses it, and each error has
//! its remedy.

use std::borrow::Cow;
use std::path::Path;
use std::time::Duration;

use link_connectors::mail::SmtpMailer;
use link_connectors::reach::{ReachError, Reached, reach};
use link_documents::{ChildReader, SandboxPolicy};
use link_domain::documents::file_store::FileStore;
use link_domain::kernel::clock::Wall;
use link_domain::notifications::webhook_sender::TlsError;
use link_store::{DatabaseCheck, FileSettings, ObjectFiles, StoreError};
use secrecy::ExposeSecret as _;
use serde_json::{Value, json};

use super::{Dependency, DependencyError, probes};
use crate::public::LIVE;
use crate::settings::Settings;

/// How far the clock of this machine may differ from another one. Signatures of webhooks and of S3 allow more.
const MAX_SKEW: Duration = Duration::from_secs(30);

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// The dependency.
    pub dependency: Dependency,
    /// The part that was checked, if there are several of one kind.
    pub subject: String,
    /// How it went.
    pub outcome: CheckOutcome,
}

/// How a check went.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CheckOutcome {
    /// It works.
    Good,
    /// It was not checked, for this reason.
    Skipped(Cow<'static, str>),
    /// It works, but something is missing.
    Lacks(DependencyError),
    /// It does not work.
    Fault(DependencyError),
}

impl Check {
    fn new(dependency: Dependency, subject: impl Into<String>, outcome: CheckOutcome) -> Self {
        Self { dependency, subject: subject.into(), outcome }
    }

    /// Creates the check of a probe.
    pub fn of_probe(dependency: Dependency, result: Result<(), DependencyError>) -> Self {
        Self::new(dependency, "", result.map_or_else(CheckOutcome::Fault, |()| CheckOutcome::Good))
    }

    /// Creates a check that was skipped.
    pub fn skip(dependency: Dependency, why: impl Into<Cow<'static, str>>) -> Self {
        Self::new(dependency, "", CheckOutcome::Skipped(why.into()))
    }

    /// Returns whether the service would fail.
    pub const fn is_fault(&self) -> bool {
        matches!(self.outcome, CheckOutcome::Fault(_))
    }

    /// Returns the check as JSON.
    pub fn view(&self) -> Value {
        let (result, why, error) = match &self.outcome {
            CheckOutcome::Good => ("OK", "", None),
            CheckOutcome::Skipped(why) => ("SKIPPED", why.as_ref(), None),
            CheckOutcome::Lacks(error) => ("WARNING", "", Some(error)),
            CheckOutcome::Fault(error) => ("FAULT", "", Some(error)),
        };
        json!({
            "check": self.dependency.as_str(),
            "subject": self.subject,
            "result": result,
            "code": error.map(|it| it.code.as_str()).unwrap_or_default(),
            "cause": error.map(|it| it.cause.as_str()).unwrap_or(why),
            "remedy": error.map(|it| it.remedy.as_ref()).unwrap_or_default(),
        })
    }
}

/// Checks everything that needs no running service and no database.
pub async fn check_surroundings(settings: &Settings) -> Vec<Check> {
    let mut checks = vec![
        Check::of_probe(Dependency::TemporaryFolder, probes::probe_temporary_folder()),
        check_sandbox(settings.document_sandbox).await,
        check_mail(settings).await,
    ];
    checks.extend(check_urls(settings).await);
    checks
}

/// Checks the store of files before a service opens it. A folder that does not exist yet is created by the first start.
pub async fn check_files(settings: &FileSettings, number: u64) -> Check {
    if let FileSettings::Folder(folder) = settings
        && !folder.exists()
    {
        return check_new_folder(Dependency::Files, folder);
    }
    let result = match ObjectFiles::open(settings.clone()) {
        Ok(files) => probes::probe_files(&files as &dyn FileStore, number).await,
        Err(error) => Err(DependencyError::from_files(&error).unwrap_or_else(|| DependencyError {
            dependency: Dependency::Files,
            code: "Settings".to_owned(),
            cause: error.to_string(),
            remedy: "Correct --s3-bucket, --s3-region and --s3-endpoint".into(),
        })),
    };
    Check::of_probe(Dependency::Files, result)
}

/// Why the place of backups is not checked.
pub const NO_BACKUPS: &str = "the service writes no backups, because --backup-to is not set";

/// Checks the place of scheduled backups.
pub async fn check_backups(settings: &Settings, number: u64) -> Check {
    match &settings.backups {
        None => Check::skip(Dependency::Backups, NO_BACKUPS),
        Some(backups) => {
            if let Err(error) = probes::probe_backups(&backups.target, number, false).await {
                return Check::of_probe(Dependency::Backups, Err(error));
            }
            // Before the first backup, only the operator knows whether there are some.
            let marked = probes::probe_marker(&backups.target);
            let outcome = marked.map_or_else(CheckOutcome::Lacks, |()| CheckOutcome::Good);
            Check::new(Dependency::Backups, "", outcome)
        }
    }
}

/// Checks the key folder before a service opens it.
pub fn check_keys(keys_dir: &Path) -> Check {
    if keys_dir.join("keys").is_dir() {
        return Check::of_probe(Dependency::Keys, probes::probe_keys(keys_dir));
    }
    check_new_folder(Dependency::Keys, keys_dir)
}

/// Checks that a folder can be created in the nearest folder above it that exists.
fn check_new_folder(dependency: Dependency, folder: &Path) -> Check {
    let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let above = absolute.ancestors().find(|it| it.is_dir()).unwrap_or(Path::new("/"));
    match tempfile::tempdir_in(above) {
        Ok(_) => Check::skip(dependency, format!("the first start creates {}", folder.display())),
        Err(error) => {
            let remedy = format!(
                "The service cannot create {}. Create it, and make this user its owner",
                folder.display()
            );
            Check::of_probe(dependency, Err(DependencyError::from_io(dependency, &error, remedy)))
        }
    }
}

/// Returns the check of a database that was looked at, and that of this machine's clock.
pub fn check_database(looked: Result<DatabaseCheck, StoreError>, now: Wall) -> Vec<Check> {
    match looked {
        Ok(DatabaseCheck { version, known, server_time }) => {
            let clock = match server_time {
                Some(server) => Check::of_probe(Dependency::Clock, compare_clocks(now, server)),
                None => Check::skip(Dependency::Clock, "only PostgreSQL has a clock to compare with"),
            };
            let schema = match version {
                0 => "no schema yet".to_owned(),
                version => format!("schema {version}; this program knows {known}"),
            };
            vec![Check::new(Dependency::Database, schema, CheckOutcome::Good), clock]
        }
        Err(StoreError::FolderInUse { .. }) => {
            vec![Check::skip(Dependency::Database, "a service uses it: run `linchpin doctor`")]
        }
        Err(error) => vec![Check::of_probe(Dependency::Database, Err(database_fault(&error)))],
    }
}

pub(super) fn database_fault(error: &StoreError) -> DependencyError {
    let remedy = if matches!(error, StoreError::KeySource { .. }) {
        "Run the program of --master-key-command by hand, and correct what it reports (docs/how-to/master-key.md)"
    } else if matches!(error, StoreError::WrongMasterKey { .. } | StoreError::KeyFile { .. }) {
        "Restore the key folder that belongs to this database, and check --keys-dir"
    } else if matches!(error, StoreError::KeysWithoutDatabase { .. }) {
        "Check --data-dir and --database-url"
    } else if matches!(error, StoreError::SchemaTooNew { .. }) {
        "Start the program that wrote the database, or a newer one"
    } else if error.is_damage() {
        "Restore a backup (docs/how-to/operating.md)"
    } else if error.is_full() {
        "Free space on the disk of the database"
    } else if matches!(error, StoreError::File { .. }) {
        "Make this user the owner of the data folder"
    } else {
        "Do what the cause says, then run this check again"
    };
    DependencyError {
        dependency: Dependency::Database,
        code: error.code(),
        cause: error.to_string(),
        remedy: remedy.into(),
    }
}

fn compare_clocks(now: Wall, server: Wall) -> Result<(), DependencyError> {
    let skew = Duration::from_micros(now.micros().abs_diff(server.micros()));
    if skew <= MAX_SKEW {
        return Ok(());
    }
    Err(DependencyError {
        dependency: Dependency::Clock,
        code: "Skew".to_owned(),
        cause: format!("the clocks of this machine and of the database differ by {} s", skew.as_secs()),
        remedy: "Run chronyd or another NTP client on both machines".into(),
    })
}

/// Tries the forbidden acts in the sandbox of documents.
pub async fn check_sandbox(policy: SandboxPolicy) -> Check {
    let dependency = Dependency::Sandbox;
    let new_error = |code: &str, cause: String, remedy: String| DependencyError {
        dependency,
        code: code.to_owned(),
        cause,
        remedy: remedy.into(),
    };
    let reader: std::io::Result<ChildReader> = crate::adapters::child_reader::document_reader(policy);
    let report = match reader {
        Ok(reader) => reader.self_test().await.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    let report = match report {
        Ok(report) => report,
        Err(cause) => {
            let remedy = "Run `linchpin extract --self-test` as the user of the service".to_owned();
            return Check::of_probe(dependency, Err(new_error("SelfTest", cause, remedy)));
        }
    };
    let missing: Vec<_> = report.layers.iter().filter(|it| !it.holds()).map(ToString::to_string).collect();
    if !missing.is_empty() {
        let error = new_error("Incomplete", missing.join(" | "), report.advice().join("; "));
        let outcome = match policy {
            SandboxPolicy::Required => CheckOutcome::Fault(error),
            SandboxPolicy::BestEffort => CheckOutcome::Lacks(error),
        };
        return Check::new(dependency, "", outcome);
    }
    if report.tesseract == Some(true) {
        return Check::of_probe(dependency, Ok(()));
    }
    let cause = "Tesseract does not run, so scans and photos cannot be read".to_owned();
    let remedy = "Install tesseract-ocr with the languages eng, spa and fil".to_owned();
    Check::new(dependency, "", CheckOutcome::Lacks(new_error("Tesseract", cause, remedy)))
}

/// Signs in to the mail server, and sends nothing.
pub async fn check_mail(settings: &Settings) -> Check {
    let dependency = Dependency::Mail;
    let Some(url) = &settings.smtp_url else {
        return Check::skip(dependency, "--smtp-url is not set, so no mail is sent");
    };
    let mailer = settings.mail_from.parse().ok().map(|from| SmtpMailer::new(url.expose_secret(), from));
    let Some(Ok(mailer)) = mailer else {
        return Check::of_probe(
            dependency,
            Err(DependencyError {
                dependency,
                code: "Settings".to_owned(),
                cause: "--smtp-url or --mail-from is not valid".to_owned(),
                remedy: "Correct the settings".into(),
            }),
        );
    };
    let result = mailer.check().await.map_err(|refused| DependencyError {
        dependency,
        code: refused.code,
        cause: refused.cause,
        remedy: refused.remedy.into(),
    });
    Check::of_probe(dependency, result)
}

/// Asks each URL of the service for its liveness, as a browser outside would.
async fn check_urls(settings: &Settings) -> Vec<Check> {
    let named = [
        ("--public-url", &settings.public_url),
        ("--api-url", &settings.api_url),
        ("--sdk-url", &settings.sdk_url),
        ("--hosted-url", &settings.hosted_url),
        ("--files-url", &settings.files_url),
        ("--console-url", &settings.console_url),
    ];
    let mut checks: Vec<Check> = Vec::new();
    for (flag, url) in named {
        if checks.iter().any(|it| it.subject == *url) {
            continue;
        }
        let result = url_fault(flag, reach(&format!("{url}{LIVE}")).await);
        let outcome = result.map_or_else(CheckOutcome::Fault, |()| CheckOutcome::Good);
        checks.push(Check::new(Dependency::PublicUrl, url.clone(), outcome));
    }
    checks
}

/// Returns the error of a URL that does not lead to the service.
fn url_fault(flag: &str, asked: Result<Reached, ReachError>) -> Result<(), DependencyError> {
    let new_error = |code: String, cause: String, remedy: String| DependencyError {
        dependency: Dependency::PublicUrl,
        code,
        cause,
        remedy: remedy.into(),
    };
    match asked {
        Ok(Reached { status: 200, body, .. }) if body == "live\n" => Ok(()),
        Ok(Reached { status, server, .. }) => {
            let by = server.map(|it| format!(" ({it})")).unwrap_or_default();
            let remedy = match status {
                400 | 421 => format!(
                    "The proxy must pass the header Host on, and {flag} or --allowed-hosts must name that host"
                ),
                502..=504 => {
                    "The proxy does not reach the service: check its upstream address and --listen".to_owned()
                }
                _ => format!(
                    "{flag} leads to something else: check the name, the port and the rules of the proxy"
                ),
            };
            Err(new_error(
                status.to_string(),
                format!("the response is {status}{by}, not that of the service"),
                remedy,
            ))
        }
        Err(error) => {
            let remedy = match error {
                ReachError::Malformed => format!("Correct {flag}"),
                ReachError::UnknownHost => format!("Create the DNS record of the host, or correct {flag}"),
                ReachError::Refused => {
                    format!("Start the proxy, open its port in the firewall, or correct the port in {flag}")
                }
                ReachError::TimedOut | ReachError::Broken => {
                    "Open the port in the firewall. Some routers do not let a machine call its own public address: \
                     then check from outside"
                        .to_owned()
                }
                ReachError::Tls(cause) => tls_remedy(cause).to_owned(),
            };
            // The sender of webhooks, whose words these are, calls the other side the receiver.
            let cause = error.to_string().replace("receiver", "proxy");
            Err(new_error(error.code().to_owned(), cause, remedy))
        }
    }
}

const fn tls_remedy(cause: TlsError) -> &'static str {
    match cause {
        TlsError::Expired => "Renew the certificate of the proxy, and check why it was not renewed by itself",
        TlsError::NotValidYet => "Check the clock of this machine",
        TlsError::WrongName => "Give the proxy a certificate for this host name",
        TlsError::UnknownIssuer => {
            "Let the proxy send its intermediate certificates, or use a certificate that browsers trust"
        }
        TlsError::BadCertificate => "Give the proxy a certificate for a server",
        TlsError::NotTls => "Turn TLS on at this port of the proxy",
        TlsError::NoCommonVersion => "Allow TLS 1.2 or 1.3 at the proxy",
        TlsError::ClientCertificate => "Do not require client certificates at the proxy",
        TlsError::Closed => "Look in the log of the proxy",
    }
}
