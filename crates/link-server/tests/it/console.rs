//! The developer portal: sign-in, sessions, members, keys, and what each role may do.

mod access;
pub mod audit;
mod developers;
mod device;
mod insights;
mod invite_files;
mod mailed_link;
mod passkeys;
mod people;
mod scopes;
mod single_sign_on;
mod sites;
mod template_preview;
mod templates;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode, header};
use link_domain::console::member::Member;
use link_domain::console::sign_in::{INVITATION_LIFE, SignInAddress};
use link_domain::kernel::clock::ClockOffset;
use link_server::settings::Settings;
use link_store::StoreError;
use link_store::test_support::Backend;
use link_types::console::{MemberDraft, Permission, Role};
use rstest::rstest;
use serde_json::{Value, json};

use crate::service::{TestResponse, TestService, text};

/// A signed-in browser: its cookie.
struct Browser {
    cookie: String,
    member: String,
}

impl TestService {
    /// Invites a member of a tenant, as the operator does, and returns the code of their address.
    async fn invite_member(&self, tenant: &str, email: &str, role: Role) -> String {
        let mut context = self.app.context(ClockOffset::default());
        let draft = MemberDraft { email: email.to_owned(), name: "Ana".to_owned(), role };
        let tenant = tenant.parse().unwrap();
        let (member, invited) = Member::invite(tenant, &draft, &[], &mut context).unwrap();
        let (_, code, created) = SignInAddress::create(member.id, None, INVITATION_LIFE, &mut context);
        let (change, now) = (invited.then(created), context.now());
        let applied: Result<(), StoreError> = self.app.store.write(move |tx| tx.apply(&change, now)).await;
        applied.unwrap();
        code.expose().to_owned()
    }

    async fn portal(&self, method: Method, path: &str, cookie: &str, body: Option<Value>) -> TestResponse {
        self.portal_from(&[("sec-fetch-site", "same-origin")], method, path, cookie, body).await
    }

    async fn portal_from(
        &self,
        sent: &[(&str, &str)],
        method: Method,
        path: &str,
        cookie: &str,
        body: Option<Value>,
    ) -> TestResponse {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("/console/api{path}"))
            .header(header::HOST, "localhost:8787")
            .header(
                header::USER_AGENT,
                "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
            );
        for (name, value) in sent {
            request = request.header(*name, *value);
        }
        if !cookie.is_empty() {
            request = request.header(header::COOKIE, cookie);
        }
        let body = match body {
            Some(body) => {
                request = request.header(header::CONTENT_TYPE, "application/json");
                Body::from(body.to_string())
            }
            None => Body::empty(),
        };
        let response = self.send_raw(request.body(body).unwrap()).await;
        if let Some(challenge) = response.headers.get(header::WWW_AUTHENTICATE) {
            // A browser would ask for a name and a password.
            assert!(!challenge.to_str().unwrap().starts_with("Basic"), "{challenge:?}");
        }
        response
    }

    /// Submits a form of the portal, as a page of this site would.
    async fn submit_form(
        &self,
        path: &str,
        by: &Browser,
        site: &str,
        fields: &[(&str, &str)],
    ) -> TestResponse {
        let mut body = form_urlencoded::Serializer::new(String::new());
        body.extend_pairs(fields);
        let request = Request::post(format!("/console/api/sandbox/{path}"))
            .header(header::HOST, "localhost:8787")
            .header(header::COOKIE, &by.cookie)
            .header("sec-fetch-site", site)
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send_raw(request.body(Body::from(body.finish())).unwrap()).await
    }

    async fn sign_in(&self, code: &str) -> Browser {
        let signed_in = self.portal(Method::POST, "/session", "", Some(json!({"code": code}))).await;
        assert_eq!(signed_in.status, 201, "{:?}", signed_in.body);
        let cookie = signed_in.headers[header::SET_COOKIE].to_str().unwrap();
        assert!(cookie.contains("; HttpOnly; SameSite=Lax"), "{cookie}");
        Browser {
            cookie: cookie.split(';').next().unwrap().to_owned(),
            member: text(&signed_in.body["member"]["id"]),
        }
    }

    async fn sign_in_as(&self, email: &str, role: Role) -> Browser {
        let code = self.invite_member("demo", email, role).await;
        self.sign_in(&code).await
    }
}

#[rstest]
#[tokio::test]
async fn one_time_address_signs_in_once(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    let service = TestService::start(backend).await;
    let code = service.invite_member("demo", "ana@shop.example", Role::Owner).await;
    let browser = service.sign_in(&code).await;
    let again = service.portal(Method::POST, "/session", "", Some(json!({"code": code}))).await;
    assert_eq!((again.status.as_u16(), again.headers.get(header::SET_COOKIE)), (401, None));
    assert!(again.headers.contains_key(header::WWW_AUTHENTICATE));
    let session = service.portal(Method::GET, "/session", &browser.cookie, None).await;
    assert_eq!(session.status, 200);
    assert_eq!(session.body["member"]["email"], "ana@shop.example");
    assert_eq!(session.body["sandbox"], json!(Permission::ALL));
    assert_eq!(session.headers[header::CACHE_CONTROL], "no-store");
}

#[tokio::test]
async fn concurrent_uses_of_an_address_sign_in_once() {
    for backend in Backend::ALL {
        let service = TestService::start(backend).await;
        let code = service.invite_member("demo", "ana@shop.example", Role::Owner).await;
        let body = json!({"code": code});
        let (one, two) = tokio::join!(
            service.portal(Method::POST, "/session", "", Some(body.clone())),
            service.portal(Method::POST, "/session", "", Some(body.clone())),
        );
        let mut statuses = [one.status.as_u16(), two.status.as_u16()];
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 401], "{backend:?}");
    }
}

#[tokio::test]
async fn cookie_of_an_https_portal_is_bound_to_its_host() {
    let service =
        TestService::start_with(Backend::Sqlite, |it| it.console_url = "https://localhost:8787".into()).await;
    let code = service.invite_member("demo", "ana@shop.example", Role::Owner).await;
    let signed_in = service.portal(Method::POST, "/session", "", Some(json!({"code": code}))).await;
    let cookie = signed_in.headers[header::SET_COOKIE].to_str().unwrap();
    assert!(cookie.starts_with("__Host-linchpin_console="), "{cookie}");
    assert!(cookie.ends_with("; Path=/; Max-Age=604800; HttpOnly; SameSite=Lax; Secure"), "{cookie}");
}

#[tokio::test]
async fn write_from_another_site_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let browser = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let sites: [&[(&str, &str)]; 5] = [
        &[],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "none")],
        &[("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")],
    ];
    for sent in sites {
        let body = Some(json!({"name": "key"}));
        let refused = service.portal_from(sent, Method::POST, "/sandbox/keys", &browser.cookie, body).await;
        assert_eq!(refused.status, 403, "{sent:?}");
        assert!(text(&refused.body["detail"]).contains("Sec-Fetch-Site"), "not the role");
    }
    let read = service.portal_from(&[], Method::GET, "/sandbox/keys", &browser.cookie, None).await;
    assert_eq!(read.status, 200);
}

#[tokio::test]
async fn write_without_json_is_rejected() {
    let service = TestService::start(Backend::Sqlite).await;
    let browser = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let refused = service.portal(Method::POST, "/sandbox/keys", &browser.cookie, None).await;
    assert_eq!(refused.status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
}

#[tokio::test]
async fn signing_in_again_ends_the_session_of_the_cookie() {
    let service = TestService::start(Backend::Sqlite).await;
    let first = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let code = service.invite_member("demo", "bo@shop.example", Role::Viewer).await;
    let body = Some(json!({"code": code}));
    let second = service.portal(Method::POST, "/session", &first.cookie, body).await;
    assert_eq!(second.status, 201);
    assert_eq!(service.portal(Method::GET, "/session", &first.cookie, None).await.status, 401);
}

#[tokio::test]
async fn portal_is_off_if_members_cannot_sign_in() {
    let off = |it: &mut Settings| it.console_url = "http://10.0.0.7:8787".to_owned();
    let service = TestService::start_with(Backend::Sqlite, off).await;
    assert_eq!(service.portal(Method::GET, "/session", "", None).await.status, 404);
}

#[tokio::test]
async fn environment_that_does_not_exist_is_404() {
    let service = TestService::start(Backend::Sqlite).await;
    let browser = service.sign_in_as("ana@shop.example", Role::Owner).await;
    assert_eq!(service.portal(Method::GET, "/staging/keys", &browser.cookie, None).await.status, 404);
}

#[rstest]
#[tokio::test]
async fn key_works_until_it_is_revoked(#[values(Backend::Sqlite, Backend::Postgres)] backend: Backend) {
    use base64::Engine as _;
    let service = TestService::start(backend).await;
    let browser = service.sign_in_as("ana@shop.example", Role::Developer).await;
    let body = Some(json!({"name": " Payroll "}));
    let created = service.portal(Method::POST, "/sandbox/keys", &browser.cookie, body).await;
    assert_eq!(created.status, 201, "{:?}", created.body);
    let credentials = &created.body["credentials"];
    let (key, secret) = (text(&credentials["apiKey"]), text(&credentials["apiSecret"]));
    let mut keys = service.sandbox.clone();
    keys.basic = base64::engine::general_purpose::STANDARD.encode(format!("{key}:{secret}"));
    let ask = async || service.send(Method::GET, "/users", crate::service::As::Tenant(&keys), None).await;
    assert_eq!(ask().await.status, 200);

    let listed = service.portal(Method::GET, "/sandbox/keys", &browser.cookie, None).await;
    let first = &listed.body["items"][0];
    assert_eq!((&first["name"], &first["revokedAt"]), (&json!("Payroll"), &Value::Null));
    assert!(key.ends_with(first["lastFour"].as_str().unwrap()));
    assert!(!String::from_utf8_lossy(&listed.bytes).contains(&secret), "only the creation shows the secret");

    let path = format!("/sandbox/keys/{}", text(&first["id"]));
    let live = path.replace("sandbox", "production");
    let elsewhere = service.portal(Method::DELETE, &live, &browser.cookie, None).await;
    assert_eq!(elsewhere.status, 403, "a developer manages sandbox keys only");
    assert_eq!(service.portal(Method::DELETE, &path, &browser.cookie, None).await.status, 200);
    assert_eq!(ask().await.status, 401);
}

#[tokio::test]
async fn faults_of_a_draft_are_reported_by_field() {
    let service = TestService::start(Backend::Sqlite).await;
    let browser = service.sign_in_as("ana@shop.example", Role::Owner).await;
    for (path, body, field) in [
        ("/sandbox/keys", json!({"name": " "}), "name"),
        ("/members", json!({"name": "Bo", "email": "bo", "role": "VIEWER"}), "email"),
        ("/members", json!({"name": "Bo", "email": "bo@shop.example", "role": "KING"}), "role"),
    ] {
        let refused = service.portal(Method::POST, path, &browser.cookie, Some(body)).await;
        assert_eq!(refused.status, 422, "{path}");
        assert_eq!(refused.body["errors"][0]["field"], field, "{path}: {:?}", refused.body);
    }
}

#[tokio::test]
async fn invited_member_signs_in_and_is_removed_with_their_sessions() {
    let service = TestService::start(Backend::Sqlite).await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let draft = json!({"name": "Bo", "email": "bo@shop.example", "role": "VIEWER"});
    let invited = service.portal(Method::POST, "/members", &owner.cookie, Some(draft.clone())).await;
    assert_eq!(invited.status, 201, "{:?}", invited.body);
    let url = text(&invited.body["url"]);
    let (page, code) = url.split_once('#').unwrap();
    assert_eq!(page, "http://localhost:8787/console/enter");
    let twice = service.portal(Method::POST, "/members", &owner.cookie, Some(draft)).await;
    assert_eq!(twice.status, 409);

    let viewer = service.sign_in(code).await;
    let path = format!("/members/{}", viewer.member);
    assert_eq!(service.portal(Method::DELETE, &path, &viewer.cookie, None).await.status, 403);
    assert_eq!(service.portal(Method::DELETE, &path, &owner.cookie, None).await.status, 204);
    assert_eq!(service.portal(Method::GET, "/session", &viewer.cookie, None).await.status, 401);
}

#[tokio::test]
async fn session_is_ended_by_its_member_and_by_an_owner_only() {
    let service = TestService::start(Backend::Sqlite).await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let viewer = service.sign_in_as("bo@shop.example", Role::Viewer).await;
    let support = service.sign_in_as("cy@shop.example", Role::Support).await;
    let list = async |by: &Browser| {
        let listed = service.portal(Method::GET, "/sessions", &by.cookie, None).await;
        listed.body["items"].as_array().unwrap().clone()
    };
    assert_eq!(list(&owner).await.len(), 3);
    let own = list(&viewer).await;
    assert_eq!((own.len(), &own[0]["browser"]), (1, &json!("Firefox on Linux")));
    let path = format!("/sessions/{}", text(&own[0]["id"]));
    assert_eq!(service.portal(Method::DELETE, &path, &support.cookie, None).await.status, 404);
    assert_eq!(service.portal(Method::DELETE, &path, &owner.cookie, None).await.status, 204);
    assert_eq!(service.portal(Method::GET, "/session", &viewer.cookie, None).await.status, 401);

    let address = format!("/members/{}/address", support.member);
    let created = service.portal(Method::POST, &address, &owner.cookie, None).await;
    let code = text(&created.body["url"]).split_once('#').unwrap().1.to_owned();
    let path = format!("/sessions/{}", text(&list(&support).await[0]["id"]));
    assert_eq!(service.portal(Method::DELETE, &path, &owner.cookie, None).await.status, 204);
    let used = service.portal(Method::POST, "/session", "", Some(json!({"code": code}))).await;
    assert_eq!(used.status, 401, "the address ends with the last session");
}

#[tokio::test]
async fn signing_out_ends_the_session_and_removes_the_cookie() {
    let service = TestService::start(Backend::Sqlite).await;
    let owner = service.sign_in_as("ana@shop.example", Role::Owner).await;
    let out = service.portal(Method::DELETE, "/session", &owner.cookie, None).await;
    assert_eq!(out.status, 204);
    assert!(out.headers[header::SET_COOKIE].to_str().unwrap().contains("Max-Age=0"));
    assert_eq!(service.portal(Method::GET, "/session", &owner.cookie, None).await.status, 401);
}

#[tokio::test]
async fn every_page_is_one_document_with_a_strict_policy() {
    let service = TestService::start(Backend::Sqlite).await;
    for path in ["/console", "/console/", "/console/enter", "/console/keys/production", "/console/members"] {
        let request = Request::get(path).header(header::HOST, "localhost:8787").body(Body::empty()).unwrap();
        let page = service.send_raw(request).await;
        // A debug build reads the files at run time; they may not be built.
        assert!(page.status == 200 || page.status == 503, "{path}: {}", page.status);
        if page.status == 200 {
            let policy = page.headers[header::CONTENT_SECURITY_POLICY].to_str().unwrap();
            assert!(policy.contains("trusted-types 'none'") && !policy.contains("unsafe-inline"), "{policy}");
            assert_eq!(page.headers.get(header::ACCESS_CONTROL_ALLOW_ORIGIN), None);
        }
    }
}
