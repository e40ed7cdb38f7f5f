//! The texts of a draft that a member types, each with the path of its faults.

use link_types::problem::FieldFault;

use super::draft::SiteDraft;

const EMBED_ORIGINS: &str = "embedOrigins";

/// A text of the draft.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spot {
    /// Name of the site.
    Name,
    /// Last part of the address.
    Slug,
    /// Own host.
    Host,
    /// Link template.
    Template,
    /// Heading of the first page.
    StartTitle,
    /// Text of the first page.
    StartText,
    /// Heading of the end page.
    EndTitle,
    /// Text of the end page.
    EndText,
    /// Page at the end.
    Redirect,
    /// Origins that may embed the site, one a line.
    EmbedOrigins,
    /// When the site closes.
    ClosesAt,
    /// Number of submitted forms.
    Submissions,
    /// Language.
    Locale,
    /// Heading of the form.
    FormName,
    /// Reference of the form.
    Reference,
    /// A text of a field.
    Field(u32, Part),
}

/// A text of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Name in the data.
    Name,
    /// Label.
    Label,
    /// Help.
    Help,
    /// Choices, one a line.
    Choices,
    /// Minimum of the format.
    Min,
    /// Maximum of the format.
    Max,
    /// Maximum number of files.
    MaxFiles,
}

impl Spot {
    /// Returns the path of its faults. Fields are named by their `uid`, so that the path follows a field that is moved.
    pub fn path(self) -> String {
        let path = match self {
            Self::Name => "name",
            Self::Slug => "slug",
            Self::Host => "host",
            Self::Template => "linkTemplateId",
            Self::StartTitle => "startPage.title",
            Self::StartText => "startPage.text",
            Self::EndTitle => "endPage.title",
            Self::EndText => "endPage.text",
            Self::Redirect => "endPage.redirectUrl",
            Self::EmbedOrigins => EMBED_ORIGINS,
            Self::ClosesAt => "limits.closesAt",
            Self::Submissions => "limits.submissions",
            Self::Locale => "locale",
            Self::FormName => "form.name",
            Self::Reference => "form.reference",
            Self::Field(uid, part) => return field_path(uid, part.path()),
        };
        path.to_owned()
    }
}

impl Part {
    const fn path(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Label => "label",
            Self::Help => "help",
            Self::Choices => "choices",
            Self::Min => "format.min",
            Self::Max => "format.max",
            Self::MaxFiles => "files.maxFiles",
        }
    }
}

/// Returns the path of a part of a field, like `form.fields#7.label`.
pub fn field_path(uid: u32, part: &str) -> String {
    format!("form.fields#{uid}.{part}")
}

/// Returns the `uid` of the field that a path is about.
pub fn uid_of(path: &str) -> Option<u32> {
    path.strip_prefix("form.fields#")?.split('.').next()?.parse().ok()
}

/// Returns the identifier of the element that a path is about.
pub fn element_id(path: &str) -> String {
    let dash = |it: char| if it.is_ascii_alphanumeric() { it } else { '-' };
    format!("at-{}", path.trim_end_matches(']').chars().map(dash).collect::<String>())
}

impl SiteDraft {
    /// Returns the faults of what was sent: a path that follows its field, and a message. A field with several lines has one
    /// fault, which names each wrong line.
    pub(super) fn lasting_faults(&self, faults: &[FieldFault]) -> Vec<(String, String)> {
        let mut lasting: Vec<(String, String)> = Vec::new();
        for FieldFault { field, message, .. } in faults {
            let path = self.lasting_path(field);
            let line = (path == EMBED_ORIGINS).then(|| self.embedder_at(field)).flatten();
            let message = line.map_or_else(|| message.clone(), |it| format!("{it}: {message}"));
            match lasting.iter_mut().find(|it| path == EMBED_ORIGINS && it.0 == path) {
                Some((_, all)) => *all = format!("{all}. {message}"),
                None => lasting.push((path, message)),
            }
        }
        lasting
    }

    fn embedder_at(&self, path: &str) -> Option<String> {
        let place = path.strip_prefix(EMBED_ORIGINS)?.strip_prefix('[')?.strip_suffix(']')?;
        self.embedders().nth(place.parse().ok()?)
    }

    /// Returns the path that follows its field, for a path of the service like `form.fields[2].label`.
    fn lasting_path(&self, path: &str) -> String {
        // One field has all of them.
        if path.starts_with(EMBED_ORIGINS) {
            return EMBED_ORIGINS.to_owned();
        }
        let found = path.strip_prefix("form.fields[").and_then(|rest| {
            let (place, part) = rest.split_once(']')?;
            let field = self.fields.get(place.parse::<usize>().ok()?)?;
            Some(field_path(field.uid, part.trim_start_matches('.')))
        });
        found.unwrap_or_else(|| path.to_owned())
    }

    pub(super) fn set(&mut self, spot: Spot, text: String) {
        let target = match spot {
            Spot::Name => &mut self.name,
            Spot::Slug => &mut self.slug,
            Spot::Host => &mut self.host,
            Spot::Template => &mut self.template,
            Spot::StartTitle => &mut self.start_title.text,
            Spot::StartText => &mut self.start_text.text,
            Spot::EndTitle => &mut self.end_title.text,
            Spot::EndText => &mut self.end_text.text,
            Spot::Redirect => &mut self.redirect,
            Spot::EmbedOrigins => &mut self.embed_origins,
            Spot::ClosesAt => &mut self.closes_at,
            Spot::Submissions => &mut self.submissions,
            Spot::Locale => {
                // A form in another language keeps it.
                if self.form_locale == self.locale {
                    self.form_locale.clone_from(&text);
                }
                &mut self.locale
            }
            Spot::FormName => &mut self.form_name.text,
            Spot::Reference => &mut self.reference,
            Spot::Field(uid, Part::Choices) => return self.set_choices(uid, &text),
            Spot::Field(uid, part) => {
                let Some(field) = self.field_mut(uid) else { return };
                match part {
                    Part::Name => &mut field.name,
                    Part::Label => &mut field.label.text,
                    Part::Help => &mut field.help.text,
                    Part::Min => &mut field.format.min,
                    Part::Max => &mut field.format.max,
                    Part::MaxFiles => &mut field.max_files,
                    Part::Choices => return,
                }
            }
        };
        *target = text;
    }

    /// Returns a text.
    pub fn text(&self, spot: Spot) -> String {
        let field = |uid| self.field(uid);
        match spot {
            Spot::Name => self.name.clone(),
            Spot::Slug => self.slug.clone(),
            Spot::Host => self.host.clone(),
            Spot::Template => self.template.clone(),
            Spot::StartTitle => self.start_title.text.clone(),
            Spot::StartText => self.start_text.text.clone(),
            Spot::EndTitle => self.end_title.text.clone(),
            Spot::EndText => self.end_text.text.clone(),
            Spot::Redirect => self.redirect.clone(),
            Spot::EmbedOrigins => self.embed_origins.clone(),
            Spot::ClosesAt => self.closes_at.clone(),
            Spot::Submissions => self.submissions.clone(),
            Spot::Locale => self.locale.clone(),
            Spot::FormName => self.form_name.text.clone(),
            Spot::Reference => self.reference.clone(),
            Spot::Field(uid, part) => {
                let Some(field) = field(uid) else { return String::new() };
                match part {
                    Part::Name => field.name.clone(),
                    Part::Label => field.label.text.clone(),
                    Part::Help => field.help.text.clone(),
                    Part::Min => field.format.min.clone(),
                    Part::Max => field.format.max.clone(),
                    Part::MaxFiles => field.max_files.clone(),
                    Part::Choices => {
                        let lines: Vec<&str> = field.choices.iter().map(|it| it.text.as_str()).collect();
                        lines.join("\n")
                    }
                }
            }
        }
    }
}
