//! `/console/api/passkeys`: lists, adds and removes the member's own passkeys. `/console/api/session/passkey` and
//! `/console/api/session/confirmation` use one: to sign in, and to confirm an act.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use link_domain::console::passkey::{
    Credential, OpenedChallenge, Passkey, PasskeyError, Purpose, open_challenge, sign_challenge,
};
use link_domain::kernel::clock::ClockOffset;
use link_domain::kernel::digest::{Digest32, hex};
use link_store::{Label, StoreError};
use link_types::console::{self, Items, PasskeyChallenge, PasskeyResponse};
use link_types::id::MemberId;
use link_types::problem::{FaultCode, ProblemCode};
use serde::Serialize;
use serde::de::DeserializeOwned;
use url::{Host, Url};
use webauthn_rs::prelude::{
    AuthenticationResult, DiscoverableAuthentication, Passkey as Key, PasskeyRegistration,
    PublicKeyCredential, RegisterPublicKeyCredential, Uuid, WebauthnError,
};
use webauthn_rs::{Webauthn, WebauthnBuilder};

use super::body::ConsoleBody;
use super::caller::ConsoleCaller;
use super::cookie::secret_hash;
use super::required_provider::check_way;
use super::session::{SigningIn, agent_of, end_presented, respond_signed_in};
use crate::app::App;
use crate::http::audit::AuditSlot;
use crate::http::problem::{ApiResult, Problem};

/// Returns the library for the portal's address. `None` if browsers do not create passkeys for it.
fn webauthn(console_url: &str) -> Option<Webauthn> {
    let url = Url::parse(console_url).ok()?;
    let Some(Host::Domain(domain)) = url.host() else { return None };
    WebauthnBuilder::new(domain, &url).ok()?.rp_name("Linchpin").build().ok()
}

/// Returns whether browsers create passkeys for the portal's address.
pub(super) fn are_possible(console_url: &str) -> bool {
    webauthn(console_url).is_some()
}

fn library(app: &App) -> ApiResult<Webauthn> {
    webauthn(&app.settings.console_url).ok_or_else(|| {
        Problem::conflict("Browsers create passkeys only for a host name. Start the service with a `--console-url` that has one.")
    })
}

/// Lists the member's passkeys, oldest first.
pub(super) async fn list(
    State(app): State<App>,
    caller: ConsoleCaller,
) -> ApiResult<Json<Items<console::Passkey>>> {
    let member = caller.member.id;
    let found = app.store.read(move |reader| reader.console_passkeys().of_member(&member)).await?;
    Ok(Json(Items { items: found.iter().map(Passkey::view).collect() }))
}

/// Returns a challenge for a new passkey.
pub(super) async fn challenge_to_add(
    State(app): State<App>,
    caller: ConsoleCaller,
) -> ApiResult<(StatusCode, Json<PasskeyChallenge>)> {
    let library = library(&app)?;
    let member = caller.member;
    let id = member.id.clone();
    let (existing, key) = app
        .store
        .read(move |reader| {
            let existing = reader.console_passkeys().of_member(&id)?;
            Ok::<_, StoreError>((existing, reader.derive_key(Label::Confirmation)))
        })
        .await?;
    let known = existing.iter().filter_map(|it| key_of(it).ok()).map(|it| it.cred_id().clone()).collect();
    let (email, name) = (member.email.expose(), member.name.expose());
    let (options, state) = library
        .start_passkey_registration(handle_of(&member.id), email, name, Some(known))
        .map_err(Problem::system)?;
    let mut options = serde_json::to_value(options.public_key).map_err(Problem::system)?;
    // The member signs in without typing an address, so the authenticator must keep the passkey.
    options["authenticatorSelection"]["residentKey"] = "required".into();
    options["authenticatorSelection"]["requireResidentKey"] = true.into();
    Ok((StatusCode::CREATED, Json(sign(&app, &key, &Purpose::Add(member.id), &options, &state)?)))
}

/// Adds a passkey of the member.
pub(super) async fn add(
    State(app): State<App>,
    caller: ConsoleCaller,
    headers: HeaderMap,
    ConsoleBody(body): ConsoleBody<PasskeyResponse>,
) -> ApiResult<(StatusCode, Json<console::Passkey>)> {
    let library = library(&app)?;
    let purpose = Purpose::Add(caller.member.id.clone());
    let (challenge, state): (_, PasskeyRegistration) = open(&app, &purpose, &body).await?;
    let response: RegisterPublicKeyCredential = credential_of(&body)?;
    let key = library.finish_passkey_registration(&response, &state).map_err(|it| to_problem(&it))?;
    let credential = Credential { hash: hash_of(key.cred_id()), bytes: serialize(&key)? };
    let context = app.context(ClockOffset::default());
    let agent = agent_of(&headers);
    let added = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            caller.check_again(tx, context.now().wall())?;
            if !tx.console_passkeys().use_challenge(&challenge)? {
                return Err(stale());
            }
            if tx.console_passkeys().by_credential(&credential.hash)?.is_some() {
                return Err(Problem::conflict(EXISTS));
            }
            let existing = tx.console_passkeys().of_member(&caller.member.id)?;
            let (passkey, change) =
                Passkey::add(&caller.session, credential.clone(), &agent, &existing, &mut context)?;
            tx.apply(&change, context.now())?;
            Ok(passkey)
        })
        .await?;
    Ok((StatusCode::CREATED, Json(added.view())))
}

/// Removes a passkey of the member.
pub(super) async fn remove(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: ConsoleCaller,
) -> ApiResult<StatusCode> {
    let now = app.now(ClockOffset::default());
    app.store
        .write(move |tx| -> ApiResult<_> {
            caller.check_again(tx, now.wall())?;
            let own = tx.console_passkeys().of_member(&caller.member.id)?;
            let found = own.into_iter().find(|it| it.id.as_str() == id).ok_or_else(Problem::missing)?;
            Ok(tx.apply(&found.remove(), now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns a challenge that any passkey may sign.
pub(super) async fn challenge_to_use(
    State(app): State<App>,
    SigningIn(_): SigningIn,
) -> ApiResult<(StatusCode, Json<PasskeyChallenge>)> {
    let library = library(&app)?;
    let key = app.store.read(|reader| Ok::<_, StoreError>(reader.derive_key(Label::Confirmation))).await?;
    let (options, state) = library.start_discoverable_authentication().map_err(Problem::system)?;
    Ok((StatusCode::CREATED, Json(sign(&app, &key, &Purpose::Use, &options.public_key, &state)?)))
}

/// Signs a member in with a passkey. The session of the request's cookie ends.
pub(super) async fn sign_in(
    State(app): State<App>,
    SigningIn(network): SigningIn,
    audit: AuditSlot,
    headers: HeaderMap,
    ConsoleBody(body): ConsoleBody<PasskeyResponse>,
) -> ApiResult<Response> {
    let presented = secret_hash(&app, &headers);
    let used = match Used::verify(&app, &body).await {
        Ok(used) => used,
        Err(problem) => return Err(network.count_refusal(&app, problem)),
    };
    let context = app.context(ClockOffset::default());
    let agent = agent_of(&headers);
    let signed_in = app
        .store
        .write(move |tx| -> ApiResult<_> {
            let mut context = context.clone();
            let Some(tenant) = tx.tenants().get(&used.passkey.tenant)? else { return Ok(None) };
            tenant.check_active()?;
            let Some(passkey) = tx.console_passkeys().by_credential(&used.passkey.credential_hash)? else {
                return Ok(None);
            };
            let Some(member) = tx.console_members().get(&passkey.member_id)? else { return Ok(None) };
            if !tx.console_passkeys().use_challenge(&used.challenge)? {
                return Ok(None);
            }
            check_way(tx, &member)?;
            let replaced = end_presented(tx, presented.as_ref())?;
            let (session, secret, mut change) =
                passkey.sign_in(&member, used.credential.clone(), &agent, &mut context);
            change.deletions.extend(replaced);
            tx.apply(&change, context.now())?;
            Ok(Some((session, secret, member, tenant)))
        })
        .await?;
    respond_signed_in(&app, &audit, signed_in.ok_or_else(|| network.count_refusal(&app, unknown_passkey()))?)
}

/// Confirms with a passkey that the member of the session is there.
pub(super) async fn confirm(
    State(app): State<App>,
    caller: ConsoleCaller,
    ConsoleBody(body): ConsoleBody<PasskeyResponse>,
) -> ApiResult<Response> {
    let used = Used::verify(&app, &body).await?;
    let now = app.now(ClockOffset::default());
    app.store
        .write(move |tx| -> ApiResult<_> {
            caller.check_again(tx, now.wall())?;
            let passkey = tx.console_passkeys().by_credential(&used.passkey.credential_hash)?;
            let passkey = passkey.ok_or_else(unknown_passkey)?;
            let confirmed = passkey.confirm(caller.session.clone(), used.credential.clone(), now.wall());
            let (session, change) = confirmed.ok_or_else(|| Problem::conflict(ANOTHERS))?;
            if !tx.console_passkeys().use_challenge(&used.challenge)? {
                return Err(stale());
            }
            tx.console_sessions().set_confirmed(&session)?;
            Ok(tx.apply(&change, now)?)
        })
        .await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// A verified use of a passkey.
#[derive(Clone)]
struct Used {
    passkey: Passkey,
    /// The credential after its use.
    credential: Vec<u8>,
    challenge: OpenedChallenge,
}

impl Used {
    async fn verify(app: &App, body: &PasskeyResponse) -> ApiResult<Self> {
        let library = library(app)?;
        let (challenge, state): (_, DiscoverableAuthentication) = open(app, &Purpose::Use, body).await?;
        let response: PublicKeyCredential = credential_of(body)?;
        let (handle, id) =
            library.identify_discoverable_authentication(&response).map_err(|it| to_problem(&it))?;
        let hash = hash_of(id);
        let found = app.store.read(move |reader| reader.console_passkeys().by_credential(&hash)).await?;
        let passkey = found.filter(|it| handle_of(&it.member_id) == handle).ok_or_else(unknown_passkey)?;
        let mut key = key_of(&passkey)?;
        let result: AuthenticationResult = library
            .finish_discoverable_authentication_v2(&response, state, &key)
            .map_err(|it| to_problem(&it))?;
        key.update_credential(&result);
        Ok(Self { passkey, credential: serialize(&key)?, challenge })
    }
}

/// Returns the user handle of a member: browsers show one passkey for each.
fn handle_of(member: &MemberId) -> Uuid {
    let digest = Digest32::from_text(member.as_str());
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest.as_bytes()[..16]);
    Uuid::from_bytes(bytes)
}

fn hash_of(credential_id: &[u8]) -> Digest32 {
    Digest32::from_text(&hex(credential_id))
}

fn key_of(passkey: &Passkey) -> ApiResult<Key> {
    serde_json::from_slice(&passkey.credential).map_err(Problem::system)
}

fn serialize(key: &Key) -> ApiResult<Vec<u8>> {
    serde_json::to_vec(key).map_err(Problem::system)
}

fn sign(
    app: &App,
    key: &[u8; 32],
    purpose: &Purpose,
    options: &impl Serialize,
    state: &impl Serialize,
) -> ApiResult<PasskeyChallenge> {
    let state = serde_json::to_vec(state).map_err(Problem::system)?;
    Ok(PasskeyChallenge {
        challenge: sign_challenge(key, purpose, &state, app.wall()),
        options: serde_json::to_string(options).map_err(Problem::system)?,
    })
}

async fn open<S: DeserializeOwned>(
    app: &App,
    purpose: &Purpose,
    body: &PasskeyResponse,
) -> ApiResult<(OpenedChallenge, S)> {
    let key = app.store.read(|reader| Ok::<_, StoreError>(reader.derive_key(Label::Confirmation))).await?;
    let challenge = open_challenge(&key, purpose, &body.challenge, app.wall()).ok_or_else(stale)?;
    let state = serde_json::from_slice(&challenge.state).map_err(Problem::system)?;
    Ok((challenge, state))
}

fn credential_of<T: DeserializeOwned>(body: &PasskeyResponse) -> ApiResult<T> {
    serde_json::from_str(&body.credential)
        .map_err(|_| Problem::invalid_field("credential", FaultCode::Invalid, "a credential as JSON"))
}

const EXISTS: &str = "This passkey was added before.";
const ANOTHERS: &str = "This passkey is another member's. Use one of yours.";

fn unknown_passkey() -> Problem {
    Problem::conflict("This passkey is not known here. Use another one, or sign in with a one-time address.")
}

fn stale() -> Problem {
    Problem::conflict("The request for the passkey has expired, or was used. Try again.")
}

fn to_problem(error: &WebauthnError) -> Problem {
    // The library's words are for developers, and contain nothing about the person.
    tracing::info!(%error, "A passkey was refused");
    Problem::new(ProblemCode::Unauthorized, "The passkey could not be verified. Try again.")
        .with_status(StatusCode::CONFLICT)
}

impl From<PasskeyError> for Problem {
    fn from(error: PasskeyError) -> Self {
        match error {
            PasskeyError::Exists => Self::conflict(EXISTS),
            PasskeyError::Limit => {
                Self::conflict("You have the maximum number of passkeys. Remove one first.")
            }
        }
    }
}

/// Returns the response to an act that needs a confirmation (RFC 9470, with 403 as the session is valid).
pub(super) fn confirmation_required() -> Problem {
    let challenge = header::HeaderValue::from_static(
        "Bearer realm=\"linchpin console\", error=\"insufficient_user_authentication\", max_age=600",
    );
    super::refusal::forbidden_problem(
        "Confirm that it is you, with a passkey or by signing in with a one-time address.",
    )
    .with_header(header::WWW_AUTHENTICATE, challenge)
}

#[cfg(test)]
mod tests {
    use super::are_possible;

    #[rstest::rstest]
    #[case("https://console.linchpin.example", true)]
    #[case("http://localhost:8787", true)]
    #[case("http://127.0.0.1:8787", false)]
    #[case("http://[::1]:8787", false)]
    fn passkeys_need_a_host_name(#[case] console_url: &str, #[case] expected: bool) {
        assert_eq!(are_possible(console_url), expected);
    }
}
