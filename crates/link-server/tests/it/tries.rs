//! Guesses that another submit overtook at the source.

use std::sync::Arc;

use axum::http::Method;
use link_domain::link::login_hash;
use link_domain::owner::Owner;
use link_domain::ports::{AccountSource, Answer, Read, ReadRequest, Step, StepRequest};
use link_server::http::problem::Answer as Outcome;
use link_store::Label;
use link_store::test_support::Backend;
use link_types::Mode;
use link_types::id::{ProviderId, UserId};
use link_types::provider::Provider;
use tokio::sync::{mpsc, watch};

use crate::service::{As, TestService, secret};

const PROVIDER: &str = "mx_social_security";
const GUESSES: u32 = 6;

/// A source that says when it was asked, and answers when it may.
struct Gated {
    inner: Arc<dyn AccountSource>,
    asked: mpsc::UnboundedSender<()>,
    may_answer: watch::Receiver<bool>,
}

impl AccountSource for Gated {
    fn providers(&self) -> Arc<[Provider]> {
        self.inner.providers()
    }

    fn step<'a>(&'a self, request: StepRequest<'a>) -> Answer<'a, Step> {
        Box::pin(async move {
            self.asked.send(()).unwrap();
            self.may_answer.clone().wait_for(|may| *may).await.unwrap();
            self.inner.step(request).await
        })
    }

    fn read<'a>(&'a self, request: ReadRequest<'a>) -> Answer<'a, Read> {
        self.inner.read(request)
    }
}

async fn failures(service: &TestService, user: &str) -> u32 {
    let user: UserId = user.parse().unwrap();
    let provider: ProviderId = PROVIDER.parse().unwrap();
    let store = service.app.store();
    let tries = store.write(move |tx| -> Outcome<_> {
        let owner = Owner { tenant: tx.tenants()?[0].id.clone(), mode: Mode::Sandbox };
        let hash = login_hash(&tx.derived_key(Label::Lookup), &provider, "good");
        Ok(tx.login_tries(&owner, &user, &provider, hash)?)
    });
    tries.await.unwrap().failures
}

#[tokio::test]
async fn every_wrong_password_counts_however_soon_the_next_one_comes() {
    for backend in Backend::ALL {
        let (asked, mut was_asked) = mpsc::unbounded_channel();
        let (answer, may_answer) = watch::channel(false);
        let service = TestService::start_of(
            backend,
            |_| {},
            |parts| {
                let inner = Arc::clone(&parts.sandbox);
                parts.sandbox = Arc::new(Gated { inner, asked, may_answer });
            },
        )
        .await;
        let (user, token) = service.user().await;
        let session = secret();
        assert_eq!(service.exchange(&token, &session).await.status, 201);
        for guess in 0..GUESSES {
            service.submit(&session, PROVIDER, "good", &format!("guess {guess}")).await;
            was_asked.recv().await.unwrap();
        }
        answer.send_replace(true);
        let mut counted = 0;
        for _ in 0..200 {
            counted = failures(&service, &user).await;
            if counted == GUESSES {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(25)).await;
        }
        assert_eq!(counted, GUESSES, "on {backend:?}");
        let body = service.login(&session, PROVIDER, "good", "pass").await;
        let refused = service.send(Method::POST, "/link/accounts", As::Session(&session), Some(&body)).await;
        assert_eq!(refused.status, 429, "{:?}", refused.body);
        let told = service.event_types().await;
        assert_eq!(told.iter().filter(|it| *it == "ACCOUNT_FAILED").count(), 1, "{told:?}");
    }
}
