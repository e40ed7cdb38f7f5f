//! The address that a person proved on a link site, on their own page.

use std::time::Duration;

use link_server::workers::housekeeping;
use link_store::test_support::Backend;
use rstest::rstest;
use serde_json::{Value, json};

use super::ANA;
use crate::invites::ana;
use crate::link_sites::Stage;
use crate::link_sites::proof::proving;
use crate::service::text;

const BO: &str = "bo@example.com";

impl Stage {
    /// Proves Ana's address in a visit. Returns its cookie and its user.
    async fn prove_address(&self) -> (String, String) {
        self.site(proving(self)).await;
        let cookie = self.enter_unproven().await;
        let code = self.code_for(&cookie, ANA).await;
        assert_eq!(self.prove(&cookie, &[("code", &code)]).await.0, 303);
        let started = self.service.get("/alpha/forms?status=STARTED").await.body["items"][0].clone();
        (cookie, text(&started["userId"]))
    }

    /// Returns the `provenEmail` of a user.
    async fn email_of(&self, user: &str) -> Value {
        self.service.get(&format!("/users/{user}")).await.body["provenEmail"].clone()
    }
}

#[rstest]
#[tokio::test(flavor = "multi_thread")]
async fn proven_person_finds_and_erases_the_answers(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let stage = Stage::set(backend).await;
    let (cookie, user) = stage.prove_address().await;
    assert_eq!(stage.send(&cookie, "purpose=Home").await.0, 303);
    let session = stage.service.widget_of(&cookie).await;
    let account = stage.service.link_in(&session).await;
    let own = stage.service.page_of(ANA).await;
    let list = stage.service.list(&own).await;
    assert!(list.contains("About the loan") && list.contains(&account), "{list}");
    assert_eq!(stage.service.act("/me/end", &own, "all").await.status, 200);
    assert_eq!(stage.service.get("/alpha/forms").await.body["items"], json!([]));
    assert_eq!(stage.email_of(&user).await, Value::Null);
    let (_, page) = stage.page("/visit", &cookie).await;
    assert!(page.contains("Confirm your email address"), "the open visit has no address either: {page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn end_of_the_last_object_erases_the_proven_address() {
    let stage = Stage::set(Backend::Sqlite).await;
    let (cookie, user) = stage.prove_address().await;
    assert_eq!(stage.send(&cookie, "purpose=Home").await.0, 303);
    let session = stage.service.widget_of(&cookie).await;
    let account = stage.service.link_in(&session).await;
    let form = text(&stage.service.get("/alpha/forms").await.body["items"][0]["id"]);
    let own = stage.service.page_of(ANA).await;
    assert_eq!(stage.service.act("/me/end", &own, &form).await.status, 200);
    assert_eq!(stage.email_of(&user).await, ANA, "the account is left");
    assert_eq!(stage.service.act("/me/end", &own, &account).await.status, 200);
    assert_eq!(stage.email_of(&user).await, Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_person_of_the_user_does_not_erase_the_address() {
    let stage = Stage::set(Backend::Sqlite).await;
    let (cookie, user) = stage.prove_address().await;
    assert_eq!(stage.send(&cookie, "purpose=Home").await.0, 303);
    // The tenant invites Bo for Ana's user.
    let mut whom = ana(&stage.service);
    whom["emailAddress"] = json!(BO);
    whom["userId"] = json!(user);
    let invite = stage.service.post("/invites", whom).await.body;
    let invite = stage.service.until_invite(&invite, "mailed", |it| !it["invitedAt"].is_null()).await;
    let visit = stage.service.enter(&text(&invite["landingPageUrl"])).await;
    let session = stage.service.widget_of(&visit).await;
    stage.service.link_in(&session).await;
    let own = stage.service.page_of(BO).await;
    assert_eq!(stage.service.act("/me/end", &own, "all").await.status, 200);
    assert_eq!(stage.email_of(&user).await, ANA);
    assert_eq!(stage.page("/visit", &cookie).await.0, 200, "Ana's visit goes on");
}

#[tokio::test(flavor = "multi_thread")]
async fn address_of_a_person_who_gave_nothing_ends_with_the_visit() {
    let stage = Stage::set(Backend::Sqlite).await;
    let (_, user) = stage.prove_address().await;
    let after = async |days: u64| {
        let now = stage.service.app.wall() + Duration::from_secs(days * 86_400);
        housekeeping::tidy(&stage.service.app, now).await.unwrap();
        stage.email_of(&user).await
    };
    assert_eq!(after(6).await, ANA);
    assert_eq!(after(8).await, Value::Null);
}
