//! Uploads among what is linked, and in the attempt that a session takes up again.

use axum::http::Method;
use link_store::test_support::Backend;
use serde_json::json;

use super::{Uploader, picture};
use crate::service::TestService;

#[tokio::test]
async fn what_is_on_its_way_is_taken_up_again_and_what_was_read_is_among_what_is_linked() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
        let widget = Uploader::new(&service).await;
        let session = async || widget.send(Method::GET, "/link/session", None).await.body;
        assert_eq!((&session().await["hasLinked"]), &json!(false));

        let begun = widget.archive("PAYSLIP").await;
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
            "and none that was not submitted: {linked}"
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
            "the read one was left behind"
        );

        let place =
            json!({"consent": null, "providerId": null, "loginOption": null, "archiveType": "PAYSLIP"});
        assert_eq!(widget.send(Method::PUT, "/link/attempt", Some(&place)).await.status, 204);
        assert_eq!(archives(&session().await), 2, "its page is still shown");
    }
}
