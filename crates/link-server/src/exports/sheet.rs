//! What a person reads of an account: facts and tables with headings in words, before they are laid out.

mod kinds;
mod words;

use link_types::Mode;
use link_types::data::DataPointKind;

use super::{RenderFault, Snapshot};

/// A document.
pub(super) struct Sheet {
    /// Its title.
    pub(super) title: String,
    /// Whom it is about.
    pub(super) subject: Option<String>,
    /// What to know before reading on.
    pub(super) notice: Option<String>,
    /// What it is, in pairs.
    pub(super) facts: Vec<Fact>,
    /// Its parts, in order.
    pub(super) sections: Vec<Section>,
    /// What every page says at its foot.
    pub(super) footer: String,
}

/// A name and its value.
pub(super) struct Fact {
    pub(super) name: String,
    pub(super) value: String,
}

/// A part of a document.
pub(super) struct Section {
    /// Its heading.
    pub(super) title: String,
    /// What it holds.
    pub(super) content: Content,
}

/// What a part holds.
pub(super) enum Content {
    /// Pairs.
    Facts(Vec<Fact>),
    /// Rows under headings.
    Table(Table),
}

/// Rows under headings.
pub(super) struct Table {
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<String>>,
}

/// A column.
pub(super) struct Column {
    /// Its heading.
    pub(super) name: &'static str,
    /// Where its cells stand.
    pub(super) align: Align,
}

/// Where text stands in its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// The order of the parts: who it is, then work and money, then the rest.
const ORDER: [DataPointKind; 11] = [
    DataPointKind::Identities,
    DataPointKind::Employments,
    DataPointKind::Incomes,
    DataPointKind::Eincomes,
    DataPointKind::Contributions,
    DataPointKind::Transactions,
    DataPointKind::Liabilities,
    DataPointKind::Documents,
    DataPointKind::Ratings,
    DataPointKind::Insights,
    DataPointKind::Links,
];

/// The document of an account.
///
/// # Errors
/// [`RenderFault::Body`] when a stored body is not of its kind.
pub(super) fn of(snapshot: &Snapshot) -> Result<Sheet, RenderFault> {
    let account = &snapshot.account;
    let mut sections = Vec::new();
    for kind in ORDER {
        if let Some(bodies) = snapshot.bodies.get(&kind).filter(|bodies| !bodies.is_empty()) {
            sections.push(kinds::section(kind, bodies)?);
        }
    }
    let at = words::moment(snapshot.at);
    let (notice, foot) = match snapshot.mode {
        Mode::Sandbox => {
            (Some("From the sandbox: person, work and money are invented.".to_owned()), "sandbox · ")
        }
        Mode::Production => (None, ""),
    };
    Ok(Sheet {
        title: snapshot.provider_name.clone(),
        subject: kinds::full_name(snapshot)?,
        notice,
        facts: vec![
            fact("Account", account.id.to_string()),
            fact("User", account.user_id.to_string()),
            fact("Provider", account.provider_id.to_string()),
            fact("Connection", words::title_case(account.connection_status.as_str())),
            fact("Account created", words::moment(account.created_at)),
            fact("As of", at.clone()),
        ],
        sections,
        footer: format!("{foot}{} · as of {at}", account.id),
    })
}

fn fact(name: impl Into<String>, value: impl Into<String>) -> Fact {
    Fact { name: name.into(), value: value.into() }
}
