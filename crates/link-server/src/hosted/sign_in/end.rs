//! The last page of a login at a provider.

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::linking::account::{ProviderResponse, RedirectError};
use link_domain::notifications::service_text::ServiceText;
use maud::html;

use crate::app::App;
use crate::hosted::page::{Look, Page, Passage};
use crate::hosted::show::WIDGET_PATH;
use crate::hosted::visitor::Browser;

/// End of the address of a page for a person who continues in this window.
const HERE: &str = "-here";

/// The end of a login on the provider's page, as the address of the last page names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SignInEnd {
    Received,
    Refused,
    Failed,
    Over,
    Expired,
    OtherBrowser,
    WrongIssuer,
    Unknown,
}

impl SignInEnd {
    const ALL: [Self; 8] = [
        Self::Received,
        Self::Refused,
        Self::Failed,
        Self::Over,
        Self::Expired,
        Self::OtherBrowser,
        Self::WrongIssuer,
        Self::Unknown,
    ];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Over => "over",
            Self::Expired => "expired",
            Self::OtherBrowser => "other-browser",
            Self::WrongIssuer => "wrong-issuer",
            Self::Unknown => "unknown",
        }
    }

    const fn texts(self) -> (ServiceText, ServiceText) {
        match self {
            Self::Received => (ServiceText::PageSignInReceivedTitle, ServiceText::PageSignInReceivedText),
            Self::Refused => (ServiceText::PageSignInRefusedTitle, ServiceText::PageSignInRefusedText),
            Self::Failed => (ServiceText::PageSignInFailedTitle, ServiceText::PageSignInFailedText),
            Self::Over => (ServiceText::PageSignInOverTitle, ServiceText::PageSignInOverText),
            Self::Expired => (ServiceText::PageSignInExpiredTitle, ServiceText::PageSignInExpiredText),
            Self::OtherBrowser => (ServiceText::PageSignInBrowserTitle, ServiceText::PageSignInBrowserText),
            Self::WrongIssuer => (ServiceText::PageSignInIssuerTitle, ServiceText::PageSignInIssuerText),
            Self::Unknown => (ServiceText::PageSignInUnknownTitle, ServiceText::PageSignInUnknownText),
        }
    }

    const fn status(self) -> StatusCode {
        match self {
            Self::Received | Self::Refused | Self::Failed => StatusCode::OK,
            Self::Over | Self::Expired => StatusCode::GONE,
            Self::OtherBrowser | Self::WrongIssuer => StatusCode::FORBIDDEN,
            Self::Unknown => StatusCode::NOT_FOUND,
        }
    }

    pub(super) const fn from_response(response: &ProviderResponse) -> Self {
        match response {
            ProviderResponse::Code { .. } => Self::Received,
            ProviderResponse::Denied => Self::Refused,
            ProviderResponse::Failed { .. } => Self::Failed,
        }
    }

    /// Returns the page. `here`: the address at which the person continues in this window, if no other one waits for them.
    pub(super) fn page(self, app: &App, browser: &Browser, here: Option<&str>) -> Response {
        let look = Look::plain(app, browser);
        let (heading, text) = self.texts();
        let Some(here) = here else { return look.say(self.status(), heading, text) };
        let title = Passage::ours(look.text(heading));
        let card = html! {
            (title.heading())
            p { (look.text(ServiceText::PageSignInHereText)) }
            a.primary href=(here) { (look.text(ServiceText::PageSignInHere)) }
        };
        look.show(self.status(), &Page { kind: "message", title, widget: None, redirect: None, card })
    }

    /// Redirects to the page, whose address has neither the code nor the `state`. `is_here`: the person continues in this
    /// window.
    pub(super) fn redirect(self, is_here: bool) -> Response {
        let suffix = if is_here { HERE } else { "" };
        Redirect::to(&format!("/sign-in/done/{}{suffix}", self.as_str())).into_response()
    }
}

impl From<RedirectError> for SignInEnd {
    fn from(refused: RedirectError) -> Self {
        match refused {
            RedirectError::Over => Self::Over,
            RedirectError::Expired => Self::Expired,
            RedirectError::OtherBrowser => Self::OtherBrowser,
            RedirectError::OtherProvider | RedirectError::WrongIssuer => Self::WrongIssuer,
        }
    }
}

/// Says how the login ended, and where the person continues.
pub(in crate::hosted) async fn show_end(
    State(app): State<App>,
    Path(end): Path<String>,
    browser: Browser,
) -> Response {
    let (name, is_here) = end.strip_suffix(HERE).map_or((end.as_str(), false), |name| (name, true));
    let end = SignInEnd::ALL.into_iter().find(|it| it.as_str() == name).unwrap_or(SignInEnd::Unknown);
    end.page(&app, &browser, is_here.then_some(WIDGET_PATH))
}
