//! Events and webhooks, created with the store.

use std::time::Duration;

use link_domain::change::{Change, Row};
use link_domain::kernel::clock::{ClockOffset, Now, Wall};
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::notifications::webhook::{Registration, RegistrationRules, Webhook, register};
use link_domain::tenancy::user::User;
use link_store::{Store, StoreError};
use link_types::{Mode, Sensitive};

/// The number of events in one unit.
const UNIT: usize = 100;

/// Returns the sandbox of a tenant.
pub fn owner(tenant: &str) -> Owner {
    Owner { tenant: tenant.parse().unwrap(), mode: Mode::Sandbox }
}

/// Returns a context of now, with its own randomness.
pub fn context() -> Context {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).unwrap();
    let micros = std::time::UNIX_EPOCH.elapsed().unwrap().as_micros();
    // In the past, so that everything is due.
    let wall = Wall::from_micros(micros.try_into().unwrap()) - Duration::from_secs(1);
    Context::new(Now::new(wall, ClockOffset::default()), seed)
}

/// Creates a webhook.
pub fn webhook(owner: &Owner, url: String) -> Webhook {
    let registration = Registration {
        name: None,
        url,
        event_types: vec!["ALL_EVENTS".into()],
        active: None,
        secret: Some(Sensitive::new("a secret long enough")),
        include_payload: None,
        retry_profile: None,
    };
    register(owner.clone(), registration, RegistrationRules { sandbox_http: true }, &mut context()).unwrap()
}

/// Stores webhooks.
pub async fn put(store: &Store, webhooks: Vec<Webhook>) {
    let rows = webhooks.into_iter().map(Row::Webhook).collect();
    write(store, Change { rows, ..Change::default() }).await;
}

/// Creates users, each with its event, which is delivered to the owner's webhooks.
pub async fn users(store: &Store, owner: &Owner, count: usize) {
    for first in (0..count).step_by(UNIT) {
        let mut unit = Change::default();
        for _ in first..count.min(first + UNIT) {
            unit = unit.then(User::create(owner.clone(), None, Default::default(), &mut context()).1);
        }
        write(store, unit).await;
    }
}

async fn write(store: &Store, change: Change) {
    let now = context().now();
    let written: Result<(), StoreError> = store.write(move |tx| tx.apply(&change, now)).await;
    written.unwrap_or_else(|error| panic!("{error}"));
}
