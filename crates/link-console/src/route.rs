//! The addresses of the pages.

use link_types::Mode;
use yew_router::Routable;

use crate::core::Page;
use crate::core::templates::kind::{TemplateKey, TemplateKind};
use crate::core::webhook_key::{PersonKey, SiteKey, WebhookKey};

/// The addresses of the pages below `/console`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Routable)]
pub enum Route {
    /// The first page.
    #[at("/")]
    Overview,
    /// The page of a one-time address.
    #[at("/enter")]
    Enter,
    /// API keys of the sandbox.
    #[at("/keys/sandbox")]
    SandboxKeys,
    /// API keys of production.
    #[at("/keys/production")]
    ProductionKeys,
    /// Webhooks of the sandbox.
    #[at("/webhooks/sandbox")]
    SandboxWebhooks,
    /// Webhooks of production.
    #[at("/webhooks/production")]
    ProductionWebhooks,
    /// A webhook of the sandbox.
    #[at("/webhooks/sandbox/:id")]
    SandboxWebhook {
        /// The webhook.
        id: WebhookKey,
    },
    /// A webhook of production.
    #[at("/webhooks/production/:id")]
    ProductionWebhook {
        /// The webhook.
        id: WebhookKey,
    },
    /// Templates of the sandbox.
    #[at("/templates/sandbox/:kind")]
    SandboxTemplates {
        /// The kind.
        kind: TemplateKind,
    },
    /// Templates of production.
    #[at("/templates/production/:kind")]
    ProductionTemplates {
        /// The kind.
        kind: TemplateKind,
    },
    /// A new template of the sandbox.
    #[at("/templates/sandbox/:kind/new")]
    NewSandboxTemplate {
        /// The kind.
        kind: TemplateKind,
    },
    /// A new template of production.
    #[at("/templates/production/:kind/new")]
    NewProductionTemplate {
        /// The kind.
        kind: TemplateKind,
    },
    /// A copy of a template of the sandbox.
    #[at("/templates/sandbox/:kind/copy/:id")]
    CopiedSandboxTemplate {
        /// The kind.
        kind: TemplateKind,
        /// The template that is copied.
        id: TemplateKey,
    },
    /// A copy of a template of production.
    #[at("/templates/production/:kind/copy/:id")]
    CopiedProductionTemplate {
        /// The kind.
        kind: TemplateKind,
        /// The template that is copied.
        id: TemplateKey,
    },
    /// A template of the sandbox.
    #[at("/templates/sandbox/:kind/:id")]
    SandboxTemplate {
        /// The kind.
        kind: TemplateKind,
        /// The template.
        id: TemplateKey,
    },
    /// A template of production.
    #[at("/templates/production/:kind/:id")]
    ProductionTemplate {
        /// The kind.
        kind: TemplateKind,
        /// The template.
        id: TemplateKey,
    },
    /// Link sites of the sandbox.
    #[at("/sites/sandbox")]
    SandboxSites,
    /// Link sites of production.
    #[at("/sites/production")]
    ProductionSites,
    /// A new link site of the sandbox.
    #[at("/sites/sandbox/new")]
    NewSandboxSite,
    /// A new link site of production.
    #[at("/sites/production/new")]
    NewProductionSite,
    /// A link site of the sandbox.
    #[at("/sites/sandbox/:id")]
    SandboxSite {
        /// The link site.
        id: SiteKey,
    },
    /// A link site of production.
    #[at("/sites/production/:id")]
    ProductionSite {
        /// The link site.
        id: SiteKey,
    },
    /// Answers on a link site of the sandbox.
    #[at("/sites/sandbox/:id/answers")]
    SandboxAnswers {
        /// The link site.
        id: SiteKey,
    },
    /// Answers on a link site of production.
    #[at("/sites/production/:id/answers")]
    ProductionAnswers {
        /// The link site.
        id: SiteKey,
    },
    /// The search for people of the sandbox.
    #[at("/people/sandbox")]
    SandboxPeople,
    /// The search for people of production.
    #[at("/people/production")]
    ProductionPeople,
    /// The page that invites people of the sandbox.
    #[at("/invite/sandbox")]
    SandboxInviting,
    /// The page that invites people of production.
    #[at("/invite/production")]
    ProductionInviting,
    /// A person of the sandbox.
    #[at("/people/sandbox/:id")]
    SandboxPerson {
        /// The person.
        id: PersonKey,
    },
    /// A person of production.
    #[at("/people/production/:id")]
    ProductionPerson {
        /// The person.
        id: PersonKey,
    },
    /// Events of the sandbox.
    #[at("/events/sandbox")]
    Events,
    /// Logins of the sandbox.
    #[at("/logins/sandbox")]
    Logins,
    /// Clock of the sandbox.
    #[at("/clock/sandbox")]
    Clock,
    /// Latest requests to the sandbox.
    #[at("/requests/sandbox")]
    SandboxRequests,
    /// Latest requests to production.
    #[at("/requests/production")]
    ProductionRequests,
    /// Errors of the sandbox.
    #[at("/errors/sandbox")]
    SandboxErrors,
    /// Errors of production.
    #[at("/errors/production")]
    ProductionErrors,
    /// Funnel of the sandbox.
    #[at("/funnel/sandbox")]
    SandboxFunnel,
    /// Funnel of production.
    #[at("/funnel/production")]
    ProductionFunnel,
    /// Usage of the sandbox.
    #[at("/usage/sandbox")]
    SandboxUsage,
    /// Usage of production.
    #[at("/usage/production")]
    ProductionUsage,
    /// Members.
    #[at("/members")]
    Members,
    /// The audit log.
    #[at("/audit")]
    Audit,
    /// Sessions.
    #[at("/sessions")]
    Sessions,
    /// The member's passkeys.
    #[at("/passkeys")]
    Passkeys,
    /// Single sign-on.
    #[at("/single-sign-on")]
    SingleSignOn,
    /// Any other address.
    #[not_found]
    #[at("/missing")]
    Missing,
}

impl Route {
    /// Returns the page at the address.
    pub const fn page(self) -> Page {
        match self {
            Self::Overview => Page::Overview,
            Self::Enter => Page::Enter,
            Self::SandboxKeys => Page::Keys(Mode::Sandbox),
            Self::ProductionKeys => Page::Keys(Mode::Production),
            Self::SandboxWebhooks => Page::Webhooks(Mode::Sandbox),
            Self::ProductionWebhooks => Page::Webhooks(Mode::Production),
            Self::SandboxWebhook { id } => Page::Webhook(Mode::Sandbox, id),
            Self::ProductionWebhook { id } => Page::Webhook(Mode::Production, id),
            Self::SandboxTemplates { kind } => Page::Templates(Mode::Sandbox, kind),
            Self::ProductionTemplates { kind } => Page::Templates(Mode::Production, kind),
            Self::NewSandboxTemplate { kind } => Page::NewTemplate(Mode::Sandbox, kind),
            Self::NewProductionTemplate { kind } => Page::NewTemplate(Mode::Production, kind),
            Self::CopiedSandboxTemplate { id, .. } => Page::CopiedTemplate(Mode::Sandbox, id),
            Self::CopiedProductionTemplate { id, .. } => Page::CopiedTemplate(Mode::Production, id),
            Self::SandboxTemplate { id, .. } => Page::Template(Mode::Sandbox, id),
            Self::ProductionTemplate { id, .. } => Page::Template(Mode::Production, id),
            Self::SandboxSites => Page::Sites(Mode::Sandbox),
            Self::ProductionSites => Page::Sites(Mode::Production),
            Self::NewSandboxSite => Page::NewSite(Mode::Sandbox),
            Self::NewProductionSite => Page::NewSite(Mode::Production),
            Self::SandboxSite { id } => Page::Site(Mode::Sandbox, id),
            Self::ProductionSite { id } => Page::Site(Mode::Production, id),
            Self::SandboxAnswers { id } => Page::Answers(Mode::Sandbox, id),
            Self::ProductionAnswers { id } => Page::Answers(Mode::Production, id),
            Self::SandboxPeople => Page::People(Mode::Sandbox),
            Self::ProductionPeople => Page::People(Mode::Production),
            Self::SandboxInviting => Page::Inviting(Mode::Sandbox),
            Self::ProductionInviting => Page::Inviting(Mode::Production),
            Self::SandboxPerson { id } => Page::Person(Mode::Sandbox, id),
            Self::ProductionPerson { id } => Page::Person(Mode::Production, id),
            Self::Events => Page::Events,
            Self::Logins => Page::Logins,
            Self::Clock => Page::Clock,
            Self::SandboxRequests => Page::Requests(Mode::Sandbox),
            Self::ProductionRequests => Page::Requests(Mode::Production),
            Self::SandboxErrors => Page::Errors(Mode::Sandbox),
            Self::ProductionErrors => Page::Errors(Mode::Production),
            Self::SandboxFunnel => Page::Funnel(Mode::Sandbox),
            Self::ProductionFunnel => Page::Funnel(Mode::Production),
            Self::SandboxUsage => Page::Usage(Mode::Sandbox),
            Self::ProductionUsage => Page::Usage(Mode::Production),
            Self::Members => Page::Members,
            Self::Audit => Page::Audit,
            Self::Sessions => Page::Sessions,
            Self::Passkeys => Page::Passkeys,
            Self::SingleSignOn => Page::SingleSignOn,
            Self::Missing => Page::Missing,
        }
    }

    /// Returns the address of a page.
    pub const fn for_page(page: Page) -> Self {
        match page {
            Page::Overview => Self::Overview,
            Page::Enter => Self::Enter,
            Page::Keys(Mode::Sandbox) => Self::SandboxKeys,
            Page::Keys(Mode::Production) => Self::ProductionKeys,
            Page::Webhooks(Mode::Sandbox) => Self::SandboxWebhooks,
            Page::Webhooks(Mode::Production) => Self::ProductionWebhooks,
            Page::Webhook(Mode::Sandbox, id) => Self::SandboxWebhook { id },
            Page::Webhook(Mode::Production, id) => Self::ProductionWebhook { id },
            Page::Templates(Mode::Sandbox, kind) => Self::SandboxTemplates { kind },
            Page::Templates(Mode::Production, kind) => Self::ProductionTemplates { kind },
            Page::NewTemplate(Mode::Sandbox, kind) => Self::NewSandboxTemplate { kind },
            Page::NewTemplate(Mode::Production, kind) => Self::NewProductionTemplate { kind },
            Page::CopiedTemplate(Mode::Sandbox, id) => Self::CopiedSandboxTemplate { kind: id.kind, id },
            Page::CopiedTemplate(Mode::Production, id) => {
                Self::CopiedProductionTemplate { kind: id.kind, id }
            }
            Page::Template(Mode::Sandbox, id) => Self::SandboxTemplate { kind: id.kind, id },
            Page::Template(Mode::Production, id) => Self::ProductionTemplate { kind: id.kind, id },
            Page::Sites(Mode::Sandbox) => Self::SandboxSites,
            Page::Sites(Mode::Production) => Self::ProductionSites,
            Page::NewSite(Mode::Sandbox) => Self::NewSandboxSite,
            Page::NewSite(Mode::Production) => Self::NewProductionSite,
            Page::Site(Mode::Sandbox, id) => Self::SandboxSite { id },
            Page::Site(Mode::Production, id) => Self::ProductionSite { id },
            Page::Answers(Mode::Sandbox, id) => Self::SandboxAnswers { id },
            Page::Answers(Mode::Production, id) => Self::ProductionAnswers { id },
            Page::People(Mode::Sandbox) => Self::SandboxPeople,
            Page::People(Mode::Production) => Self::ProductionPeople,
            Page::Inviting(Mode::Sandbox) => Self::SandboxInviting,
            Page::Inviting(Mode::Production) => Self::ProductionInviting,
            Page::Person(Mode::Sandbox, id) => Self::SandboxPerson { id },
            Page::Person(Mode::Production, id) => Self::ProductionPerson { id },
            Page::Events => Self::Events,
            Page::Logins => Self::Logins,
            Page::Clock => Self::Clock,
            Page::Requests(Mode::Sandbox) => Self::SandboxRequests,
            Page::Requests(Mode::Production) => Self::ProductionRequests,
            Page::Errors(Mode::Sandbox) => Self::SandboxErrors,
            Page::Errors(Mode::Production) => Self::ProductionErrors,
            Page::Funnel(Mode::Sandbox) => Self::SandboxFunnel,
            Page::Funnel(Mode::Production) => Self::ProductionFunnel,
            Page::Usage(Mode::Sandbox) => Self::SandboxUsage,
            Page::Usage(Mode::Production) => Self::ProductionUsage,
            Page::Members => Self::Members,
            Page::Audit => Self::Audit,
            Page::Sessions => Self::Sessions,
            Page::Passkeys => Self::Passkeys,
            Page::SingleSignOn => Self::SingleSignOn,
            Page::Missing => Self::Missing,
        }
    }
}
