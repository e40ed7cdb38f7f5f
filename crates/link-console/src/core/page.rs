//! The pages of the portal.

use link_types::Mode;

use super::audit::AuditFilters;
use super::ceremony::PasskeyRequest;
use super::insights::FunnelFilters;
use super::insights::request::InsightRequest;
use super::inviting::request::InvitingRequest;
use super::people::request::PeopleRequest;
use super::request::Request;
use super::rest::{DeliveryQuery, Rest};
use super::single_sign_on::request::SignOnRequest;
use super::sites::AnswerQuery;
use super::sites::request::SiteRequest;
use super::templates::kind::{TemplateKey, TemplateKind};
use super::templates::request::TemplateRequest;
use super::texts::Text;
use super::webhook_key::{PersonKey, SiteKey, WebhookKey};

/// A page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// The page of a one-time address.
    Enter,
    /// The first page.
    Overview,
    /// The API keys of an environment.
    Keys(Mode),
    /// The webhooks of an environment.
    Webhooks(Mode),
    /// A webhook of an environment, with its deliveries.
    Webhook(Mode, WebhookKey),
    /// The templates of a kind and environment.
    Templates(Mode, TemplateKind),
    /// The editor of a new template.
    NewTemplate(Mode, TemplateKind),
    /// The editor of a new template that begins as a copy of this one.
    CopiedTemplate(Mode, TemplateKey),
    /// The editor of a template.
    Template(Mode, TemplateKey),
    /// The link sites of an environment.
    Sites(Mode),
    /// The editor of a new link site.
    NewSite(Mode),
    /// The editor of a link site.
    Site(Mode, SiteKey),
    /// The answers on a link site.
    Answers(Mode, SiteKey),
    /// The search for people of an environment.
    People(Mode),
    /// The page that invites the people of a file.
    Inviting(Mode),
    /// A person.
    Person(Mode, PersonKey),
    /// The types of events.
    Events,
    /// The logins of the sandbox.
    Logins,
    /// The clock of the sandbox.
    Clock,
    /// The latest requests to an environment.
    Requests(Mode),
    /// The errors of the latest requests.
    Errors(Mode),
    /// How many openings of the widget reached each step.
    Funnel(Mode),
    /// Chargeable events of a month.
    Usage(Mode),
    /// The members of the tenant.
    Members,
    /// The audit log.
    Audit,
    /// Sessions.
    Sessions,
    /// The member's passkeys.
    Passkeys,
    /// Single sign-on.
    SingleSignOn,
    /// An address that is not a page.
    Missing,
}

impl Page {
    /// Returns the heading of the page.
    pub const fn title(self) -> Text {
        match self {
            Self::Enter => Text::EnterTitle,
            Self::Overview => Text::Overview,
            Self::Keys(_) => Text::Keys,
            Self::Webhooks(_) => Text::Webhooks,
            Self::Webhook(..) => Text::Webhook,
            Self::Templates(..) => Text::Templates,
            Self::NewTemplate(..) | Self::CopiedTemplate(..) => Text::NewTemplate,
            Self::Template(..) => Text::Template,
            Self::Sites(_) => Text::LinkSites,
            Self::NewSite(_) => Text::NewLinkSite,
            Self::Site(..) => Text::LinkSite,
            Self::Answers(..) => Text::Answers,
            Self::People(_) => Text::People,
            Self::Inviting(_) => Text::InviteFile,
            Self::Person(..) => Text::Person,
            Self::Events => Text::Events,
            Self::Logins => Text::Logins,
            Self::Clock => Text::Clock,
            Self::Requests(_) => Text::Requests,
            Self::Errors(_) => Text::Errors,
            Self::Funnel(_) => Text::Funnel,
            Self::Usage(_) => Text::Usage,
            Self::Members => Text::Members,
            Self::Audit => Text::Audit,
            Self::Sessions => Text::Sessions,
            Self::Passkeys => Text::Passkeys,
            Self::SingleSignOn => Text::SingleSignOn,
            Self::Missing => Text::MissingTitle,
        }
    }

    /// Returns the page of the list to which the page belongs.
    pub fn section(self) -> Self {
        if let Self::Webhook(mode, _) = self {
            Self::Webhooks(mode)
        } else if let Self::NewSite(mode) | Self::Site(mode, _) | Self::Answers(mode, _) = self {
            Self::Sites(mode)
        } else if let Self::Templates(mode, _)
        | Self::NewTemplate(mode, _)
        | Self::CopiedTemplate(mode, _)
        | Self::Template(mode, _) = self
        {
            Self::Templates(mode, TemplateKind::Link)
        } else if let Self::Person(mode, _) | Self::Inviting(mode) = self {
            Self::People(mode)
        } else {
            self
        }
    }

    /// Returns the environment of the page, if it is about one.
    pub const fn mode(self) -> Option<Mode> {
        match self {
            Self::Keys(mode)
            | Self::Webhooks(mode)
            | Self::Webhook(mode, _)
            | Self::Templates(mode, _)
            | Self::NewTemplate(mode, _)
            | Self::CopiedTemplate(mode, _)
            | Self::Template(mode, _)
            | Self::Sites(mode)
            | Self::NewSite(mode)
            | Self::Site(mode, _)
            | Self::Answers(mode, _)
            | Self::People(mode)
            | Self::Inviting(mode)
            | Self::Person(mode, _)
            | Self::Requests(mode)
            | Self::Errors(mode)
            | Self::Funnel(mode)
            | Self::Usage(mode) => Some(mode),
            Self::Events | Self::Logins | Self::Clock => Some(Mode::Sandbox),
            Self::Enter
            | Self::Overview
            | Self::Members
            | Self::Audit
            | Self::Sessions
            | Self::Passkeys
            | Self::SingleSignOn
            | Self::Missing => None,
        }
    }

    /// Returns the requests that load the page's lists, with the filters of its deliveries.
    pub fn lists(self, query: &DeliveryQuery) -> Vec<Request> {
        let of_environment = |mode, requests: Vec<Rest>| {
            requests.into_iter().map(|it| Request::Rest(mode, it)).collect::<Vec<_>>()
        };
        let of_sites = |mode, requests: Vec<SiteRequest>| {
            requests.into_iter().map(|it| Request::Site(mode, it)).collect::<Vec<_>>()
        };
        let of_templates = |mode, requests: Vec<TemplateRequest>| {
            requests.into_iter().map(|it| Request::Template(mode, it)).collect::<Vec<_>>()
        };
        // The choices of a link template.
        let choices = |kind| match kind {
            TemplateKind::Link => vec![TemplateRequest::Consents, TemplateRequest::Providers],
            TemplateKind::Consent | TemplateKind::Invite => Vec::new(),
        };
        match self {
            Self::Templates(mode, kind) => of_templates(mode, vec![TemplateRequest::List(kind, None)]),
            Self::NewTemplate(mode, kind) => of_templates(mode, choices(kind)),
            Self::CopiedTemplate(mode, key) | Self::Template(mode, key) => {
                let requests = choices(key.kind).into_iter().chain([TemplateRequest::Get(key)]);
                of_templates(mode, requests.collect())
            }
            Self::Keys(mode) => vec![Request::ListKeys(mode)],
            Self::Members => vec![Request::ListMembers],
            // The names of the members who act.
            Self::Audit => vec![Request::ListAudit(AuditFilters::default(), None), Request::ListMembers],
            // The names of the members whose sessions they are.
            Self::Sessions => vec![Request::ListSessions, Request::ListMembers],
            Self::Webhooks(mode) => of_environment(mode, vec![Rest::ListWebhooks, Rest::WebhookHealth]),
            Self::Webhook(mode, id) => {
                of_environment(mode, vec![Rest::GetWebhook(id), Rest::ListDeliveries(id, query.clone())])
            }
            Self::Sites(mode) => of_sites(mode, vec![SiteRequest::List(None)]),
            Self::NewSite(mode) => of_sites(mode, vec![SiteRequest::Templates]),
            Self::Site(mode, key) => of_sites(mode, vec![SiteRequest::Templates, SiteRequest::Get(key)]),
            Self::Answers(mode, key) => {
                let answers = SiteRequest::Answers(key, AnswerQuery::default());
                of_sites(mode, vec![SiteRequest::Get(key), answers])
            }
            Self::Inviting(mode) => {
                let lists = [
                    InvitingRequest::InviteTemplates,
                    InvitingRequest::LinkTemplates,
                    InvitingRequest::Sites,
                ];
                lists.into_iter().map(|it| Request::Inviting(mode, it)).collect()
            }
            Self::Person(mode, key) => vec![Request::People(mode, PeopleRequest::Get(key))],
            Self::Logins => of_environment(Mode::Sandbox, vec![Rest::ListLogins(None)]),
            Self::Clock => of_environment(Mode::Sandbox, vec![Rest::ReadClock]),
            Self::Requests(mode) | Self::Errors(mode) => of_environment(mode, vec![Rest::ListRequests]),
            Self::Funnel(mode) => {
                vec![Request::Insight(mode, InsightRequest::Funnel(FunnelFilters::default()))]
            }
            Self::Usage(mode) => vec![Request::Insight(mode, InsightRequest::Usage(None))],
            Self::Passkeys => vec![Request::Passkey(PasskeyRequest::List)],
            Self::SingleSignOn => [SignOnRequest::Own, SignOnRequest::Settings].map(Request::SignOn).into(),
            Self::Enter | Self::Overview | Self::People(_) | Self::Events | Self::Missing => Vec::new(),
        }
    }
}
