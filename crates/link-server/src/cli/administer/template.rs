//! `linchpin template …`.

use clap::Subcommand;
use link_types::id::LinkTemplateId;

use super::service::{Asked, OwnerArgs};
use super::shown::Shown;
use crate::admin::AdminRequest;

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
