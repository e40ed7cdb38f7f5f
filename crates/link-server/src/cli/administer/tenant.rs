//! `linchpin tenant …`.

use clap::Subcommand;
use link_types::id::TenantId;

use super::{Asked, Shown};
use crate::admin::AdminRequest;

#[derive(Subcommand)]
pub(in crate::cli) enum Tenant {
    /// Make a tenant with templates of both environments and a sandbox key, whose secret is printed once.
    Create {
        /// Its id: 1 to 32 lower-case letters and digits.
        id: TenantId,
        /// Its name, as people who link accounts see it.
        #[arg(long)]
        name: String,
    },
    /// List the tenants.
    List,
}

impl Tenant {
    pub(super) fn request(self) -> Asked {
        match self {
            Self::Create { id, name } => (
                AdminRequest::CreateTenant { id, name },
                Shown::Lines {
                    parts: &[
                        ("tenant", "/tenantId"),
                        ("sandbox address", "/sandbox/baseUrl"),
                        ("sandbox key", "/sandbox/apiKey"),
                        ("sandbox secret", "/sandbox/apiSecret"),
                        ("sandbox link template", "/sandbox/linkTemplateId"),
                        ("production address", "/production/baseUrl"),
                        ("production link template", "/production/linkTemplateId"),
                    ],
                    advice: "Keep the secret: it is shown this once and stored nowhere. For a production key: \
                             `linchpin key create --tenant ID --environment production`.",
                },
            ),
            Self::List => (
                AdminRequest::ListTenants {},
                Shown::Table {
                    columns: &[("ID", "/id"), ("NAME", "/name"), ("CREATED", "/createdAt")],
                    empty: "There is no tenant: `linchpin tenant create ID --name NAME` makes one.",
                },
            ),
        }
    }
}
