//! Tests of the protocol against a stub connector.

mod catalogue;
mod documented;
mod faults;
mod inquiries;
mod messages;
mod stub;
mod tls;

use std::path::PathBuf;
use std::sync::Arc;

use link_domain::kernel::clock::{TenantTime, Wall};
use link_domain::kernel::owner::Owner;
use link_domain::kernel::system::BoxFuture;
use link_domain::kernel::system::{Clock, Entropy};
use link_domain::linking::account_source::Purpose;
use link_domain::linking::account_source::{
    AccountSource, Read, ReadRequest, SourceInput, SourceState, Step, StepRequest,
};
use link_domain::tenancy::logo::{EncodedLogo, LogoBounds};
use link_domain::tenancy::logo::{LogoEncoder, LogoError};
use link_types::record::RecordType;
use link_types::signal::SignalKind;
use link_types::{Mode, Sensitive};

use super::{ConnectorSettings, HttpSource, Serves};

/// The provider, secret, time and nonce of the examples in docs/how-to/connectors.md.
const PROVIDER: &str = "mx_aurora_portal";
const SECRET: &str = "an example secret, at least 32 characters long";
const SECONDS: i64 = 1_763_636_831;
const NONCE: &str = "0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f";

struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> Wall {
        Wall::from_micros(SECONDS * 1_000_000)
    }
}

struct Fixed;

impl Entropy for Fixed {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.fill(0x0f);
    }
}

/// The pixels that [`Encoder`] finds in every PNG file.
const PIXELS: &[u8] = b"only pixels";

/// Stands for the child process.
struct Encoder;

impl LogoEncoder for Encoder {
    fn encode(&self, file: Vec<u8>, _: LogoBounds) -> BoxFuture<'_, Result<EncodedLogo, LogoError>> {
        Box::pin(std::future::ready(match file.as_slice() {
            [0x89, b'P', b'N', b'G', ..] => Ok(EncodedLogo { png: PIXELS.to_vec(), width: 1, height: 1 }),
            b"later" => Err(LogoError::Unavailable),
            _ => Err(LogoError::Format),
        }))
    }
}

fn source(url: &str) -> HttpSource {
    source_with(url, None, None)
}

fn source_with(url: &str, ca_file: Option<PathBuf>, folder: Option<PathBuf>) -> HttpSource {
    let settings = ConnectorSettings {
        name: "aurora".to_owned(),
        url: url.to_owned(),
        serves: Serves {
            providers: vec![PROVIDER.parse().unwrap()],
            records: vec![RecordType::SocialSecurity],
            signals: vec![SignalKind::SocialSecuritySignals, SignalKind::Verification],
        },
        secret: Sensitive::new(SECRET),
        ca_file,
    };
    HttpSource::new(settings, folder, Arc::new(Stopped), Arc::new(Fixed), Arc::new(Encoder)).unwrap()
}

fn owner() -> Owner {
    Owner { tenant: "demo".parse().unwrap(), mode: Mode::Sandbox }
}

async fn step(source: &HttpSource, state: &str, input: SourceInput) -> Step {
    let (provider_id, state) = (PROVIDER.parse().unwrap(), SourceState::new(state));
    source
        .step(StepRequest { owner: &owner(), provider_id: &provider_id, state: &state, input: &input })
        .await
}

async fn read(source: &HttpSource, state: &str, last_read_at: Option<TenantTime>) -> Read {
    let purpose = if last_read_at.is_some() { Purpose::Sync } else { Purpose::SignIn };
    read_for(source, purpose, state, last_read_at).await
}

async fn read_for(
    source: &HttpSource,
    purpose: Purpose,
    state: &str,
    last_read_at: Option<TenantTime>,
) -> Read {
    let (provider_id, state) = (PROVIDER.parse().unwrap(), SourceState::new(state));
    let at = TenantTime::from_micros(SECONDS * 1_000_000);
    let (owner, provider_id, state) = (&owner(), &provider_id, &state);
    source.read(ReadRequest { owner, provider_id, state, purpose, at, last_read_at }).await
}
