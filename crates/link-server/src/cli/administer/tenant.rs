//! `linchpin tenant …`.

use clap::Subcommand;
use link_types::id::TenantId;

use super::service::Asked;
use super::shown::Shown;
use crate::admin::AdminRequest;

#[derive(Subcommand)]
pub(in crate::cli) enum Tenant {
    /// Create a tenant with link templates in both environments and a sandbox key. The secret is shown only once.
    Create {
        /// The tenant's id: 1 to 32 lower-case letters and digits.
        id: TenantId,
        /// The tenant's name. People who link accounts see it.
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
                    advice: "Save the secret now. It is shown only once. To create a production key, run \
                             `linchpin key create --tenant ID --environment production`.",
                },
            ),
            Self::List => (
                AdminRequest::ListTenants {},
                Shown::Table {
                    columns: &[("ID", "/id"), ("NAME", "/name"), ("CREATED", "/createdAt")],
                    empty: "No tenants. To create one, run `linchpin tenant create ID --name NAME`.",
                },
            ),
        }
    }
}
