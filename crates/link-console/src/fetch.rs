//! Sends requests. This is the only place that knows HTTP: every HTTP response becomes a [`Response`] or a failure.

use js_sys::{Array, JSON, Reflect};
use link_types::console::Items;
use link_types::console::templates::TemplateVersion;
use link_types::list::Page;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_wasm_bindgen::Serializer;
use wasm_bindgen::{JsCast as _, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Headers, RequestInit};

use crate::core::ceremony::{Ceremony, PasskeyRequest};
use crate::core::failure::Problem;
use crate::core::insights::request::{InsightRequest, InsightResponse};
use crate::core::inviting::request::{InvitingRequest, InvitingResponse};
use crate::core::people::request::{PeopleRequest, PeopleResponse};
use crate::core::rest::{Rest, RestResponse, WebhookDraft};
use crate::core::single_sign_on::request::{SignOnRequest, SignOnResponse};
use crate::core::sites::request::{SiteRequest, SiteResponse};
use crate::core::templates::editor::SavedVersion;
use crate::core::templates::kind::TemplateKind;
use crate::core::templates::request::{TemplateRequest, TemplateResponse};
use crate::core::templates::wire::AnyTemplate;
use crate::core::{Body, Failure, Language, Request, Response, whole_list};
use crate::crypto;

/// Sends a request. `code` is the code of the page's one-time address, and `language` that of a failure.
///
/// # Errors
/// The failure that the response reports, or that there was none.
pub async fn send(request: &Request, code: Option<&str>, language: Language) -> Result<Response, Failure> {
    let (method, path, body) = request.parts();
    let new_secret = if matches!(body, Body::NewWebhook(_) | Body::NewSecret) {
        crypto::new_secret().map_err(|_| Failure::Offline)?
    } else {
        String::new()
    };
    let text = text_of(&body, code, &new_secret);
    let response = get_accepted(method, &path, text, language).await?;
    if let Request::Rest(_, Rest::GetEvent(_) | Rest::Example(_) | Rest::Fire(_)) = request {
        return Ok(Response::Rest(RestResponse::Event(text_of_response(&response).await)));
    }
    let mut value = value_of_response(&response).await;
    if request.is_whole_list() {
        value = add_pages(&path, value, language).await?;
    }
    let known = match request {
        Request::WhoIsThere | Request::SignIn => read(value).map(|it| Response::SignedIn(Box::new(it))),
        Request::SignInOptions => read(value).map(Response::SignInOptions),
        Request::ListKeys(_) => read::<Items<_>>(value).map(|it| Response::Keys(it.items)),
        Request::ListMembers => read::<Items<_>>(value).map(|it| Response::Members(it.items)),
        Request::ListAudit(..) => read(value).map(Response::Audit),
        Request::ListSessions => read::<Items<_>>(value).map(|it| Response::Sessions(it.items)),
        Request::CreateKey(..) | Request::RotateKey(..) => {
            read(value).map(|it| Response::CreatedKey(Box::new(it)))
        }
        Request::InviteMember(_) | Request::CreateAddress(_) => {
            read(value).map(|it| Response::Address(Box::new(it)))
        }
        Request::Rest(_, rest) => read_rest(rest, value, new_secret).map(Response::Rest),
        Request::Site(_, request) => read_site(request, value).map(Response::Site),
        Request::Template(_, request) => read_template(request, value).map(Response::Template),
        Request::Inviting(_, request) => read_inviting(request, value).map(Response::Inviting),
        Request::Insight(_, InsightRequest::Funnel(_)) => {
            read(value).map(|it| Response::Insight(InsightResponse::Funnel(Box::new(it))))
        }
        Request::Insight(_, InsightRequest::Usage(_)) => {
            read(value).map(|it| Response::Insight(InsightResponse::Usage(Box::new(it))))
        }
        Request::People(_, request) => read_people(request, value).map(Response::People),
        Request::SignOn(request) => read_sign_on(request, value).map(Response::SignOn),
        Request::Passkey(PasskeyRequest::List) => {
            read::<Items<_>>(value).map(|it| Response::Passkeys(it.items))
        }
        Request::Passkey(PasskeyRequest::Challenge(_)) => read(value).map(Response::Challenge),
        Request::Passkey(PasskeyRequest::Respond(Ceremony::SignIn, _)) => {
            read(value).map(|it| Response::SignedIn(Box::new(it)))
        }
        Request::Passkey(PasskeyRequest::Respond(..) | PasskeyRequest::Remove(_))
        | Request::SignOut
        | Request::MailLink(_)
        | Request::RevokeKey(..)
        | Request::ChangeRole(..)
        | Request::RemoveMember(_)
        | Request::EndSession(_) => Some(Response::Done),
    };
    known.ok_or_else(|| Failure::Broken(String::new()))
}

/// Adds the further pages of a list to its first one.
async fn add_pages(path: &str, first: JsValue, language: Language) -> Result<JsValue, Failure> {
    let items = whole_list::join(page_of(&first)?, async |cursor| {
        let response = get_accepted("GET", &format!("{path}&cursor={cursor}"), None, language).await?;
        page_of(&value_of_response(&response).await)
    });
    let items: Array = items.await?.into_iter().collect();
    Reflect::set(&first, &"items".into(), &items).map_err(|_| Failure::Broken(String::new()))?;
    Ok(first)
}

fn page_of(value: &JsValue) -> Result<Page<JsValue>, Failure> {
    let get = |name: &str| Reflect::get(value, &name.into()).ok();
    let items = get("items").and_then(|it| it.dyn_into::<Array>().ok());
    let items = items.ok_or_else(|| Failure::Broken(String::new()))?.to_vec();
    Ok(Page { items, next_cursor: get("nextCursor").and_then(|it| it.as_string()) })
}

/// Sends a request. Returns its response, if the service did not refuse it.
async fn get_accepted(
    method: &str,
    path: &str,
    body: Option<String>,
    language: Language,
) -> Result<web_sys::Response, Failure> {
    let response = exchange(method, path, body).await.map_err(|_| Failure::Offline)?;
    if response.ok() {
        return Ok(response);
    }
    let wait = response.headers().get("retry-after").ok().flatten().and_then(|it| it.parse().ok());
    let challenge = response.headers().get("www-authenticate").ok().flatten().unwrap_or_default();
    if response.status() == 403 && challenge.contains("insufficient_user_authentication") {
        return Err(Failure::Unconfirmed);
    }
    let problem = serde_wasm_bindgen::from_value::<Problem>(value_of_response(&response).await);
    Err(Failure::from_response(response.status(), problem.unwrap_or_default(), wait, language))
}

async fn exchange(method: &str, path: &str, body: Option<String>) -> Result<web_sys::Response, JsValue> {
    let init = RequestInit::new();
    init.set_method(method);
    if let Some(body) = body {
        let headers = Headers::new()?;
        headers.set("content-type", "application/json")?;
        init.set_headers(&headers);
        init.set_body(&body.into());
    }
    let window = web_sys::window().ok_or(JsValue::NULL)?;
    let fetched = window.fetch_with_str_and_init(&format!("/console/api{path}"), &init);
    JsFuture::from(fetched).await?.dyn_into()
}

fn read_rest(sent: &Rest, value: JsValue, new_secret: String) -> Option<RestResponse> {
    match sent {
        Rest::ListWebhooks => read::<Items<_>>(value).map(|it| RestResponse::Webhooks(it.items)),
        Rest::WebhookHealth => read::<Items<_>>(value).map(|it| RestResponse::Health(it.items)),
        Rest::CreateWebhook(_) | Rest::RotateSecret(_) => {
            read(value).map(|it| RestResponse::Secret(Box::new(it), new_secret))
        }
        Rest::GetWebhook(_) => read(value).map(|it| RestResponse::Webhook(Box::new(it))),
        Rest::Ping(_) => read(value).map(|it| RestResponse::Ping(Box::new(it))),
        Rest::ListDeliveries(..) => read(value).map(RestResponse::Deliveries),
        Rest::GetDelivery(..) | Rest::Resend(..) => {
            read(value).map(|it| RestResponse::Delivery(Box::new(it)))
        }
        Rest::ListLogins(_) => read(value).map(|it| RestResponse::Logins(Box::new(it))),
        Rest::ReadClock | Rest::Advance(_) | Rest::StopClock => {
            read(value).map(|it| RestResponse::Clock(Box::new(it)))
        }
        Rest::ListRequests => read(value).map(|it| RestResponse::Requests(Box::new(it))),
        Rest::SetActive(..)
        | Rest::DeleteWebhook(_)
        | Rest::CreateLogin(_)
        | Rest::DeleteLogin(_)
        | Rest::GetEvent(_)
        | Rest::Example(_)
        | Rest::Fire(_) => Some(RestResponse::Done),
    }
}

fn read_sign_on(sent: &SignOnRequest, value: JsValue) -> Option<SignOnResponse> {
    match sent {
        SignOnRequest::Own => read(value).map(SignOnResponse::Own),
        SignOnRequest::Settings | SignOnRequest::Save(_) => {
            read(value).map(|it| SignOnResponse::Settings(Box::new(it)))
        }
        SignOnRequest::Leave(..) => {
            let url = Reflect::get(&value, &"url".into()).ok()?.as_string();
            url.map(SignOnResponse::Address)
        }
        SignOnRequest::Unlink
        | SignOnRequest::Remove
        | SignOnRequest::AddDomain(_)
        | SignOnRequest::Prove(_)
        | SignOnRequest::RemoveDomain(_) => Some(SignOnResponse::Done),
    }
}

fn read_site(sent: &SiteRequest, value: JsValue) -> Option<SiteResponse> {
    match sent {
        SiteRequest::List(_) => read(value).map(SiteResponse::List),
        SiteRequest::Templates => read::<Items<_>>(value).map(|it| SiteResponse::Templates(it.items)),
        SiteRequest::Get(_) | SiteRequest::Create(_) | SiteRequest::Update(..) | SiteRequest::Close(..) => {
            read(value).map(|it| SiteResponse::Site(Box::new(it)))
        }
        SiteRequest::Delete(_) => Some(SiteResponse::Done),
        SiteRequest::Answers(..) => read(value).map(SiteResponse::Answers),
    }
}

fn read_template(sent: &TemplateRequest, value: JsValue) -> Option<TemplateResponse> {
    match sent {
        TemplateRequest::List(kind, _) => {
            let page = match kind {
                TemplateKind::Link => read_page(value, AnyTemplate::Link),
                TemplateKind::Consent => read_page(value, AnyTemplate::Consent),
                TemplateKind::Invite => read_page(value, AnyTemplate::Invite),
            };
            page.map(TemplateResponse::List)
        }
        TemplateRequest::Consents => read::<Items<_>>(value).map(|it| TemplateResponse::Consents(it.items)),
        TemplateRequest::Providers => read::<Items<_>>(value).map(|it| TemplateResponse::Providers(it.items)),
        TemplateRequest::Get(key) | TemplateRequest::Update(key, ..) => {
            read_any(key.kind, value).map(|it| TemplateResponse::Template(Box::new(it)))
        }
        TemplateRequest::Create(kind, ..) => {
            read_any(*kind, value).map(|it| TemplateResponse::Template(Box::new(it)))
        }
        TemplateRequest::Delete(_) => Some(TemplateResponse::Done),
        TemplateRequest::Versions(key) => {
            let versions = match key.kind {
                TemplateKind::Link => read_versions(value, AnyTemplate::Link),
                TemplateKind::Consent => read_versions(value, AnyTemplate::Consent),
                TemplateKind::Invite => read_versions(value, AnyTemplate::Invite),
            };
            versions.map(TemplateResponse::Versions)
        }
    }
}

fn read_page<T: DeserializeOwned>(
    value: JsValue,
    wrap: fn(Box<T>) -> AnyTemplate,
) -> Option<Page<AnyTemplate>> {
    let page: Page<T> = read(value)?;
    let items = page.items.into_iter().map(|it| wrap(Box::new(it))).collect();
    Some(Page { items, next_cursor: page.next_cursor })
}

fn read_versions<T: DeserializeOwned>(
    value: JsValue,
    wrap: fn(Box<T>) -> AnyTemplate,
) -> Option<Vec<SavedVersion>> {
    let items: Items<TemplateVersion<T>> = read(value)?;
    let version = |it: TemplateVersion<T>| SavedVersion {
        version: it.version,
        saved_at: it.saved_at,
        template: wrap(Box::new(it.template)),
    };
    Some(items.items.into_iter().map(version).collect())
}

fn read_any(kind: TemplateKind, value: JsValue) -> Option<AnyTemplate> {
    match kind {
        TemplateKind::Link => read(value).map(|it| AnyTemplate::Link(Box::new(it))),
        TemplateKind::Consent => read(value).map(|it| AnyTemplate::Consent(Box::new(it))),
        TemplateKind::Invite => read(value).map(|it| AnyTemplate::Invite(Box::new(it))),
    }
}

fn read_inviting(sent: &InvitingRequest, value: JsValue) -> Option<InvitingResponse> {
    match sent {
        InvitingRequest::InviteTemplates => {
            read::<Items<_>>(value).map(|it| InvitingResponse::InviteTemplates(it.items))
        }
        InvitingRequest::LinkTemplates => {
            read::<Items<_>>(value).map(|it| InvitingResponse::LinkTemplates(it.items))
        }
        InvitingRequest::Sites => read::<Items<_>>(value).map(|it| InvitingResponse::Sites(it.items)),
        InvitingRequest::Check(_) | InvitingRequest::Run(..) => {
            read(value).map(|it| InvitingResponse::Result(Box::new(it)))
        }
    }
}

fn read_people(sent: &PeopleRequest, value: JsValue) -> Option<PeopleResponse> {
    match sent {
        PeopleRequest::Search(_) => read::<Items<_>>(value).map(|it| PeopleResponse::Found(it.items)),
        PeopleRequest::Get(_) => read(value).map(|it| PeopleResponse::Person(Box::new(it))),
        PeopleRequest::Mail(..) | PeopleRequest::Remove(_) => Some(PeopleResponse::Done),
    }
}

/// Waits for some milliseconds.
pub async fn wait(milliseconds: i32) {
    let timer = js_sys::Promise::new(&mut |resolve, _| {
        if let Some(window) = web_sys::window() {
            drop(window.set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, milliseconds));
        }
    });
    drop(JsFuture::from(timer).await);
}

/// Returns the value of a response, or null.
async fn value_of_response(response: &web_sys::Response) -> JsValue {
    JSON::parse(&text_of_response(response).await).unwrap_or(JsValue::NULL)
}

/// Returns the text of a response, or an empty one.
async fn text_of_response(response: &web_sys::Response) -> String {
    let Ok(text) = response.text() else { return String::new() };
    JsFuture::from(text).await.ok().and_then(|it| it.as_string()).unwrap_or_default()
}

fn read<T: DeserializeOwned>(value: JsValue) -> Option<T> {
    serde_wasm_bindgen::from_value(value).ok()
}

fn text_of(body: &Body<'_>, code: Option<&str>, secret: &str) -> Option<String> {
    #[derive(Serialize)]
    struct Code<'c> {
        code: &'c str,
    }
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct NewWebhook<'c> {
        url: &'c str,
        event_types: &'c [String],
        secret: &'c str,
    }
    #[derive(Serialize)]
    struct NewSecret<'c> {
        secret: &'c str,
    }
    #[derive(Serialize)]
    struct Search<'c> {
        find: &'c str,
    }
    #[derive(Serialize)]
    struct Email<'c> {
        email: &'c str,
    }
    match body {
        Body::None => None,
        Body::Email(email) => json(&Email { email }),
        Body::Search(find) => json(&Search { find }),
        Body::Code => json(&Code { code: code.unwrap_or_default() }),
        Body::Key(draft) => json(draft),
        Body::Rotation(rotation) => json(rotation),
        Body::Member(draft) => json(draft),
        Body::Role(change) => json(change),
        Body::NewWebhook(WebhookDraft { url, event_types }) => json(&NewWebhook { url, event_types, secret }),
        Body::NewSecret => json(&NewSecret { secret }),
        Body::Activity(activity) => json(activity),
        Body::Fired(fired) => json(fired),
        Body::Login(draft) => json(draft),
        Body::Advance(advance) => json(advance),
        Body::Passkey(response) => json(response),
        Body::Site(body) => json(&**body),
        Body::Template(body) => json(&**body),
        Body::InviteFile(body) => json(&**body),
        Body::SiteClosing(closing) => json(*closing),
    }
}

/// Returns a value as JSON text.
pub(crate) fn json<T: Serialize>(value: &T) -> Option<String> {
    // Maps are objects, and what is absent is null.
    let value = value.serialize(&Serializer::json_compatible()).ok()?;
    JSON::stringify(&value).ok()?.as_string()
}
