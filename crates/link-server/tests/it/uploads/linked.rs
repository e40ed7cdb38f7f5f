//! Archives in the list of linked sources and in a resumed attempt.

use axum::http::Method;
use link_store::test_support::Backend;
use serde_json::json;

use super::{Uploader, picture};
use crate::service::{As, TestService, secret, text};

#[tokio::test]
async fn unfinished_archive_resumes_and_analyzed_one_is_listed() {
    let service = TestService::start(Backend::Sqlite).await;
    let widget = Uploader::new(&service).await;
    let session = async || widget.send(Method::GET, "/link/session", None).await.body;
    assert_eq!((&session().await["hasLinked"]), &json!(false));

    let begun = widget.archive("CERTIFICATE").await;
    let now = session().await;
    assert_eq!(
        (&now["attempt"]["archives"][0]["archiveId"], &now["hasLinked"]),
        (&json!(begun), &json!(false))
    );
    assert_eq!(now["attempt"]["archives"][0]["phase"], json!({"uploading": {}}));

    let read = widget.submitted("PAYSLIP", &picture(9_000)).await;
    service.until_event("TASK_FINISHED").await;
    let linked = widget.send(Method::GET, "/link/linked", None).await.body;
    assert_eq!(
        linked["archives"][0]["archiveId"],
        json!(read),
        "only submitted archives are listed: {linked}"
    );
    assert_eq!(
        (&linked["archives"][0]["phase"], &linked["archives"][1]),
        (&json!({"analyzed": {}}), &json!(null))
    );
    let archives = |body: &serde_json::Value| body["attempt"]["archives"].as_array().unwrap().len();
    let after = session().await;
    assert_eq!(
        (archives(&after), &after["hasLinked"]),
        (1, &json!(true)),
        "the analyzed archive is no longer part of the attempt"
    );

    let place = json!({"consent": null, "providerId": null, "loginOption": null, "archiveType": "PAYSLIP"});
    assert_eq!(widget.send(Method::PUT, "/link/attempt", Some(&place)).await.status, 204);
    assert_eq!(archives(&session().await), 2, "the attempt's page still shows the analyzed archive");
}

#[tokio::test]
async fn closing_session_keeps_unfinished_upload_after_linking() {
    let service = TestService::start(Backend::Sqlite).await;
    let (user, token) = service.user().await;
    let session = secret();
    assert_eq!(service.exchange(&token, &session).await.status, 201);
    let linked = service.submit(&session, "mx_social_security", "good", "pass").await;
    assert!(service.settled(&session, &linked).await["phase"].get("connected").is_some());
    let widget = Uploader { service: &service, session };
    let archive = widget.archive("PAYSLIP").await;
    let file = picture(3_000);
    let upload = widget.begin(&archive, "PAGE", file.len()).await;
    assert_eq!(widget.append(&upload, 0, file[..1_000].to_vec()).await.status, 204);
    assert_eq!(widget.send(Method::DELETE, "/link/session", None).await.status, 204);

    let path = format!("/tokens?userId={user}");
    let token = service.send(Method::POST, &path, As::Tenant(&service.sandbox), None).await;
    let session = secret();
    let opened = service.exchange(&text(&token.body["accessToken"]), &session).await;
    assert_eq!(opened.status, 201, "{:?}", opened.body);
    let attempt = &opened.body["attempt"];
    assert_eq!(attempt["archives"][0]["archiveId"], json!(archive), "{attempt}");
    assert_eq!(attempt["account"], json!(null), "the linked account is not shown again");
    let widget = Uploader { service: &service, session };
    assert_eq!(widget.append(&upload, 1_000, file[1_000..].to_vec()).await.status, 204);
}
