//! Files with people to invite: the check, the run, and that a row is invited once.

use axum::http::Method;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use link_store::test_support::Backend;
use link_types::console::Role;
use rstest::rstest;
use serde_json::{Value, json};

use crate::service::{TestResponse, TestService, text};

const PEOPLE: &str =
    "fullName;emailAddress;locale\r\n\"Núñez, Ana\";ana@example.com;es-MX\r\nBo;bo@example.com;\r\n";

struct Sender<'s> {
    service: &'s TestService,
    cookie: String,
    body: Value,
}

impl<'s> Sender<'s> {
    async fn new(service: &'s TestService, role: Role) -> Self {
        let member = service.sign_in_as(&format!("{role}@shop.example"), role).await;
        let list = service.portal(Method::GET, "/sandbox/inviteTemplates", &member.cookie, None).await;
        let body = json!({
            "inviteTemplateId": list.body["items"][0]["id"], "linkTemplateId": service.sandbox.template,
            "linkSiteId": null, "from": 0,
        });
        Self { service, cookie: member.cookie, body }
    }

    async fn send(&self, path: &str, file: &[u8], from: u32) -> TestResponse {
        let mut body = self.body.clone();
        body["file"] = json!(format!("data:text/csv;base64,{}", STANDARD.encode(file)));
        body["from"] = json!(from);
        self.service.portal(Method::POST, path, &self.cookie, Some(body)).await
    }

    async fn check(&self, file: &[u8]) -> TestResponse {
        self.send("/sandbox/inviteFileChecks", file, 0).await
    }

    async fn run(&self, file: &[u8], from: u32) -> TestResponse {
        self.send("/sandbox/inviteFiles", file, from).await
    }

    /// Returns the number of invitations.
    async fn invites(&self) -> usize {
        let listed = self.service.get("/invites").await;
        listed.body["items"].as_array().unwrap().len()
    }
}

fn outcomes(response: &TestResponse) -> Vec<String> {
    assert_eq!(response.status, 200, "{:?}", response.body);
    response.body["rows"].as_array().unwrap().iter().map(|it| text(&it["outcome"])).collect()
}

#[rstest]
#[tokio::test]
async fn file_is_checked_without_effect_and_invites_each_row_once(
    #[values(Backend::Sqlite, Backend::Postgres)] backend: Backend,
) {
    let service = TestService::start(backend).await;
    let sender = Sender::new(&service, Role::Support).await;
    assert_eq!(outcomes(&sender.check(PEOPLE.as_bytes()).await), ["NEW", "NEW"]);
    assert_eq!(sender.invites().await, 0, "a check sends nothing");
    let first = sender.run(PEOPLE.as_bytes(), 0).await;
    assert_eq!(outcomes(&first), ["INVITED", "INVITED"]);
    assert_eq!((&first.body["total"], &first.body["next"]), (&json!(2), &Value::Null));
    assert_eq!(first.body["rows"][0]["line"], 2);
    // The same people with a byte order mark, another separator and one more row.
    let more = "\u{feff}emailAddress,fullName\nANA@example.com,\"Núñez, Ana\"\ncy@example.com,Cy\n";
    assert_eq!(outcomes(&sender.check(more.as_bytes()).await), ["KNOWN", "NEW"]);
    let second = sender.run(more.as_bytes(), 0).await;
    assert_eq!(outcomes(&second), ["KNOWN", "INVITED"]);
    assert_eq!(second.body["rows"][0]["inviteId"], first.body["rows"][0]["inviteId"]);
    assert_eq!(sender.invites().await, 3);
    let ana = service.get(&format!("/invites/{}", text(&first.body["rows"][0]["inviteId"]))).await;
    assert_eq!((&ana.body["fullName"], &ana.body["locale"]), (&json!("Núñez, Ana"), &json!("es-MX")));
}

#[tokio::test]
async fn large_file_is_run_in_parts() {
    let service = TestService::start(Backend::Sqlite).await;
    let sender = Sender::new(&service, Role::Owner).await;
    let mut file = String::from("fullName,emailAddress\n");
    for number in 0..60 {
        file.push_str(&format!("Person {number},p{number}@example.com\n"));
    }
    let first = sender.run(file.as_bytes(), 0).await;
    assert_eq!((outcomes(&first).len(), &first.body["next"]), (50, &json!(50)));
    let second = sender.run(file.as_bytes(), 50).await;
    assert_eq!((outcomes(&second).len(), &second.body["next"]), (10, &Value::Null));
    assert_eq!(sender.invites().await, 60);
    let past = sender.run(file.as_bytes(), 60).await;
    assert_eq!((outcomes(&past).len(), &past.body["next"]), (0, &Value::Null));
}

#[tokio::test]
async fn same_file_sent_twice_at_once_invites_once() {
    let service = TestService::start(Backend::Sqlite).await;
    let sender = Sender::new(&service, Role::Owner).await;
    let (one, two) = tokio::join!(sender.run(PEOPLE.as_bytes(), 0), sender.run(PEOPLE.as_bytes(), 0));
    let mut found: Vec<String> = [outcomes(&one), outcomes(&two)].concat();
    found.sort();
    assert_eq!(found, ["INVITED", "INVITED", "KNOWN", "KNOWN"]);
    assert_eq!(sender.invites().await, 2);
    let mut created: Vec<String> =
        service.audit("action=INVITE_CREATED").await.iter().map(|it| text(&it["subjectId"])).collect();
    let rows = [&one, &two].map(|it| it.body["rows"].as_array().unwrap().clone()).concat();
    let mut invited: Vec<String> =
        rows.iter().filter(|it| it["outcome"] == "INVITED").map(|it| text(&it["inviteId"])).collect();
    created.sort();
    invited.sort();
    assert_eq!(created, invited, "each invitation is recorded once");
}

#[tokio::test]
async fn revoked_invitation_is_not_sent_again_by_its_file() {
    let service = TestService::start(Backend::Sqlite).await;
    let sender = Sender::new(&service, Role::Owner).await;
    let first = sender.run(PEOPLE.as_bytes(), 0).await;
    let id = text(&first.body["rows"][0]["inviteId"]);
    let path = format!("/sandbox/invites/{id}");
    let revoked = service.portal(Method::DELETE, &path, &sender.cookie, None).await;
    assert_eq!(revoked.status, 204, "{:?}", revoked.body);
    assert_eq!(outcomes(&sender.run(PEOPLE.as_bytes(), 0).await), ["KNOWN", "KNOWN"]);
}

#[tokio::test]
async fn faults_name_line_and_column_and_nothing_is_sent() {
    let service = TestService::start(Backend::Sqlite).await;
    let sender = Sender::new(&service, Role::Owner).await;
    let file = b"fullName,emailAddress\n\"two\nlines\",x@example.com\nBo,not an address\n,y@example.com\n";
    for checked in [sender.check(file).await, sender.run(file, 0).await] {
        assert_eq!(checked.status, 200, "{:?}", checked.body);
        assert_eq!(
            checked.body["faults"],
            json!([
                {"line": 4, "column": "emailAddress", "reason": "must be an e-mail address, like name@example.com"},
                {"line": 5, "column": "fullName", "reason": "must have 1 to 200 characters"},
            ])
        );
        assert!(!String::from_utf8_lossy(&checked.bytes).contains("not an address"));
    }
    assert_eq!(sender.invites().await, 0);
}

#[rstest]
#[case::utf_16(b"\xff\xfen\0", "UTF-16")]
#[case::latin_1(b"fullName,emailAddress\nN\xfa\xf1ez,a@example.com\n", "line 2 is not in UTF-8")]
#[case::spreadsheet(b"PK\x03\x04\0", "not a file of text")]
#[tokio::test]
async fn other_files_are_refused_with_a_reason(#[case] file: &[u8], #[case] reason: &str) {
    let service = TestService::start(Backend::Sqlite).await;
    let sender = Sender::new(&service, Role::Owner).await;
    let refused = sender.check(file).await;
    assert_eq!((refused.status.as_u16(), &refused.body["errors"][0]["field"]), (422, &json!("file")));
    assert!(text(&refused.body["errors"][0]["message"]).contains(reason), "{:?}", refused.body);
}

#[tokio::test]
async fn file_of_another_tenants_templates_is_refused() {
    let service = TestService::start(Backend::Sqlite).await;
    let mut sender = Sender::new(&service, Role::Owner).await;
    let other = service.another_tenant().await;
    sender.body["inviteTemplateId"] = json!(other.invite_template);
    sender.body["linkTemplateId"] = json!(other.template);
    for refused in [sender.check(PEOPLE.as_bytes()).await, sender.run(PEOPLE.as_bytes(), 0).await] {
        let fields: Vec<String> =
            refused.body["errors"].as_array().unwrap().iter().map(|it| text(&it["field"])).collect();
        assert_eq!(
            (refused.status.as_u16(), fields),
            (422, vec!["inviteTemplateId".into(), "linkTemplateId".into()])
        );
    }
}
