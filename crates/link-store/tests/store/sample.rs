//! Test data: a tenant, users, accounts with data, and a webhook.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use link_domain::change::{Change, Row};
use link_domain::data::batch::Batch;
use link_domain::data::data_point::Known;
use link_domain::kernel::clock::{ClockOffset, Now, Wall};
use link_domain::kernel::context::Context;
use link_domain::kernel::digest::Digest32;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::sealing::Sealed;
use link_domain::kernel::source::RevokedBy;
use link_domain::linking::account::{
    Account, AccountInput, AccountState, Login, NewAccount, Reading, Submission,
};
use link_domain::linking::account_source::{Read, ReadOutcome, SourceState, Step};
use link_domain::linking::consent::Consent;
use link_domain::linking::consent_reading::Sentences;
use link_domain::linking::guesses::{LoginTries, Tries};
use link_domain::notifications::webhook::{Registration, RegistrationRules, Webhook, register};
use link_domain::tenancy::template::{ConsentTemplate, LinkTemplate};
use link_domain::tenancy::user::User;
use link_store::test_support::{Backend, TestDatabase};
use link_store::{Store, StoreError};
use link_types::data::{DataPointBody, Transaction};
use link_types::id::{
    AttemptId, ConsentTemplateId, LinkSessionId, LinkTemplateId, ProviderId, TransactionId, UserId,
};
use link_types::link::{ConsentGivenBy, ConsentReceipt};
use link_types::sealing::SealedBox;
use link_types::template::{self, BrandTheme, Retention, SyncInterval};
use link_types::{Mode, Money, Sensitive, Timestamp};

/// A time before any test runs, so that everything due then is also due on a server's own clock.
const START: Wall = Wall::from_micros(1_760_000_000_000_000);

static STEPS: AtomicU64 = AtomicU64::new(0);

/// Creates an empty database and opens it. The store must be dropped first, so it is the last of the two.
pub async fn open(backend: Backend) -> (TestDatabase, Store) {
    let database = TestDatabase::new(backend);
    let store = database.open().await;
    (database, store)
}

/// Returns a context 10 ms after the last one, with its own randomness.
pub fn context() -> Context {
    let step = STEPS.fetch_add(1, Ordering::Relaxed);
    let mut seed = [9; 32];
    seed[..8].copy_from_slice(&step.to_be_bytes());
    Context::new(Now::new(START + Duration::from_millis(10 * step), ClockOffset::default()), seed)
}

/// Returns the real time, which claims use on SQLite and PostgreSQL's clock shows.
pub fn wall() -> Wall {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap();
    Wall::from_micros(since.as_micros().try_into().unwrap())
}

pub fn owner() -> Owner {
    Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox }
}

pub fn other_owner() -> Owner {
    Owner { tenant: "demo".parse().unwrap(), mode: Mode::Production }
}

pub fn provider() -> ProviderId {
    "mx_social_security".parse().unwrap()
}

/// Applies a change in a separate unit.
pub async fn apply(store: &Store, change: Change, context: &Context) {
    let now = context.now();
    store.write(move |tx| tx.apply(&change, now)).await.unwrap_or_else(|error: StoreError| panic!("{error}"));
}

pub async fn user(store: &Store) -> User {
    user_called(store, None).await
}

pub async fn user_called(store: &Store, reference: Option<&str>) -> User {
    let mut context = context();
    let metadata = BTreeMap::from([("branch".to_owned(), "north".to_owned())]);
    let (user, change) = User::create(owner(), reference.map(str::to_owned), metadata, &mut context);
    apply(store, change, &context).await;
    user
}

pub fn templates() -> (LinkTemplate, ConsentTemplate) {
    let consent_template_id = ConsentTemplateId::from_bytes([2; 16]);
    let created_at = Timestamp::from_micros(0);
    let link = template::LinkTemplate {
        id: LinkTemplateId::from_bytes([1; 16]),
        created_at,
        name: "Loans".into(),
        allowed_origins: vec!["https://shop.example".into()],
        redirect_urls: vec!["https://shop.example/linked".into()],
        company_name: "Shop".into(),
        consent_template_id: consent_template_id.clone(),
        allow_consent_skip: false,
        providers: Vec::new(),
        top_providers: Vec::new(),
        uploads_enabled: false,
        file_types: Vec::new(),
        optional_data: Vec::new(),
        texts: std::collections::BTreeMap::new(),
        theme: BrandTheme::default(),
        sync_enabled: true,
        sync_interval: SyncInterval::DEFAULT,
        retention: Retention::FromConnection,
        help_url: None,
        form: None,
        revision: String::new(),
    };
    let consent = template::ConsentTemplate {
        id: consent_template_id,
        created_at,
        consent_type: "TERMS_AND_CONDITIONS".into(),
        title: "Share your data".into(),
        version: "1.0".into(),
        text: "You share your data.".into(),
        locale: "en".into(),
        translations: std::collections::BTreeMap::new(),
        revision: String::new(),
    };
    (LinkTemplate { owner: owner(), template: link }, ConsentTemplate { owner: owner(), template: consent })
}

pub async fn webhook(store: &Store, include_payload: bool) -> Webhook {
    let mut context = context();
    let registration = Registration {
        name: Some("Payroll".into()),
        url: "https://example.com/hook".into(),
        event_types: vec!["ALL_EVENTS".into()],
        active: None,
        secret: Some(Sensitive::new("a secret long enough")),
        include_payload: Some(include_payload),
        retry_profile: None,
    };
    let rules = RegistrationRules { sandbox_http: false };
    let webhook = register(owner(), registration, rules, &mut context).unwrap();
    apply(store, Change::row(Row::Webhook(webhook.clone())), &context).await;
    webhook
}

fn submission(user: &UserId, login: &str, context: &Context) -> Submission {
    Submission {
        login: Some(Login { option: "password".into(), name: Sensitive::new(login), form: sealed_box() }),
        sync: Some(SyncInterval::DEFAULT),
        retention: Retention::FromLastSync,
        consent: Some(Consent {
            receipt: ConsentReceipt {
                consent_template_id: ConsentTemplateId::from_bytes([2; 16]),
                version: "1.0".into(),
                locale: "en".into(),
                given_by: ConsentGivenBy::Person,
                sync_interval: None,
                retention: Retention::FromConnection,
                data_choice: None,
            },
            consented_at: context.now().tenant(),
            text: Digest32::from_text("You share your data."),
            sentences: Sentences::new("en", None, Retention::FromConnection),
            company: "Ardilla Loans".into(),
            given_in: None,
        }),
        tries: Tries::from_own(tries(user, login)),
    }
}

/// Returns a sealed box, which the store does not open.
fn sealed_box() -> Sealed {
    Sealed {
        session_id: LinkSessionId::from_bytes([6; 16]),
        attempt_id: AttemptId::from_bytes([5; 16]),
        sealed: SealedBox { key_id: "key".into(), enc: "enc".into(), ciphertext: "ciphertext".into() },
    }
}

pub fn tries(user: &UserId, login: &str) -> LoginTries {
    LoginTries::none(owner(), user.clone(), provider(), Digest32::from_text(login))
}

/// Creates an account whose login was submitted.
pub async fn begin_account(store: &Store, user: &UserId, login: &str) -> Account {
    let mut context = context();
    let new = NewAccount { owner: owner(), user_id: user.clone(), provider_id: provider(), visit_id: None };
    let (account, change) = Account::begin(new, submission(user, login, &context), &mut context).unwrap();
    apply(store, change, &context).await;
    account
}

/// Creates an account that is connected and being read.
pub async fn connect(store: &Store, user: &UserId, login: &str) -> Account {
    let account = begin_account(store, user, login).await;
    let mut context = context();
    let step = Step::Connected { state: SourceState::new("cookie=1") };
    let tries = Some(Tries::from_own(tries(user, login)));
    let stepped = AccountInput::Stepped { version: account.version, step, tries };
    let (account, change) = account.apply(stepped, &mut context).unwrap();
    apply(store, change, &context).await;
    account
}

/// Creates a connected account that was read and has `transactions` transactions.
pub async fn read(store: &Store, user: &UserId, login: &str, transactions: usize) -> Account {
    let account = connect(store, user, login).await;
    let context = context();
    let batch = Batch { bodies: (0..transactions).map(transaction).collect(), ..Batch::default() };
    let id = account.id.clone();
    store
        .write(move |tx| {
            let mut context = context.clone();
            let now = context.now();
            let account = tx.accounts().get(&owner(), &id)?.expect("the account is there");
            let (task_id, from) = match &account.state {
                AccountState::Connected(connection) => match &connection.reading {
                    Reading::Running(run) => (run.task.id.clone(), connection.source.clone()),
                    Reading::Done { .. } | Reading::Failed { .. } => panic!("no reading runs"),
                },
                other @ (AccountState::Linking(_) | AccountState::Disconnected(_)) => {
                    panic!("not connected: {other:?}")
                }
            };
            let read = Read {
                state: SourceState::new("cookie=2"),
                batch: batch.clone(),
                outcome: ReadOutcome::Complete,
            };
            let links = tx.page_cursors(&owner());
            let history =
                tx.account_links().history(&account.owner, &account.user_id, &account.provider_id)?;
            let known = Known::from_points(tx.data_points().of_account(&owner(), &account.id)?).unwrap();
            let files = Vec::new();
            let input = AccountInput::Read { task_id, from, read, files, known, history, links: &links };
            let (account, change) =
                account.apply(input, &mut context).expect("the reading is the one in progress");
            tx.apply(&change, now)?;
            Ok::<_, StoreError>(account)
        })
        .await
        .unwrap()
}

/// Returns a unique transaction.
pub fn transaction(number: usize) -> DataPointBody {
    DataPointBody::Transaction(Transaction {
        id: TransactionId::from_bytes([0; 16]),
        date: Some(format!("2025-{:02}-01", number % 12 + 1).parse().unwrap()),
        description: Some(format!("Salary number {number}")),
        currency: "MXN".into(),
        amount: Money::from_hundredths(100 * number as i64),
        reference_id: None,
    })
}

/// Revokes an account.
pub async fn revoke(store: &Store, account: &Account) -> Account {
    let id = account.id.clone();
    let context = context();
    store
        .write(move |tx| {
            let mut context = context.clone();
            let now = context.now();
            let account = tx.accounts().get(&owner(), &id)?.expect("the account is there");
            let (account, change) = account
                .apply(AccountInput::Revoke { by: RevokedBy::User }, &mut context)
                .expect("it is not revoked yet");
            tx.apply(&change, now)?;
            Ok::<_, StoreError>(account)
        })
        .await
        .unwrap()
}
