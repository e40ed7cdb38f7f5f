//! `linchpin cells map`: what a proxy in front of several cells needs to know of one of them.

use std::str::FromStr;

use clap::Subcommand;
use link_cli::terminal::{CommandError, say};
use link_domain::tenancy::route_code::RouteCode;
use link_types::id::TenantId;
use serde_json::{Value, json};

use super::service::Service;
use crate::admin::AdminRequest;

#[derive(Subcommand)]
pub(in crate::cli) enum Cells {
    /// Print a line for each tenant of this cell, as HAProxy's maps have them: the tenant's route code and the cell's name.
    Map {
        /// Name of this cell, which is also that of its backend in HAProxy: 1 to 32 lower-case letters, digits and hyphens.
        cell: CellName,
    },
}

/// Name of a cell: 1 to 32 lower-case letters, digits and hyphens.
#[derive(Clone, Debug)]
pub(in crate::cli) struct CellName(String);

/// Error for a text that is not the name of a cell.
#[derive(Debug, thiserror::Error)]
#[error("expected 1 to 32 lower-case letters, digits and hyphens")]
pub(in crate::cli) struct CellNameError;

impl FromStr for CellName {
    type Err = CellNameError;

    fn from_str(text: &str) -> Result<Self, CellNameError> {
        let fits = |it: u8| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-';
        let is_name = (1..=32).contains(&text.len()) && text.bytes().all(fits);
        is_name.then(|| Self(text.to_owned())).ok_or(CellNameError)
    }
}

impl Cells {
    pub(super) fn run(self, service: &Service) -> Result<(), CommandError> {
        let Self::Map { cell: CellName(cell) } = self;
        let lines = lines(&service.ask(&AdminRequest::ListTenants {})?)?;
        if service.json {
            let shown =
                lines.iter().map(|(tenant, code)| json!({"tenant": tenant, "code": code, "cell": cell}));
            return say(&serde_json::to_string_pretty(&shown.collect::<Vec<_>>())?);
        }
        // An empty map is a file without a line, not with an empty one.
        lines.iter().try_for_each(|(_, code)| say(&format!("{code} {cell}")))
    }
}

/// Returns the tenants whose requests this cell must get, with their codes.
fn lines(tenants: &Value) -> Result<Vec<(TenantId, String)>, CommandError> {
    let routed = tenants.as_array().into_iter().flatten().filter(|it| it["isRouted"] == true);
    let line = |tenant: &Value| -> Result<_, CommandError> {
        let id: TenantId = tenant["id"].as_str().unwrap_or_default().parse()?;
        let code = RouteCode::of_tenant(&id).to_string();
        Ok((id, code))
    };
    routed.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_has_every_tenant_that_is_routed_to_the_cell() {
        let tenant = |id: &str, is_routed: bool| json!({"id": id, "isRouted": is_routed});
        let tenants = json!([tenant("demo", true), tenant("lark", false), tenant("acme", true)]);
        let found: Vec<String> = lines(&tenants).unwrap().iter().map(|it| it.0.to_string()).collect();
        assert_eq!(found, ["demo", "acme"]);
        assert_eq!(lines(&tenants).unwrap()[0].1, "2a97516c35");
    }

    #[test]
    fn cell_name_cannot_break_a_line_of_the_map() {
        for name in ["c1", "eu-west-1"] {
            assert!(name.parse::<CellName>().is_ok(), "{name}");
        }
        for name in ["", "c 1", "c1\nfeed c2", "C1", "%[src]", &"c".repeat(33)] {
            assert!(name.parse::<CellName>().is_err(), "{name}");
        }
    }
}
