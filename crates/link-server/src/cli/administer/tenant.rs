//! `linchpin tenant …`, `key …`, `template …` and `clock …`.

use std::path::PathBuf;

use clap::Subcommand;
use link_types::console::{KeyDraft, KeyScope};
use link_types::id::{LinkTemplateId, TenantId};

use super::service::{Asked, OwnerArgs};
use crate::admin::AdminRequest;
use crate::admin::moves::REST_SECONDS;
use link_cli::shown::Shown;
use link_cli::terminal::read_code;

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
    /// Stop everything of a tenant except erasures. Keep its data.
    Suspend {
        /// The tenant's id.
        id: TenantId,
    },
    /// Let a suspended tenant work again, or undo a deletion within 7 days.
    Resume {
        /// The tenant's id.
        id: TenantId,
    },
    /// Stop everything of a tenant, and erase all its data after 7 days. Keep its audit log and its bill.
    Delete {
        /// The tenant's id.
        id: TenantId,
        /// The tenant's name, so that no other tenant is deleted by mistake.
        #[arg(long)]
        name: String,
        /// Erase the data at once. This cannot be undone.
        #[arg(long)]
        now: bool,
        /// Another cell has a copy of the data and serves the tenant: erase at once, and do not end accesses at providers.
        #[arg(long)]
        moved: bool,
        /// The tenant was exported, and the other cell has imported it: asks for the code of `linchpin import-tenant`, and prints
        /// the code that activates the tenant there.
        #[arg(long, requires = "moved")]
        imported: bool,
        /// File with the code, or `-` for standard input.
        #[arg(long, value_name = "FILE", requires = "imported")]
        code_file: Option<PathBuf>,
    },
    /// Stop all of a suspended tenant, also erasures, and write it to a file for another cell. Prints the code of the file.
    Export {
        /// The tenant's id.
        id: TenantId,
        /// File to write. It must not exist. It opens with the code: delete it after the move.
        file: PathBuf,
        /// How long the tenant must have been suspended. Less is safe only if no request can be under way.
        #[arg(long, value_name = "SECONDS", default_value_t = REST_SECONDS)]
        rest_seconds: u64,
        /// The tenant was exported before: make that export void. A cell that imported it can never take the tenant again.
        #[arg(long)]
        again: bool,
    },
    /// Let a tenant work that was imported with `linchpin import-tenant`. Asks for the code of `linchpin tenant delete --moved
    /// --imported` in the cell that it left.
    Activate {
        /// The tenant's id.
        id: TenantId,
        /// File with the code, or `-` for standard input.
        #[arg(long, value_name = "FILE")]
        code_file: Option<PathBuf>,
    },
    /// Confirm that a host is a tenant's, if no TXT record can prove it. Link sites of the tenant can then have it.
    ConfirmHost {
        #[command(flatten)]
        owner: OwnerArgs,
        /// The host name, for example `apply.shop.example`.
        host: String,
    },
}

const STANDING: &[(&str, &str)] =
    &[("tenant", "/id"), ("state", "/state"), ("since", "/since"), ("erased at", "/eraseAt")];

const DELETED: &[(&str, &str)] = &[
    ("tenant", "/id"),
    ("state", "/state"),
    ("since", "/since"),
    ("erased at", "/eraseAt"),
    ("activation code", "/activationCode"),
];
const EXPORTED: &[(&str, &str)] = &[
    ("tenant", "/id"),
    ("export", "/file"),
    ("bytes", "/bytes"),
    ("rows", "/rows"),
    ("pieces of files", "/files"),
    ("seconds", "/seconds"),
    ("code", "/code"),
];

impl Tenant {
    /// Returns the request. The file of an export is named from the root, because the service has another working folder.
    pub(super) fn request(self) -> std::io::Result<Asked> {
        Ok(match self {
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
                    columns: &[
                        ("ID", "/id"),
                        ("NAME", "/name"),
                        ("CREATED", "/createdAt"),
                        ("STATE", "/state"),
                        ("SINCE", "/since"),
                    ],
                    empty: "No tenants. To create one, run `linchpin tenant create ID --name NAME`.",
                },
            ),
            Self::Suspend { id } => (
                AdminRequest::SuspendTenant { tenant: id },
                Shown::Lines { parts: STANDING, advice: "To undo this, run `linchpin tenant resume ID`." },
            ),
            Self::Resume { id } => {
                (AdminRequest::ResumeTenant { tenant: id }, Shown::Lines { parts: STANDING, advice: "" })
            }
            Self::Delete { id, name, now, moved, imported, code_file } => {
                let ask = || read_code(code_file.as_deref(), "Code of the import");
                let code = imported.then(ask).transpose()?;
                let advice = match (now || moved, imported) {
                    (_, true) => {
                        "The erasure has begun. Run `linchpin tenant activate ID` in the other cell, which asks for the code."
                    }
                    (true, false) => "The erasure has begun. `linchpin tenant list` shows when it is done.",
                    (false, false) => "Until then, `linchpin tenant resume ID` undoes this.",
                };
                (
                    AdminRequest::DeleteTenant { tenant: id, name, now, moved, imported: code },
                    Shown::Lines { parts: DELETED, advice },
                )
            }
            Self::Export { id, file, rest_seconds, again } => (
                AdminRequest::ExportTenant {
                    tenant: id,
                    file: std::path::absolute(file)?,
                    rest_seconds,
                    again,
                },
                Shown::Lines {
                    parts: EXPORTED,
                    advice: "Keep the code apart from the file. In the other cell, run `linchpin import-tenant FILE`, which asks for it.",
                },
            ),
            Self::Activate { id, code_file } => (
                AdminRequest::ActivateTenant {
                    tenant: id,
                    code: read_code(code_file.as_deref(), "Code of the activation")?,
                },
                Shown::Lines {
                    parts: STANDING,
                    advice: "Make the proxy's map again, and delete the export.",
                },
            ),
            Self::ConfirmHost { owner, host } => {
                let (tenant, mode) = owner.parts();
                let advice = "Link sites of the tenant can have this host.";
                let shown = Shown::Lines { parts: &[("host", "/host")], advice };
                (AdminRequest::ConfirmSiteHost { tenant, mode, host }, shown)
            }
        })
    }
}

#[derive(Subcommand)]
pub(in crate::cli) enum Key {
    /// Create a key and print its secret, which is shown only once.
    Create {
        #[command(flatten)]
        owner: OwnerArgs,
        /// The key's name, for example the program that uses it.
        #[arg(long, default_value = "", hide_default_value = true)]
        name: String,
        /// Scope of the key: READ, WRITE or WEBHOOKS. Repeat the flag for several scopes. WRITE includes the others.
        #[arg(long = "scope", value_name = "SCOPE", default_value = "WRITE")]
        scopes: Vec<KeyScope>,
        /// Number of days after which the key stops working. Without the flag, it does not expire.
        #[arg(long, value_name = "DAYS")]
        expires_in_days: Option<u32>,
    },
    /// List the keys of an environment, including revoked ones.
    List(OwnerArgs),
    /// Add a second secret to a key and print it, which is shown only once. Both work until the rotation ends.
    Rotate {
        /// The key (`lpk_…`) or its id.
        key: String,
        /// End the rotation: only the newest secret works from now on.
        #[arg(long)]
        end: bool,
        /// Replace the newest secret if it was lost. The previous secret still works.
        #[arg(long, conflicts_with = "end")]
        again: bool,
    },
    /// Revoke a key immediately, on every node.
    Revoke {
        /// The key (`lpk_…`) or its id.
        key: String,
    },
}

const STATE: &[(&str, &str)] = &[("key", "/id"), ("state", "/state"), ("revoked", "/revokedAt")];

impl Key {
    pub(super) fn request(self) -> Asked {
        match self {
            Self::Create { owner, name, scopes, expires_in_days } => {
                let (tenant, mode) = owner.parts();
                let key = KeyDraft { name, scopes, expires_in_days, code: None };
                let shown = Shown::Lines {
                    parts: &[("id", "/id"), ("key", "/apiKey"), ("secret", "/apiSecret")],
                    advice: "Save the secret now. It is shown only once.",
                };
                (AdminRequest::IssueKey { tenant, mode, key }, shown)
            }
            Self::List(owner) => {
                let (tenant, mode) = owner.parts();
                let shown = Shown::Table {
                    columns: &[
                        ("ID", "/id"),
                        ("NAME", "/name"),
                        ("ENDS", "/lastFour"),
                        ("SCOPES", "/scopes"),
                        ("STATE", "/state"),
                        ("CREATED", "/createdAt"),
                        ("EXPIRES", "/expiresAt"),
                        ("LAST USED", "/lastUsedAt"),
                        ("REVOKED", "/revokedAt"),
                    ],
                    empty: "No keys. To create one, run `linchpin key create --tenant TENANT`.",
                };
                (AdminRequest::ListKeys { tenant, mode }, shown)
            }
            Self::Rotate { key, end: false, again } => {
                let shown = Shown::Lines {
                    parts: &[("key", "/id"), ("new secret", "/apiSecret")],
                    advice: "Save the secret now. It is shown only once. The previous secret works until \
                             `linchpin key rotate KEY --end`.",
                };
                (AdminRequest::RotateKey { key, again }, shown)
            }
            Self::Rotate { key, end: true, again: _ } => {
                (AdminRequest::EndKeyRotation { key }, Shown::Lines { parts: STATE, advice: "" })
            }
            Self::Revoke { key } => {
                (AdminRequest::RevokeKey { key }, Shown::Lines { parts: STATE, advice: "" })
            }
        }
    }
}

#[derive(Subcommand)]
pub(in crate::cli) enum Template {
    /// List the link templates of an environment.
    List(OwnerArgs),
    /// Show a link template, the origins that were refused, and where people left the widget.
    Show {
        /// The link template (`lt-…`).
        id: LinkTemplateId,
    },
    /// Set the origins whose pages may embed the widget. Replaces all previous ones.
    Allow {
        /// The link template (`lt-…`).
        id: LinkTemplateId,
        /// All allowed origins, for example `https://app.example.com`.
        #[arg(required_unless_present = "none", conflicts_with = "none")]
        origins: Vec<String>,
        /// Allow no origins.
        #[arg(long)]
        none: bool,
    },
}

impl Template {
    pub(super) fn request(self) -> Asked {
        match self {
            Self::List(owner) => {
                let (tenant, mode) = owner.parts();
                let shown = Shown::Table {
                    columns: &[("ID", "/id"), ("NAME", "/name"), ("ALLOWED ORIGINS", "/allowedOrigins")],
                    empty: "No link templates. To create one, send POST /linkTemplates.",
                };
                (AdminRequest::ListTemplates { tenant, mode }, shown)
            }
            Self::Show { id } => {
                let shown = Shown::Lines {
                    parts: &[
                        ("template", "/template/id"),
                        ("name", "/template/name"),
                        ("company", "/template/companyName"),
                        ("allowed origins", "/template/allowedOrigins"),
                        ("refused origins", "/refusedOrigins"),
                        ("exit points", "/exitPoints"),
                        ("not found", "/notFound"),
                        ("widget crashes", "/traps"),
                    ],
                    advice: "",
                };
                (AdminRequest::ShowTemplate { id }, shown)
            }
            Self::Allow { id, origins, none: _ } => {
                let parts = &[("template", "/id"), ("allowed origins", "/allowedOrigins")];
                (AdminRequest::AllowOrigins { id, origins }, Shown::Lines { parts, advice: "" })
            }
        }
    }
}
