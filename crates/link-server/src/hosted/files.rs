//! A FILE of a form: its control, the files so far, and the reasons why a file is rejected.

use link_domain::invitations::form_submission::FormFile;
use link_domain::notifications::service_text::{ServiceText, Value};
use link_types::archive::{FileFault, FileFormat};
use link_types::form_submission::FileRules;
use maud::{Markup, html};

use super::page::Look;
use super::questions::REMOVE;

/// The control of a field.
pub(super) struct FileControl<'a> {
    /// The branding of the page.
    pub(super) look: &'a Look,
    /// The name of the field.
    pub(super) name: &'a str,
    /// The files that the field accepts.
    pub(super) rules: &'a FileRules,
    /// The files of the form.
    pub(super) files: &'a [FormFile],
}

impl FileControl<'_> {
    /// Renders the files so far, and the control that chooses more. The script fills the template for a new file.
    pub(super) fn control(&self, id: &str, described: &str, is_invalid: bool) -> Markup {
        let stored =
            self.files.iter().filter(|it| it.field == self.name).filter_map(|it| it.file.stored_file());
        let accepted: Vec<_> = self.formats().iter().map(|it| it.media_type()).collect();
        html! {
            ul.files {
                @for file in stored {
                    li {
                        span dir="auto" { (file.name.expose()) }
                        (self.removal(file.name.expose(), Some(file.id.as_str())))
                    }
                }
            }
            template {
                li {
                    span dir="auto" {}
                    progress max="1" value="0" {}
                    (self.removal("{}", None))
                    p.fault role="alert" hidden {}
                }
                @for fault in FileFault::ALL { p data-fault=(fault.as_str()) { (self.explain(*fault)) } }
                p data-fault="" { (self.look.text(ServiceText::PageFileFailed)) }
            }
            input type="file" id=(id) name=(self.name) multiple[self.rules.max_files > 1]
                accept=(accepted.join(",")) aria-describedby=(described) aria-invalid=[is_invalid.then_some("true")];
        }
    }

    /// Renders a button that works without the script, too: it stores the answers, and shows the form again.
    fn removal(&self, name: &str, id: Option<&str>) -> Markup {
        let label = self.look.text_with(ServiceText::PageFileRemove, Value::Text(name));
        html! {
            button.remove type="submit" name=(REMOVE) value=[id] formnovalidate aria-label=(label) title=(label) {
                svg viewBox="0 0 16 16" aria-hidden="true" { path d="M3 3l10 10M13 3L3 13" {} }
            }
        }
    }

    /// Returns the sentences about the accepted files.
    pub(super) fn hint(&self) -> String {
        let (formats, size) = (self.format_names(), self.size());
        let rules = [Value::Text(&formats), Value::Text(&size)];
        let mut hint = self.look.text_with_all(ServiceText::PageFileRules, &rules);
        if self.rules.max_files > 1 {
            let limit = Value::Count(self.rules.max_files.into());
            hint = format!("{hint} {}", self.look.text_with(ServiceText::PageFileLimit, limit));
        }
        hint
    }

    /// Returns the sentence that explains why a file is rejected.
    pub(super) fn explain(&self, fault: FileFault) -> String {
        let text = match fault {
            FileFault::TooLarge => {
                return self.look.text_with(ServiceText::PageFileLarge, Value::Text(&self.size()));
            }
            FileFault::UnsupportedFormat => {
                return self.look.text_with(ServiceText::PageFileFormat, Value::Text(&self.format_names()));
            }
            FileFault::Empty => ServiceText::PageFileEmpty,
            FileFault::ExtraBytes => ServiceText::PageFileExtra,
            FileFault::Encrypted => ServiceText::PageFileEncrypted,
            FileFault::Damaged => ServiceText::PageFileDamaged,
            FileFault::TooManyPages => ServiceText::PageFilePages,
            FileFault::TooManyPixels => ServiceText::PageFilePixels,
            FileFault::TooManyFiles => ServiceText::PageFileMany,
            FileFault::QuotaExceeded => ServiceText::PageFileQuota,
            FileFault::HashMismatch => ServiceText::PageFileMismatch,
        };
        self.look.text(text)
    }

    fn formats(&self) -> &[FileFormat] {
        if self.rules.formats.is_empty() { FileFormat::ALL } else { &self.rules.formats }
    }

    fn format_names(&self) -> String {
        self.formats().iter().map(|it| it.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Returns the largest size in megabytes, with at most two decimals.
    fn size(&self) -> String {
        let hundredths = (self.rules.max_bytes / 10_000).max(1);
        let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}
