//! `linchpin key …`.

use clap::Subcommand;

use super::{Asked, OwnerArgs, Shown};
use crate::admin::AdminRequest;

#[derive(Subcommand)]
pub(in crate::cli) enum Key {
    /// Make a key; its secret is printed once.
    Create(OwnerArgs),
    /// List the keys of one environment, revoked ones included.
    List(OwnerArgs),
    /// Give a key a second secret, printed once; both work until the rotation ends.
    Rotate {
        /// The key, `lpk_…`, or its id.
        key: String,
        /// End the rotation instead: the newest secret alone works from now on.
        #[arg(long)]
        end: bool,
        /// Give another secret in the place of the newest, which was lost: that is refused, the one before stays.
        #[arg(long, conflicts_with = "end")]
        again: bool,
    },
    /// Refuse a key from now on, on every node.
    Revoke {
        /// The key, `lpk_…`, or its id.
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
                    advice: "Keep the secret: it is shown this once and stored nowhere.",
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
                    empty: "There is no key: `linchpin key create --tenant TENANT` makes one.",
                };
                (AdminRequest::ListKeys { tenant, mode }, shown)
            }
            Self::Rotate { key, end: false, again } => {
                let shown = Shown::Lines {
                    parts: &[("key", "/id"), ("new secret", "/apiSecret")],
                    advice: "Keep the secret: it is shown this once. Until `linchpin key rotate KEY --end` the one \
                             before works too.",
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
