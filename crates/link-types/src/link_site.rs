//! Link sites: hosted addresses where people answer a form and link an account, without an invitation.

use serde::{Deserialize, Serialize};

use crate::{
    form_submission::LinkSiteForm,
    id::{LinkSiteId, LinkTemplateId},
    provider::Translations,
    time::Timestamp,
};

words! {
    /// State of a link site.
    LinkSiteStatus {
        /// The site is not public yet. Its address shows that.
        Draft = "DRAFT",
        /// People can open the site, until `limits` close it.
        Published = "PUBLISHED",
        /// No one can open the site. People who are on it can finish.
        Closed = "CLOSED",
    }
}

words! {
    /// People who can open a link site.
    LinkSiteAccess {
        /// Anyone with the address.
        Open = "OPEN",
        /// Anyone with the address who proves an email address, by a code that is mailed to it. People with an invitation that
        /// names the site are not asked.
        ProvenEmail = "PROVEN_EMAIL",
        /// People with an invitation that names the site.
        Invitation = "INVITATION",
    }
}

words! {
    /// A step of a link site.
    LinkSiteStep {
        /// The site's form.
        Form = "FORM",
        /// The widget, in which the person links an account or uploads documents.
        Widget = "WIDGET",
        /// The end page, or the redirect.
        ThankYou = "THANK_YOU",
    }
}

/// Texts of the page that a link site begins with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinkSiteStartPage {
    /// Heading.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub title: String,
    /// Text below the heading. Blank lines separate paragraphs.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 500))]
    pub text: String,
}

/// End of a link site: a page, or a redirect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinkSiteEndPage {
    /// Heading.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 200))]
    pub title: String,
    /// Text below the heading. Blank lines separate paragraphs.
    #[cfg_attr(feature = "schema", schema(min_length = 1, max_length = 500))]
    pub text: String,
    /// Page that the person is sent to, an https URL. Its origin must be one of the link template's `allowedOrigins`.
    /// `linkSiteSessionId` is added to its query. If null, the person stays on the end page.
    #[cfg_attr(feature = "schema", schema(max_length = 500))]
    pub redirect_url: Option<String>,
}

/// When a link site closes by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LinkSiteLimits {
    /// Time from which no one can open the site. If null, there is no such time.
    pub closes_at: Option<Timestamp>,
    /// Number of submitted forms after which the site is full. Only a site with a form can have it. If null, there is no
    /// limit.
    #[cfg_attr(feature = "schema", schema(minimum = 1, maximum = 1_000_000))]
    pub submissions: Option<u32>,
}

/// A hosted page at a public address, where people answer a form and link an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkSite {
    /// Unique identifier of the link site, with the prefix `site-`.
    pub id: LinkSiteId,
    /// When the link site was created.
    pub created_at: Timestamp,
    /// Name of the link site. People do not see it.
    pub name: String,
    /// Last part of the address. Unique in the whole service.
    pub slug: String,
    /// Address of the link site.
    pub url: String,
    /// Own host of the link site, which `url` has if the service offers own hosts at present. Null if the site has none.
    pub host: Option<String>,
    /// State of the link site.
    pub status: LinkSiteStatus,
    /// People who can open the link site.
    pub access: LinkSiteAccess,
    /// Link template with the brand, and the configuration of the widget.
    pub link_template_id: LinkTemplateId,
    /// Steps, in order. The last one is THANK_YOU.
    pub steps: Vec<LinkSiteStep>,
    /// Form of the step FORM.
    pub form: Option<LinkSiteForm>,
    /// Version of the form. It increases if a form that people have opened changes. Null without a form.
    pub form_version: Option<u32>,
    /// Names of HIDDEN fields, and `reference`, whose values the address can have in its query.
    pub prefill: Vec<String>,
    /// Origins of the pages that may show the link site in a frame, at `url` with `/embed` added. If empty, none may.
    pub embed_origins: Vec<String>,
    /// Texts of the first page.
    pub start_page: LinkSiteStartPage,
    /// End of the link site.
    pub end_page: LinkSiteEndPage,
    /// When the link site closes by itself.
    pub limits: LinkSiteLimits,
    /// Number of submitted forms.
    pub submissions: u32,
    /// Language of the texts of `startPage` and `endPage`, as a BCP 47 tag.
    pub locale: String,
    /// Translations of these texts, by BCP 47 tag and then by the text.
    pub translations: Translations,
    /// Changes if anything above changes, except `submissions`. An update with an older revision is rejected.
    pub revision: String,
}

/// A version of a link site's form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
pub struct LinkSiteFormVersion {
    /// Link site of the form.
    pub link_site_id: LinkSiteId,
    /// Number of the version, from 1.
    pub version: u32,
    /// The form. It does not change once a person has opened it.
    pub form: LinkSiteForm,
}
