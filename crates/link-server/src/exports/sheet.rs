//! The contents of a document about an account, before layout: facts and tables.

use link_types::Mode;

use super::snapshot::{RenderError, Snapshot};
use super::{kinds, words};

/// A document.
pub(super) struct Sheet {
    pub(super) title: String,
    /// The name of the person.
    pub(super) subject: Option<String>,
    /// An important remark, shown at the top.
    pub(super) notice: Option<String>,
    /// Facts about the account.
    pub(super) facts: Vec<Fact>,
    pub(super) sections: Vec<Section>,
    /// The footer of every page.
    pub(super) footer: String,
}

/// A name and its value.
pub(super) struct Fact {
    pub(super) name: String,
    pub(super) value: String,
}

/// A section of a document.
pub(super) struct Section {
    pub(super) title: String,
    pub(super) content: Content,
}

/// The content of a section.
pub(super) enum Content {
    Facts(Vec<Fact>),
    Table(Table),
}

/// Rows under headings.
pub(super) struct Table {
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<String>>,
}

/// A column of a table.
pub(super) struct Column {
    /// The heading.
    pub(super) name: &'static str,
    pub(super) align: Align,
}

/// The alignment of text in its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// Builds the document of an account.
///
/// # Errors
/// [`RenderError::Body`] if a stored body does not match its kind.
pub(super) fn build(snapshot: &Snapshot) -> Result<Sheet, RenderError> {
    let account = &snapshot.account;
    let mut sections = Vec::new();
    for kind in kinds::ORDER {
        if let Some(bodies) = snapshot.bodies.get(kind).filter(|bodies| !bodies.is_empty()) {
            sections.push(kinds::section(*kind, bodies)?);
        }
    }
    let at = words::moment(snapshot.at);
    let (notice, foot) = match snapshot.mode {
        Mode::Sandbox => {
            (Some("Sandbox data: the person and all details are fictitious.".to_owned()), "sandbox · ")
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

pub(super) fn fact(name: impl Into<String>, value: impl Into<String>) -> Fact {
    Fact { name: name.into(), value: value.into() }
}
