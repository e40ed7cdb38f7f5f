//! Limits of the hosted pages: requests, writes, mails.

use std::num::NonZeroU32;
use std::time::Duration;

use axum::http::{Method, StatusCode};
use link_store::StoreError;
use link_store::test_support::Backend;
use link_test_support::wait;

use super::life::address_after;
use super::stored_mail::MailServer;
use super::{HOSTED, html};
use crate::service::{As, TestService, text};

#[tokio::test]
async fn hosted_page_over_rate_limit_shows_an_error_page() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = NonZeroU32::MIN;
            live.rate_burst = NonZeroU32::new(10).unwrap();
        });
    })
    .await;
    let invite = service.invite_ana().await;
    let link = text(&invite["landingPageUrl"]);
    for _ in 0..10 {
        assert_eq!(service.browse(Method::GET, &link, "", None).await.status, 200);
    }
    let refused = service.browse(Method::GET, &link, "", None).await;
    assert_eq!((refused.status.as_u16(), &refused.headers["retry-after"]), (429, &"1".parse().unwrap()));
    assert!(html(&refused).contains("Too many requests"), "{}", html(&refused));
    assert_eq!(service.browse(Method::GET, "/hosted/page.css", "", None).await.status, 200);
    let other = format!("/invite/{}", "0".repeat(64));
    assert_eq!(
        service.browse(Method::GET, &other, "", None).await.status,
        404,
        "other invitations are not limited"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn invitation_code_guesses_are_limited_but_valid_links_work() {
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.live.edit(|live| {
            live.rate_per_second = NonZeroU32::MIN;
            live.rate_burst = NonZeroU32::new(25).unwrap();
        });
    })
    .await;
    let invite = service.invite_ana().await;
    let link = text(&invite["landingPageUrl"]);
    let unknown = "0".repeat(64);
    let stale = format!("linchpin_visit={unknown}");
    for (path, cookie) in [
        (format!("/invite/{unknown}"), ""),
        (format!("/invite/{unknown}"), ""),
        (format!("/invite/{unknown}"), ""),
        ("/visit".to_owned(), stale.as_str()),
        ("/visit".to_owned(), &stale),
    ] {
        let status = service.browse(Method::GET, &path, cookie, None).await.status.as_u16();
        assert!(matches!(status, 403 | 404), "{path}: {status}");
    }
    for (method, path, cookie) in [
        (Method::GET, format!("/invite/{unknown}"), ""),
        (Method::POST, format!("/invite/{unknown}"), ""),
        (Method::POST, format!("/invite/{unknown}/opened"), ""),
        (Method::GET, "/visit".to_owned(), stale.as_str()),
    ] {
        let refused = service.browse(method.clone(), &path, cookie, None).await;
        assert_eq!(refused.status, 429, "{method} {path}");
    }
    assert_eq!(
        service.browse(Method::GET, "/visit", "", None).await.status,
        403,
        "without a cookie, no code is looked up"
    );
    let page = service.browse(Method::GET, &link, &stale, None).await;
    assert_eq!(page.status, 200, "a valid link works next to an old cookie");
}

#[tokio::test(flavor = "multi_thread")]
async fn guessed_tracking_pixels_are_limited_but_real_ones_work() {
    let server = MailServer::up();
    let address = server.address();
    let service = TestService::start_with(Backend::Sqlite, |settings| {
        settings.smtp_url = Some(address.into());
        settings.live.edit(|live| {
            live.rate_per_second = NonZeroU32::MIN;
            live.rate_burst = NonZeroU32::new(25).unwrap();
        });
    })
    .await;
    service.allow_mail("ana@example.com").await;
    service.invite_ana().await;
    wait::until("the mail arrives", async || !server.mails().is_empty()).await;
    let picture = address_after(&server.mails()[0], &format!("{HOSTED}/invite/opened/"));
    let other = format!("/invite/opened/{}", "0".repeat(64));
    for _ in 0..5 {
        let known = service.browse(Method::GET, &picture, "", None).await;
        let unknown = service.browse(Method::GET, &other, "", None).await;
        assert_eq!((known.status.as_u16(), &known.bytes), (200, &unknown.bytes));
        assert_eq!(unknown.status, 200);
    }
    for _ in 0..3 {
        assert_eq!(service.browse(Method::GET, &picture, "", None).await.status, 200);
    }
    let statuses = [
        service.browse(Method::GET, &other, "", None).await.status,
        service.browse(Method::GET, &other, "", None).await.status,
        service.browse(Method::GET, &other, "", None).await.status,
    ];
    assert!(statuses.contains(&StatusCode::TOO_MANY_REQUESTS), "{statuses:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_page_open_does_not_wait_for_the_writer() {
    let service = TestService::start(Backend::Sqlite).await;
    let invite = service.invite_ana().await;
    service.until_invite(&invite, "mailed", |it| !it["invitedAt"].is_null()).await;
    let opened = format!("{}/opened", text(&invite["landingPageUrl"]));
    assert_eq!(service.browse(Method::POST, &opened, "", None).await.status, 204);
    assert_eq!(service.invite(&invite).await["status"], "LANDING_PAGE_OPENED");
    let (held, is_held) = std::sync::mpsc::channel();
    let (let_go, gone) = std::sync::mpsc::channel::<()>();
    let store = service.app.store.clone();
    let writing = tokio::spawn(async move {
        let unit = store.write(move |_| -> Result<(), StoreError> {
            held.send(()).unwrap();
            gone.recv().unwrap_err(); // returns once the sender is dropped
            Ok(())
        });
        unit.await.unwrap();
    });
    tokio::task::block_in_place(|| is_held.recv().unwrap());
    let again = service.browse(Method::POST, &opened, "", None);
    let answered = tokio::time::timeout(Duration::from_secs(20), again).await;
    drop(let_go);
    writing.await.unwrap();
    assert_eq!(answered.expect("the request waited for the writer").status, 204);
}

#[tokio::test]
async fn invitation_sends_at_most_twenty_mails() {
    let service = TestService::start(Backend::Sqlite).await;
    let invite = service.invite_ana().await;
    let link = text(&invite["landingPageUrl"]);
    let resend = format!("/invites/{}/resend", text(&invite["id"]));
    for _ in 1..20 {
        let again = service.send(Method::POST, &resend, As::Tenant(&service.sandbox), None).await;
        assert_eq!(again.status, 200, "{:?}", again.body);
    }
    let refused = service.send(Method::POST, &resend, As::Tenant(&service.sandbox), None).await;
    assert_eq!(refused.status, 409, "{:?}", refused.body);
    service.enter(&link).await;
    let page = service.browse(Method::GET, &link, "", None).await;
    assert_eq!(page.status, 410);
    assert!(html(&page).contains("This invitation has ended"), "{}", html(&page));
    assert!(!html(&page).contains("<button"), "the page offers no new link: {}", html(&page));
    let asked = service.browse(Method::POST, &format!("{link}/again"), "", None).await;
    assert_eq!(asked.status, 410);
}
