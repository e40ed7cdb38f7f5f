//! A mail server that accepts connections and never answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use link_store::test_support::Backend;
use link_test_support::wait;

use crate::service::TestService;

/// More than any job queue has slots.
const INVITED: usize = 150;

#[tokio::test(flavor = "multi_thread")]
async fn hanging_mail_server_does_not_delay_linking() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("smtp://{}", listener.local_addr().unwrap());
    let connected = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&connected);
    tokio::spawn(async move {
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            held.push(stream);
            counted.store(held.len(), Ordering::SeqCst);
        }
    });
    let service = TestService::start_with(Backend::Sqlite, move |settings| {
        settings.smtp_url = Some(address.into());
        settings.mails_per_recipient = 1_000.try_into().unwrap();
    })
    .await;
    service.allow_mail("ana@example.com").await;
    for _ in 0..INVITED {
        service.invited().await;
    }
    wait::until("the service connects to the mail server", async || connected.load(Ordering::SeqCst) > 0)
        .await;
    let session = service.session().await;
    let progress = service.submit(&session, "mx_social_security", "good", "pass").await;
    service.settled(&session, &progress).await;
    service.until_event("TASK_FINISHED").await;
    let held = connected.load(Ordering::SeqCst);
    assert!(held < 64, "one tenant holds more than its share of the slots: {held}");
}
