//! An API key that a member of the developer portal creates with a code that the command shows: the device flow of OAuth 2
//! (RFC 8628).

use std::time::{Duration, Instant};

use hyper::Method;
use link_connectors::rest::{RestBody, RestClient, RestRequest, RestResponse};
use link_types::Sensitive;
use link_types::problem::ProblemCode;
use serde::Deserialize;

use crate::address::PREFIXES;
use crate::connection::{ApiKey, Credentials};
use crate::failure::{self, CallError, TenantCommandError, plain};
use crate::rest::{REQUEST_TIMEOUT, USER_AGENT};

/// How long the program waits at most, also if the service names a longer time.
const MAX_WAIT: Duration = Duration::from_secs(30 * 60);
/// The longest time between two requests.
const MAX_INTERVAL: Duration = Duration::from_secs(60);
/// Seconds that `slow_down` adds to the interval (RFC 8628, section 3.5).
const SLOW_DOWN: Duration = Duration::from_secs(5);
const EXPIRED: &str = "The code has expired. Run `linchpin login` again. If a key was created with the code, revoke it in the portal";
const GRANT_TYPE: &str = "urn:ietf:params:oauth:grant-type:device_code";

/// The response to the request of a code.
#[derive(Deserialize)]
struct Authorization {
    device_code: Sensitive,
    user_code: String,
    verification_uri: String,
    expires_in: u64,
    #[serde(default = "default_interval")]
    interval: u64,
}

/// Returns the interval in seconds of a response without one (RFC 8628, section 3.2).
const fn default_interval() -> u64 {
    5
}

#[derive(Deserialize)]
struct Token {
    access_token: Sensitive,
    base_url: String,
    tenant: String,
    key_name: String,
}

#[derive(Deserialize)]
struct Refusal {
    error: String,
}

/// The state of the request after the program has asked for its key.
enum Asked {
    Granted(Token),
    Waiting,
    TooOften,
}

/// Shows a code by `say`, and waits until a member has created a key with it.
///
/// # Errors
/// [`TenantCommandError`] if the service has no portal, does not respond, or no member uses the code in time.
pub fn pair(base: &str, say: impl Fn(&str)) -> Result<Credentials, TenantCommandError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| TenantCommandError::Usage(error.to_string()))?;
    let prefix = PREFIXES.into_iter().find(|it| base.ends_with(it));
    let service = base.strip_suffix(prefix.unwrap_or_default()).unwrap_or(base).trim_end_matches('/');
    let environment = prefix.map(|it| if it == PREFIXES[0] { "sandbox" } else { "production" });
    let explain = |error: CallError| error.explain(service);
    runtime.block_on(async {
        let client = RestClient::new(USER_AGENT);
        let authorization = authorize(&client, service, environment).await.map_err(|error| {
            if let CallError::Refused { code: ProblemCode::MissingResource, .. } = error {
                return TenantCommandError::Usage(format!(
                    "{service} has no developer portal, or is older than this program. Create an API key with \
                     `linchpin key create` there, and use --api-key -"
                ));
            }
            explain(error)
        })?;
        let wait = Duration::from_secs(authorization.expires_in).min(MAX_WAIT);
        say(&format!(
            "Create an API key at  {}\nand type the code     {}\nWaiting for {} minutes ...",
            plain(&authorization.verification_uri),
            plain(&authorization.user_code),
            wait.as_secs().div_ceil(60),
        ));
        let end = Instant::now() + wait;
        let mut interval =
            Duration::from_secs(authorization.interval).clamp(Duration::from_secs(1), MAX_INTERVAL);
        while Instant::now() < end {
            tokio::time::sleep(interval).await;
            match ask(&client, service, &authorization.device_code).await {
                Ok(Asked::Granted(token)) => {
                    say(&format!("The key {} is of {}.", plain(&token.key_name), plain(&token.tenant)));
                    return credentials(service, &token);
                }
                Ok(Asked::Waiting) => {}
                Ok(Asked::TooOften) | Err(CallError::Busy { .. }) => {
                    interval = (interval + SLOW_DOWN).min(MAX_INTERVAL);
                }
                Err(CallError::Refused { detail, .. }) => return Err(TenantCommandError::Refused(detail)),
                Err(error) if error.is_temporary() => {}
                Err(error) => return Err(explain(error)),
            }
        }
        Err(TenantCommandError::Refused(EXPIRED.to_owned()))
    })
}

async fn authorize(
    client: &RestClient,
    service: &str,
    environment: Option<&str>,
) -> Result<Authorization, CallError> {
    let mut fields = vec![("client_id", "linchpin-cli")];
    fields.extend(environment.map(|it| ("environment", it)));
    let response = post(client, &format!("{service}/device/authorization"), &fields).await?;
    if response.status != 200 {
        return Err(failure::read(response.status, &response.body, response.retry_after, response.location));
    }
    serde_json::from_slice(&response.body).map_err(|_| CallError::Foreign { status: 200 })
}

async fn ask(client: &RestClient, service: &str, device_code: &Sensitive) -> Result<Asked, CallError> {
    let fields =
        [("client_id", "linchpin-cli"), ("grant_type", GRANT_TYPE), ("device_code", device_code.expose())];
    let response = post(client, &format!("{service}/device/token"), &fields).await?;
    let status = response.status;
    if status == 200 {
        let token = serde_json::from_slice(&response.body);
        return token.map(Asked::Granted).map_err(|_| CallError::Foreign { status });
    }
    let refusal = serde_json::from_slice::<Refusal>(&response.body).ok().filter(|_| status == 400);
    let Some(refusal) = refusal else {
        return Err(failure::read(status, &response.body, response.retry_after, response.location));
    };
    match refusal.error.as_str() {
        "authorization_pending" => Ok(Asked::Waiting),
        "slow_down" => Ok(Asked::TooOften),
        error => {
            let why = match error {
                "expired_token" => EXPIRED,
                "access_denied" => "The key that was created does not work. Run `linchpin login` again",
                _ => "The service does not give a key. Run `linchpin login` again",
            };
            Err(CallError::Refused {
                code: ProblemCode::Unauthorized,
                detail: why.to_owned(),
                fields: Vec::new(),
            })
        }
    }
}

async fn post(client: &RestClient, url: &str, fields: &[(&str, &str)]) -> Result<RestResponse, CallError> {
    let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    let request = RestRequest {
        method: Method::POST,
        url,
        authorization: None,
        body: Some(RestBody::Form(form.into_bytes())),
        timeout: REQUEST_TIMEOUT,
    };
    client.send(request).await.map_err(CallError::Unreached)
}

/// Returns the key with the address that the person wrote, and the environment that the member chose.
fn credentials(service: &str, token: &Token) -> Result<Credentials, TenantCommandError> {
    let key = ApiKey::parse(token.access_token.expose(), "the response of the service")?;
    let prefix = PREFIXES.into_iter().find(|it| token.base_url.ends_with(it)).unwrap_or_default();
    Ok(Credentials { base: format!("{service}{prefix}"), key })
}
