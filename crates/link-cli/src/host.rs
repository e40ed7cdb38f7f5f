//! `linchpin host`: the own hosts of link sites.

use clap::{Args, Subcommand};
use hyper::Method;
use link_domain::kernel::domain_proof::check_domain;
use serde_json::{Value, json};

use crate::connection::Access;
use crate::failure::TenantCommandError;
use crate::rest::Rest;
use crate::shown::Shown;
use crate::terminal::{CommandError, say};

/// The path of the resource.
const HOSTS: &str = "/alpha/linkSiteHosts";

/// The arguments of `host`.
#[derive(Args)]
pub struct HostArgs {
    #[command(flatten)]
    access: Access,
    #[command(subcommand)]
    command: HostCommand,
}

#[derive(Subcommand)]
enum HostCommand {
    /// List your own hosts.
    List,
    /// Add a host, and print its records.
    Add {
        /// The host name, for example apply.shop.example.
        host: String,
    },
    /// Prove a host with its TXT record.
    Prove {
        /// The host name.
        host: String,
    },
    /// Delete a host that no link site has.
    Delete {
        /// The host name.
        host: String,
    },
}

const LIST: Shown = Shown::Table {
    columns: &[("HOST", "/host"), ("STATUS", "/status"), ("PROVEN", "/provenAt"), ("ID", "/id")],
    empty: "No hosts.",
};

const ADDED: Shown = Shown::Lines {
    parts: &[
        ("host", "/host"),
        ("TXT name", "/recordName"),
        ("TXT text", "/recordText"),
        ("CNAME", "/cnameTarget"),
    ],
    advice: "Create a TXT record with this name and text, and a CNAME record of the host. Then run `linchpin host prove HOST`.",
};

const ONE: Shown =
    Shown::Lines { parts: &[("host", "/host"), ("status", "/status"), ("proven", "/provenAt")], advice: "" };

impl HostArgs {
    pub(crate) fn run(self) -> Result<(), CommandError> {
        let Self { access, command } = self;
        let rest = access.connection.rest()?;
        match command {
            HostCommand::List => say(&access.show(&json!(list(&rest)?), &LIST)?),
            HostCommand::Add { host } => {
                say(&access.show(&rest.post(HOSTS, Some(&json!({"host": host})))?, &ADDED)?)
            }
            HostCommand::Prove { host } => {
                let path = format!("{}/prove", find(&rest, &host)?);
                say(&access.show(&rest.post(&path, None)?, &ONE)?)
            }
            HostCommand::Delete { host } => {
                rest.call_without_response((Method::DELETE, find(&rest, &host)?.as_str()))?;
                say(&access.show(&json!({"host": host, "status": "DELETED"}), &ONE)?)
            }
        }
    }
}

/// Returns the hosts. A tenant has few, so one page has them all.
fn list(rest: &Rest) -> Result<Vec<Value>, TenantCommandError> {
    let mut page = rest.get(HOSTS)?;
    Ok(page.get_mut("items").and_then(Value::as_array_mut).map(std::mem::take).unwrap_or_default())
}

/// Returns the path of a host, by its name or id. Names are stored as ASCII, also those in other letters.
fn find(rest: &Rest, host: &str) -> Result<String, TenantCommandError> {
    let hosts = list(rest)?;
    let name = check_domain(host).unwrap_or_else(|| host.to_owned());
    let found = hosts.iter().find(|it| it["host"] == *name || it["id"] == *host);
    let id = found.and_then(|it| it["id"].as_str());
    id.map(|it| format!("{HOSTS}/{it}")).ok_or_else(|| {
        TenantCommandError::Refused(
            "this environment has no such host. To see all, run `linchpin host list`".to_owned(),
        )
    })
}
