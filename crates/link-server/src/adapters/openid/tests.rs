//! Tests of the document's cache and of the permits.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use link_domain::console::single_sign_on::IdentityProvider;
use link_domain::console::single_sign_on::port::{FetchError, FetchRequest, FetchedResponse, ProviderClient};
use link_domain::kernel::clock::Wall;
use link_domain::kernel::system::BoxFuture;
use link_domain::notifications::webhook_sender::SendError;
use link_types::Sensitive;
use link_types::console::Role;

use super::*;

/// A provider that does not respond.
#[derive(Default)]
struct SilentProvider {
    asked: AtomicUsize,
}

impl ProviderClient for SilentProvider {
    fn fetch<'a>(&'a self, _: &'a FetchRequest) -> BoxFuture<'a, Result<FetchedResponse, FetchError>> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Box::pin(async {
            tokio::task::yield_now().await;
            Err(FetchError::TimedOut)
        })
    }

    fn vet(&self, _: &str) -> Result<(), SendError> {
        Ok(())
    }

    fn find_texts<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Result<Vec<String>, FetchError>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

fn provider() -> IdentityProvider {
    IdentityProvider {
        tenant: "demo".parse().unwrap(),
        issuer: "https://login.shop.example".into(),
        client_id: "portal".into(),
        client_secret: Sensitive::new("secret"),
        role: Role::Viewer,
        is_required: false,
        changed_at: Wall::from_micros(0),
    }
}

#[tokio::test]
async fn people_wait_for_one_attempt_whose_failure_counts_for_a_while() {
    let (providers, client, provider) = (OpenIdProviders::default(), SilentProvider::default(), provider());
    let begun = Wall::from_micros(0);
    let [first, second] = [0, 1].map(|_| providers.discover(&client, &provider, begun));
    let (first, second) = tokio::join!(first, second);
    let timed_out = ProviderError::Fetch(FetchError::TimedOut);
    assert_eq!((first.err(), second.err()), (Some(timed_out), Some(timed_out)));
    assert_eq!(client.asked.load(Ordering::Relaxed), 1);
    for (seconds, asked) in [(29, 1), (30, 2), (59, 2), (60, 3)] {
        let now = begun + Duration::from_secs(seconds);
        assert_eq!(providers.discover(&client, &provider, now).await.err(), Some(timed_out));
        assert_eq!(client.asked.load(Ordering::Relaxed), asked, "after {seconds} seconds");
    }
}

#[test]
fn people_who_leave_do_not_hold_up_those_who_come_back() {
    let providers = OpenIdProviders::default();
    let mut permits = Vec::new();
    for number in 0..8 {
        let tenant: TenantId = format!("t{number}").parse().unwrap();
        for _ in 0..8 {
            permits.push(providers.admit(&tenant, Purpose::Leaving).unwrap());
        }
        assert!(providers.admit(&tenant, Purpose::Leaving).is_err(), "eight for each tenant");
    }
    let tenant: TenantId = "demo".parse().unwrap();
    assert!(providers.admit(&tenant, Purpose::Leaving).is_err(), "64 in all");
    assert!(providers.admit(&tenant, Purpose::Arriving).is_ok());
    assert!(providers.admit(&tenant, Purpose::Settings).is_ok());
}
