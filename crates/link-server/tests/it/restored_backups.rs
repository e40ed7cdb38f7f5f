//! After the restore of an old backup: resources whose last day has passed, so that the key of that day is deleted.

use std::time::Duration;

use link_domain::change::Change;
use link_domain::change::job::{Job, JobKind};
use link_domain::documents::archive::{Archive, NewArchive, Segment, UploadUsage};
use link_domain::invitations::invite::{Invite, NewInvite};
use link_domain::kernel::clock::Now;
use link_domain::kernel::context::Context;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::scope::ErasureScope;
use link_domain::linking::account::{Account, NewAccount, Submission};
use link_domain::linking::consent::Consent;
use link_domain::linking::consent_reading::Sentences;
use link_domain::linking::guesses::{LoginTries, Tries};
use link_domain::lookups::record::Record;
use link_domain::lookups::signal::Signal;
use link_domain::tenancy::user::User;
use link_server::app::App;
use link_server::http::problem::ApiResult;
use link_server::settings::{Settings, SettingsInput};
use link_server::{service, workers};
use link_store::test_support::{Backend, TestDatabase};
use link_store::{FileSettings, StoreError, StoreSettings};
use link_test_support::wait;
use link_types::archive::ArchiveType;
use link_types::id::{
    ArchiveId, AttemptId, ChallengeId, ConsentTemplateId, InviteTemplateId, LinkTemplateId, TaskId, UserId,
};
use link_types::link::{ConsentGivenBy, ConsentReceipt};
use link_types::signal::{SignalKind, SignalRequest};
use link_types::template::Retention;
use link_types::{Mode, Sensitive};
use rstest::rstest;
use tokio::sync::watch;

const DAY: Duration = Duration::from_secs(86_400);

/// A service restored from a backup.
struct Restored {
    app: App,
    owner: Owner,
    /// The resources in the backup, each with a job about it.
    resources: Vec<ErasureScope>,
    _database: TestDatabase,
    _stop: watch::Sender<bool>,
}

/// Creates one resource at the context's time.
type Make = fn(&Owner, &UserId, &mut Context) -> (ErasureScope, Change);

impl Restored {
    /// Restores a backup of that age, with one resource for each job and without the keys that decrypt them.
    async fn with(
        backend: Backend,
        age: Duration,
        make: Make,
        jobs: &[fn(&ErasureScope) -> JobKind],
    ) -> Self {
        let database = TestDatabase::new(backend);
        let settings = settings(&database);
        let (stop, stopping) = watch::channel(false);
        let before =
            App::new(service::parts(settings.clone(), database.open().await, stopping.clone()).unwrap());
        let owner = Owner { tenant: "demo".parse().unwrap(), mode: Mode::Production };
        let mut context = before.context(Default::default());
        let then = Now::new(context.now().wall() - age, Default::default());
        let (user, change) = User::create(owner.clone(), None, Default::default(), &mut context);
        apply(&before, change, context.now()).await;
        let days = key_folder(&database);
        let kept = files_in(&days);
        let mut resources = Vec::new();
        for job in jobs {
            let mut context = Context::new(then, before.random_bytes());
            let (resource, mut change) = make(&owner, &user.id, &mut context);
            change.jobs = vec![Job::now(&owner, job(&resource), &mut context)];
            apply(&before, change, then).await;
            if let ErasureScope::Archive(id) = &resource {
                before.ports.files.put(&format!("{}/f/00000-1", Segment::folder(id)), vec![1]).await.unwrap();
            }
            resources.push(resource);
        }
        before.store.close().await;
        for file in files_in(&days).into_iter().filter(|file| !kept.contains(file)) {
            std::fs::remove_file(file).unwrap();
        }
        let app = App::new(service::parts(settings, database.open().await, stopping).unwrap());
        tokio::spawn(workers::jobs::run(app.clone()));
        Self { app, owner, resources, _database: database, _stop: stop }
    }

    async fn is_there(&self, resource: &ErasureScope) -> bool {
        let (owner, resource) = (self.owner.clone(), resource.clone());
        let opened = self.app.store.read(move |reader| match &resource {
            ErasureScope::Account(id) => reader.accounts().get(&owner, id).map(|it| it.is_some()),
            ErasureScope::Archive(id) => reader.archives().get(&owner, id).map(|it| it.is_some()),
            ErasureScope::Record(id) => reader.records().get(&owner, id).map(|it| it.is_some()),
            ErasureScope::Signal(id) => reader.signals().get(&owner, id).map(|it| it.is_some()),
            ErasureScope::Form(id) => reader.forms().get(&owner, id).map(|it| it.is_some()),
            ErasureScope::Invite(id) => reader.invites().get(&owner, id).map(|it| it.is_some()),
        });
        match opened.await {
            Ok(is_there) => is_there,
            Err(StoreError::Erased) => true,
            Err(error) => panic!("{error}"),
        }
    }

    async fn job(&self, key: String) -> Option<Job> {
        let owner = self.owner.clone();
        self.app
            .store
            .read(move |reader| -> ApiResult<_> { Ok(reader.jobs().get(&owner, &key)?) })
            .await
            .unwrap()
    }
}

fn settings(database: &TestDatabase) -> Settings {
    let mut settings = SettingsInput::default().settle().unwrap();
    settings.data_dir = database.folder().to_owned();
    settings.files = FileSettings::Folder(database.folder().join("files"));
    settings
}

fn key_folder(database: &TestDatabase) -> std::path::PathBuf {
    match database.settings() {
        StoreSettings::Sqlite { keys, .. } | StoreSettings::Postgres { keys, .. } => keys.days,
        StoreSettings::Ephemeral => panic!("an ephemeral store has no key folder"),
    }
}

fn files_in(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect()
}

async fn apply(app: &App, change: Change, now: Now) {
    app.store.write(move |tx| -> ApiResult<_> { Ok(tx.apply(&change, now)?) }).await.unwrap();
}

fn consent(context: &Context) -> Consent {
    let receipt = ConsentReceipt {
        consent_template_id: ConsentTemplateId::from_bytes([2; 16]),
        version: "1.0".into(),
        locale: "en".into(),
        given_by: ConsentGivenBy::Person,
        sync_interval: None,
        retention: Retention::FromConnection,
        data_choice: None,
    };
    Consent {
        receipt,
        consented_at: context.now().tenant(),
        text: Digest32::from_text("You share your data."),
        sentences: Sentences::new("en", None, Retention::FromConnection),
        company: "Ardilla Loans".into(),
        given_in: None,
    }
}

fn account(owner: &Owner, user: &UserId, context: &mut Context) -> (ErasureScope, Change) {
    let provider_id = "mx_social_security".parse::<link_types::id::ProviderId>().unwrap();
    let tries =
        LoginTries::none(owner.clone(), user.clone(), provider_id.clone(), Digest32::from_text("nobody"));
    let tries = Tries::from_own(tries);
    let submission = Submission {
        login: None,
        sync: None,
        retention: Retention::FromConnection,
        consent: Some(consent(context)),
        tries,
    };
    let new = NewAccount { owner: owner.clone(), user_id: user.clone(), provider_id, visit_id: None };
    let (account, change) = Account::begin(new, submission, context).unwrap();
    (ErasureScope::Account(account.id), change)
}

fn archive(owner: &Owner, user: &UserId, context: &mut Context) -> (ErasureScope, Change) {
    let new = NewArchive {
        owner: owner.clone(),
        user_id: user.clone(),
        attempt_id: AttemptId::from_bytes([7; 16]),
        visit_id: None,
        archive_type: ArchiveType::Payslip,
        consent: consent(context),
    };
    let quota = SettingsInput::default().settle().unwrap().upload_quota();
    let (archive, change) = Archive::begin(new, UploadUsage::default(), quota, context).unwrap();
    (ErasureScope::Archive(archive.id), change)
}

fn invite(owner: &Owner, user: &UserId, context: &mut Context) -> (ErasureScope, Change) {
    let new = NewInvite {
        owner: owner.clone(),
        invite_template_id: InviteTemplateId::from_bytes([3; 16]),
        link_template_id: LinkTemplateId::from_bytes([4; 16]),
        link_site_id: None,
        full_name: Sensitive::new("Ana Ruiz"),
        first_name: None,
        last_name: None,
        email_address: Sensitive::new("ana@example.com"),
        locale: None,
    };
    let (invite, change) = Invite::create(user.clone(), new, context);
    (ErasureScope::Invite(invite.id), change)
}

fn record(owner: &Owner, _: &UserId, context: &mut Context) -> (ErasureScope, Change) {
    let request = serde_json::from_value(crate::records::request("525500000100")).unwrap();
    let (record, change) = Record::create(owner.clone(), request, context);
    (ErasureScope::Record(record.id), change)
}

fn signal(owner: &Owner, _: &UserId, context: &mut Context) -> (ErasureScope, Change) {
    let request = crate::signals::request(SignalKind::Verification, "5500000001", "");
    let request = SignalRequest::Verification(Box::new(serde_json::from_value(request).unwrap()));
    let (signal, change) = Signal::create(owner.clone(), request, context);
    (ErasureScope::Signal(signal.id), change)
}

/// Checks that each job removes the undecryptable resource that it is about.
async fn assert_jobs_remove_undecryptable(
    backend: Backend,
    make: Make,
    jobs: &[fn(&ErasureScope) -> JobKind],
) -> Restored {
    let restored = Restored::with(backend, DAY * 130, make, jobs).await;
    for (resource, job) in restored.resources.iter().zip(jobs) {
        let gone = async || !restored.is_there(resource).await;
        wait::until(&format!("{:?} ends", job(resource)), gone).await;
        let finished = async || {
            let mut left = Vec::new();
            for kind in ["step", "read", "sync", "lapse", "pending", "expire", "analyze", "send", "complete"]
            {
                left.extend(restored.job(format!("{kind}/{}", resource.as_str())).await);
            }
            left.is_empty()
        };
        wait::until("no job is left", finished).await;
    }
    restored
}

fn id<T: std::str::FromStr>(resource: &ErasureScope) -> T {
    resource.as_str().parse().ok().unwrap()
}

#[rstest]
#[tokio::test]
async fn undecryptable_account_is_removed_by_any_of_its_jobs(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    assert_jobs_remove_undecryptable(
        backend,
        account,
        &[
            |it| JobKind::StepAccount { account_id: id(it), version: 1 },
            |it| JobKind::ReadAccount { account_id: id(it), task_id: TaskId::from_bytes([8; 16]) },
            |it| JobKind::SyncAccount {
                account_id: id(it),
                provider_id: "mx_social_security".parse().unwrap(),
            },
            |it| JobKind::LapseChallenge {
                account_id: id(it),
                challenge_id: ChallengeId::from_bytes([8; 16]),
            },
            |it| JobKind::RemovePending { account_id: id(it) },
            |it| JobKind::ExpireAccount { account_id: id(it) },
        ],
    )
    .await;
}

#[rstest]
#[tokio::test]
async fn undecryptable_archive_is_removed_with_its_objects(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let restored = assert_jobs_remove_undecryptable(
        backend,
        archive,
        &[
            |it| JobKind::AnalyzeArchive { archive_id: id(it), task_id: TaskId::from_bytes([8; 16]) },
            |it| JobKind::ExpireArchive { archive_id: id(it) },
            |it| JobKind::DeleteOrphans {
                holder: (&id::<ArchiveId>(it)).into(),
                since: link_domain::kernel::clock::Wall::from_micros(0),
            },
        ],
    )
    .await;
    for archive in &restored.resources {
        let folder = Segment::folder(&id::<ArchiveId>(archive));
        let no_objects = async || restored.app.ports.files.list(&folder).await.unwrap().is_empty();
        wait::until("its objects are gone", no_objects).await;
    }
}

#[rstest]
#[tokio::test]
async fn undecryptable_invitation_is_removed_by_any_of_its_jobs(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    assert_jobs_remove_undecryptable(
        backend,
        invite,
        &[
            |it| JobKind::SendInvite { invite_id: id(it), mail: 1 },
            |it| JobKind::ExpireInvite { invite_id: id(it) },
        ],
    )
    .await;
}

#[rstest]
#[tokio::test]
async fn undecryptable_record_and_signal_are_removed_by_their_jobs(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let expire = |it: &ErasureScope| JobKind::ExpireScope { scope: it.clone() };
    assert_jobs_remove_undecryptable(
        backend,
        record,
        &[|it| JobKind::CompleteRecord { record_id: id(it) }, expire],
    )
    .await;
    assert_jobs_remove_undecryptable(
        backend,
        signal,
        &[|it| JobKind::CompleteSignal { signal_id: id(it) }, expire],
    )
    .await;
}

#[rstest]
#[tokio::test]
async fn account_with_missing_key_is_kept_until_its_last_day(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let jobs: [fn(&ErasureScope) -> JobKind; 1] = [|it| JobKind::RemovePending { account_id: id(it) }];
    let restored = Restored::with(backend, DAY, account, &jobs).await;
    let key = format!("pending/{}", restored.resources[0].as_str());
    let rescheduled = async || {
        let now = restored.app.wall();
        restored.job(key.clone()).await.is_some_and(|job| job.attempts > 0 && job.run_at > now)
    };
    wait::until("the job is rescheduled", rescheduled).await;
    assert!(restored.is_there(&restored.resources[0]).await);
}
