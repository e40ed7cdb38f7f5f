//! `linchpin key …`.

use clap::Subcommand;

use super::service::{Asked, OwnerArgs};
use super::shown::Shown;
use crate::admin::AdminRequest;

#[derive(Subcommand)]
pub(in crate::cli) enum Key {
    /// Create a key and print its secret, which is shown only once.
    Create(OwnerArgs),
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
            Self::Create(owner) => {
                let (tenant, mode) = owner.parts();
                let shown = Shown::Lines {
                    parts: &[("id", "/id"), ("key", "/apiKey"), ("secret", "/apiSecret")],
                    advice: "Save the secret now. It is shown only once.",
                };
                (AdminRequest::IssueKey { tenant, mode }, shown)
            }
            Self::List(owner) => {
                let (tenant, mode) = owner.parts();
                let shown = Shown::Table {
                    columns: &[
                        ("ID", "/id"),
                        ("STATE", "/state"),
                        ("CREATED", "/createdAt"),
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
