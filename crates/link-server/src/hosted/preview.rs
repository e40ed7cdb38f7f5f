//! Previews of a link site's pages in the developer portal: the pages that people would see, of a draft that is not stored.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::StatusCode;
use axum::response::Response;
use link_domain::invitations::form_submission::FormReading;
use link_domain::invitations::link_site::LinkSite;
use link_domain::kernel::languages::Languages;
use link_store::Reader;
use link_types::form_submission::LinkSiteForm;

use super::link_sites::{SitePages, start_page};
use super::questions::Questions;
use super::show::end_page;
use crate::app::App;
use crate::http::problem::ApiResult;

/// The page to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PreviewPage {
    /// The first page.
    Start,
    /// The form.
    Form,
    /// The end page.
    End,
}

/// A draft with its link template.
pub struct Preview(SitePages);

impl Preview {
    /// Reads the link template of a draft. `None` if it does not exist.
    ///
    /// # Errors
    /// If the store fails.
    pub fn read(reader: &mut Reader<'_>, site: LinkSite, languages: Languages) -> ApiResult<Option<Self>> {
        Ok(SitePages::read(reader, site, languages)?.map(Self))
    }

    /// Renders a page. `shows_all` also shows the fields whose condition does not hold.
    pub fn show(&self, app: &App, page: PreviewPage, form: &LinkSiteForm, shows_all: bool) -> Response {
        let Self(pages) = self;
        let look = pages.look(app).into_preview(&app.settings.hosted_url);
        let page = match page {
            PreviewPage::Start => start_page(pages, &look),
            PreviewPage::End => {
                let texts = &pages.site.site.end_page;
                let passages = (pages.passage(&look, &texts.title), pages.passage(&look, &texts.text));
                // A redirect would leave the preview.
                end_page(&look, passages, None, None, false)
            }
            PreviewPage::Form => {
                let mut reading = FormReading::new(form, &BTreeMap::new());
                if shows_all {
                    reading.hidden = BTreeSet::new();
                }
                let questions = Questions { look: &look, form, reading: &reading, faults: &[], alert: None };
                return questions.page(&pages.languages, false, StatusCode::OK);
            }
        };
        look.show(StatusCode::OK, &page)
    }
}
