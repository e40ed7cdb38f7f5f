//! `linchpin login` and `linchpin logout`.

use std::io::{IsTerminal as _, Read as _};

use clap::Args;
use hyper::Method;
use link_types::problem::ProblemCode;
use serde_json::{Value, json};

use crate::address::{self, PREFIXES};
use crate::connection::{ApiKey, Credentials, URL_VARIABLE};
use crate::device;
use crate::failure::{CallError, TenantCommandError};
use crate::profiles::{self, DEFAULT_PROFILE, Profile};
use crate::rest::Rest;
use crate::terminal::{CommandError, say, say_aside};

/// The arguments of `login`.
#[derive(Args)]
pub struct LoginArgs {
    /// Address of the service, for example `https://link.example.com/sandbox/v1`. Without a path, the environment of the key
    /// is found out.
    #[arg(long)]
    url: Option<String>,
    /// The API key and its secret, as KEY:SECRET, or - to type them or read them from standard input. Without it, on a
    /// terminal, a member of the developer portal creates the key with a code that the command shows.
    #[arg(long, value_name = "KEY:SECRET")]
    api_key: Option<String>,
    /// Show a code also if the standard input is not a terminal.
    #[arg(long, conflicts_with = "api_key")]
    code: bool,
    /// The name under which to store them.
    #[arg(long, value_parser = profiles::name, default_value = DEFAULT_PROFILE)]
    profile: String,
    /// Print JSON, for programs.
    #[arg(long)]
    json: bool,
}

/// The arguments of `logout`.
#[derive(Args)]
pub struct LogoutArgs {
    /// The profile to remove.
    #[arg(long, value_parser = profiles::name, default_value = DEFAULT_PROFILE)]
    profile: String,
}

impl LoginArgs {
    pub(crate) fn run(self) -> Result<(), CommandError> {
        let of_environment = || std::env::var(URL_VARIABLE).ok().filter(|it| !it.is_empty());
        let given = self.url.map(|it| (it, "--url")).or_else(|| Some((of_environment()?, URL_VARIABLE)));
        let (url, given_as) = given.ok_or_else(|| {
            TenantCommandError::Usage(
                "--url is missing. Name your service, like `linchpin login --url https://link.example.com/sandbox/v1`"
                    .to_owned(),
            )
        })?;
        let base = address::check(&url, given_as)?;
        let is_terminal = std::io::stdin().is_terminal();
        let key = match self.api_key.as_deref() {
            Some("-") if is_terminal => ApiKey::parse(&ask()?, "the text")?,
            Some("-") => ApiKey::parse(&read_input()?, "the text on standard input")?,
            Some(text) => ApiKey::parse(text, "--api-key")?,
            None if is_terminal || self.code => {
                profiles::check_folder(&self.profile)?;
                let credentials = device::pair(&base, say_aside)?;
                return store(&self.profile, &credentials, self.json);
            }
            None => ApiKey::parse(&read_input()?, "the text on standard input")?,
        };
        store(&self.profile, &find_environment(base, &key)?, self.json)
    }
}

/// Stores the profile, and says where.
fn store(profile: &str, credentials: &Credentials, is_json: bool) -> Result<(), CommandError> {
    let (api_key, api_secret) = credentials.key.parts();
    let stored = Profile {
        url: credentials.base.clone(),
        api_key: api_key.to_owned(),
        api_secret: api_secret.expose().to_owned(),
    };
    let path = profiles::write_profile(profile, &stored)?.display().to_string();
    say(&if is_json {
        json!({"profile": profile, "url": credentials.base, "file": path}).to_string()
    } else {
        format!("profile  {profile}\nurl      {}\nstored   {path}", credentials.base)
    })
}

impl LogoutArgs {
    pub(crate) fn run(self) -> Result<(), CommandError> {
        let Self { profile } = self;
        if !profiles::delete_profile(&profile)? {
            let known = profiles::profile_names();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(TenantCommandError::Usage(format!(
                "the profile {profile} does not exist. Stored profiles: {known}"
            ))
            .into());
        }
        say(&format!(
            "Removed the API key of the profile {profile}. It still works: to end it, revoke it in the portal."
        ))
    }
}

/// Sends one request, to check the key. Without a path, tries the sandbox and then production.
fn find_environment(base: String, key: &ApiKey) -> Result<Credentials, TenantCommandError> {
    let is_origin = address::is_origin(&base);
    let bases =
        if is_origin { PREFIXES.map(|it| format!("{base}{it}")).to_vec() } else { vec![base.clone()] };
    for candidate in bases {
        let credentials = Credentials { base: candidate, key: key.clone() };
        let rest = Rest::new(&credentials)?;
        match rest.call::<Value>((Method::GET, "/events?size=1"), None, std::time::Duration::ZERO) {
            Ok(_) => return Ok(credentials),
            Err(CallError::Refused { code: ProblemCode::Unauthorized, .. }) if is_origin => {}
            Err(error) => return Err(error.explain(&credentials.base)),
        }
    }
    Err(TenantCommandError::Credentials(format!(
        "{base} accepts the API key neither for the sandbox nor for production. Check the key and its secret"
    )))
}

fn read_input() -> Result<String, TenantCommandError> {
    /// A key and its secret have 153 characters.
    const MAX_INPUT: u64 = 4_096;
    let mut text = String::new();
    let read = std::io::stdin().lock().take(MAX_INPUT).read_to_string(&mut text);
    read.map_err(|error| TenantCommandError::Usage(format!("cannot read standard input ({error})")))?;
    Ok(text)
}

/// Asks for the key, without showing what is typed.
fn ask() -> Result<String, TenantCommandError> {
    say_aside("API key and secret (KEY:SECRET), not shown while you type or paste:");
    // It switches the echo on again before Ctrl-C ends the process.
    rpassword::read_password()
        .map_err(|error| TenantCommandError::Usage(format!("cannot read the terminal ({error})")))
}
