//! Fairness of file inspections between tenants.

use std::sync::Arc;
use std::time::Instant;

use axum::http::Method;
use link_documents::{ChildReader, Tesseract};
use link_store::test_support::Backend;
use link_test_support::wait;
use serde_json::json;

use super::{Uploader, picture};
use crate::service::{As, HOST_ORIGIN, TestService};

/// A child that takes 0.2 s to recognize an image.
const SLOW_CHILD: &str = "sleep 0.2; \
    printf '{\"outcome\":{\"inspected\":{\"format\":\"PNG\",\"pages\":1,\"pixels\":1}},\"peakKib\":1}'";
/// The number of users of the flooding tenant.
const FLOOD: usize = 40;

#[tokio::test(flavor = "multi_thread")]
async fn flood_of_inspections_does_not_delay_another_tenant() {
    let reader = ChildReader::new("/bin/sh", &["-c", SLOW_CHILD], Tesseract::default());
    let mut service = TestService::start_reading(Backend::Sqlite, Arc::new(reader), |_| {}).await;
    let honest = {
        let widget = Uploader::new(&service).await;
        let archive = widget.archive("PAYSLIP").await;
        (widget.begin(&archive, "PAGE", picture(500).len()).await, widget.session)
    };
    let other_tenant = service.another_tenant().await;
    let demo = std::mem::replace(&mut service.sandbox, other_tenant);
    let path = format!("/linkTemplates/{}", service.sandbox.template);
    let body = json!({"allowedOrigins": [HOST_ORIGIN], "uploadsEnabled": true});
    let allowed = service.send(Method::PATCH, &path, As::Tenant(&service.sandbox), Some(&body)).await;
    assert_eq!(allowed.status, 200, "{:?}", allowed.body);
    let mut flood = Vec::new();
    for _ in 0..FLOOD {
        let widget = Uploader::new(&service).await;
        let archive = widget.archive("PAYSLIP").await;
        flood.push((widget.begin(&archive, "PAGE", picture(500).len()).await, widget.session));
    }
    service.sandbox = demo;
    let service = Arc::new(service);
    let send = |(upload, session): (String, String)| {
        let service = Arc::clone(&service);
        tokio::spawn(async move {
            let began = Instant::now();
            let widget = Uploader { service: &service, session };
            (widget.append(&upload, 0, picture(500)).await, began.elapsed())
        })
    };
    let flood: Vec<_> = flood.into_iter().map(send).collect();
    // The flood comes first and fills its queue.
    let unfinished = || flood.iter().filter(|it| !it.is_finished()).count();
    wait::until("6 requests of the flood are finished", async || unfinished() <= FLOOD - 6).await;
    let (sent, took) = send(honest).await.unwrap();
    assert_eq!(sent.status, 204, "{:?}", sent.body);
    let behind = unfinished();
    let (mut accepted, mut refused) = (0, 0);
    for it in flood {
        let (answer, _) = it.await.unwrap();
        match answer.status.as_u16() {
            204 => accepted += 1,
            503 => {
                assert_eq!(answer.headers["retry-after"], "5");
                refused += 1;
            }
            _ => panic!("{answer:?}"),
        }
    }
    eprintln!(
        "{took:?}, {behind} of {FLOOD} files of another tenant unfinished; {accepted} accepted, {refused} rejected"
    );
    assert!(behind >= 10, "{took:?}: the upload waited for all except {behind} files of another tenant");
    assert!(accepted > 2, "the flood is served too: {refused} rejected");
}
