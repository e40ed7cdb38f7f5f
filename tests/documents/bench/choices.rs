//! The command line: which documents to generate.

use link_test_support::documents::forms::FORMS;
use link_test_support::documents::{Country, Form, Layout, Sample, sample};
use link_types::archive::ArchiveType;

const KINDS: [ArchiveType; 7] = [
    ArchiveType::Payslip,
    ArchiveType::TaxDocument,
    ArchiveType::CompanyId,
    ArchiveType::Identification,
    ArchiveType::Clearance,
    ArchiveType::Certificate,
    ArchiveType::BankStatement,
];

/// The options of the command line.
pub struct Choices {
    count: usize,
    seed: u64,
    form: Option<String>,
    kind: Option<String>,
    layout: Option<String>,
    /// Excludes the held-out layouts.
    known: bool,
    /// The folder that caches recognized words. Without it, child processes read the documents.
    pub words: Option<std::path::PathBuf>,
    /// Prints the expected and the actual value of each wrong field.
    pub misses: bool,
}

/// One document to generate.
#[derive(Clone, Copy)]
pub struct Plan {
    kind: ArchiveType,
    country: Country,
    layout: Layout,
    form: Form,
    seed: u64,
}

impl Plan {
    /// Generates the document.
    pub fn draw(&self) -> Sample {
        sample(self.kind, self.country, self.layout, self.form, self.seed)
    }

    /// Returns whether the document is one scanned page.
    pub fn is_scan(&self) -> bool {
        self.form == Form::Png
    }
}

impl Choices {
    /// Parses the command line.
    pub fn parse(words: &[&str]) -> Self {
        let value = |name: &str| words.iter().position(|word| *word == name).and_then(|at| words.get(at + 1));
        let text = |name| value(name).map(|word| (*word).to_owned());
        Self {
            count: value("--count").map_or(1_000, |word| word.parse().unwrap()),
            seed: value("--seed").map_or(1, |word| word.parse().unwrap()),
            form: text("--form"),
            kind: text("--kind"),
            layout: text("--layout"),
            words: text("--words").map(Into::into),
            known: words.contains(&"--known"),
            misses: words.contains(&"--misses"),
        }
    }

    /// Returns the documents to generate, spread evenly over kinds, forms, layouts and countries.
    pub fn plans(&self) -> Vec<Plan> {
        let layouts: Vec<Layout> = Layout::all().collect();
        let fits =
            |wanted: &Option<String>, name: &str| wanted.as_deref().is_none_or(|wanted| wanted == name);
        (0_usize..)
            .map(|at| {
                // A stride that visits every combination once before it repeats one.
                let combinations = KINDS.len() * layouts.len() * FORMS.len() * 2;
                let place = at * 1_297 % combinations;
                let (place, kind) = (place / KINDS.len(), KINDS[place % KINDS.len()]);
                let (place, layout) = (place / layouts.len(), layouts[place % layouts.len()]);
                let (place, form) = (place / FORMS.len(), FORMS[place % FORMS.len()]);
                let country = if place == 0 { Country::Mx } else { Country::Ph };
                Plan { kind, country, layout, form, seed: self.seed * 1_000 + at as u64 }
            })
            .filter(|plan| {
                !(self.known && plan.layout.is_held_out())
                    && fits(&self.form, plan.form.name())
                    && fits(&self.layout, &plan.layout.name())
                    && fits(&self.kind, &plan.kind.as_str().to_lowercase())
            })
            .take(self.count)
            .collect()
    }
}
