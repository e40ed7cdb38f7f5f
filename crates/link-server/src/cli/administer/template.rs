//! `linchpin template …`.

use clap::Subcommand;
use link_types::id::LinkTemplateId;

use super::{Asked, OwnerArgs, Shown};
use crate::admin::AdminRequest;

#[derive(Subcommand)]
pub(in crate::cli) enum Template {
    /// List the link templates of one environment.
    List(OwnerArgs),
    /// Show one, with the origins that tried to embed it and were refused.
    Show {
        /// The template, `lt-…`.
        id: LinkTemplateId,
    },
    /// Set the origins whose pages may embed the widget: these alone, in the place of all that were set before.
    Allow {
        /// The template, `lt-…`.
        id: LinkTemplateId,
        /// Every origin that may, such as https://app.example.com; one that is left out may no longer.
        #[arg(required_unless_present = "none", conflicts_with = "none")]
        origins: Vec<String>,
        /// No origin from now on.
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
                    empty: "There is no link template: POST /linkTemplates makes one.",
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
                        ("people left at", "/exitPoints"),
                        ("not found", "/notFound"),
                        ("traps of the widget", "/traps"),
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
