//! The stateful component: passes every event to the core, and runs the effects.

use link_types::Mode;
use wasm_bindgen::JsCast as _;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::spawn_local;
use web_sys::{Document, HtmlElement, HtmlFormElement, HtmlInputElement};
use yew::prelude::*;
use yew_router::prelude::*;

use crate::core::ceremony::PasskeyEvent;
use crate::core::templates::preview::{DRAFT, PreviewInput};
use crate::core::{Effect, Event, Input, Language, Page, SiteInput, State, TemplateInput, Text};
use crate::route::Route;
use crate::view::shown::Shown;
use crate::{crypto, drafts, fetch, passkey, view};

/// How long the preview of a template waits for the next change, in milliseconds.
const PAUSE: i32 = 500;

/// How long a page waits before it asks again for what is about to change, in milliseconds.
const SOON: i32 = 1_000;

/// The router, with the portal inside.
#[component]
pub fn Root() -> Html {
    html! { <BrowserRouter basename="/console"><AppAtRoute /></BrowserRouter> }
}

#[component]
fn AppAtRoute() -> Html {
    let page = use_route::<Route>().unwrap_or(Route::Missing).page();
    html! { <App {page} /> }
}

/// The properties of [`App`].
#[derive(Debug, PartialEq, Properties)]
pub struct Props {
    /// The page that the address names.
    pub page: Page,
}

/// The portal.
pub struct App {
    state: State,
    language: Language,
    /// The selector of the element to focus after the next drawing.
    focus: Option<String>,
    /// The form to submit after the next drawing.
    submit: Option<&'static str>,
    /// Receives the changes of the address's fragment, for as long as the portal is shown.
    _fragment: Closure<dyn Fn()>,
}

impl Component for App {
    type Message = Event;
    type Properties = Props;

    fn create(ctx: &Context<Self>) -> Self {
        let window = web_sys::window();
        let tag = window.as_ref().and_then(|it| it.navigator().language()).unwrap_or_default();
        let language = Language::from_tag(&tag);
        if let Some(root) = document().and_then(|it| it.document_element()) {
            drop(root.set_attribute("lang", language.tag()));
        }
        // A new address in the same tab changes only the fragment, so that the browser does not load the page.
        let link = ctx.link().clone();
        let fragment =
            Closure::<dyn Fn()>::new(move || link.send_message(Event::CodeChanged(code().is_some())));
        if let Some(window) = window {
            window.set_onhashchange(Some(fragment.as_ref().unchecked_ref()));
        }
        let mut app = Self { state: State::new(), language, focus: None, submit: None, _fragment: fragment };
        let event = Event::Started(ctx.props().page, code().is_some());
        app.handle(ctx, event);
        app
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &Props) -> bool {
        if ctx.props().page != old.page {
            self.handle(ctx, Event::Opened(ctx.props().page));
        }
        true
    }

    fn update(&mut self, ctx: &Context<Self>, event: Event) -> bool {
        self.handle(ctx, event);
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        view::portal(&Shown {
            state: &self.state,
            language: self.language,
            emit: ctx.link().callback(|event| event),
        })
    }

    fn rendered(&mut self, _: &Context<Self>, _: bool) {
        let Some(document) = document() else { return };
        let title = self.state.page.title().in_language(self.language);
        // So that tabs of the two environments cannot be mistaken either.
        let environment = match self.state.page.mode() {
            Some(Mode::Sandbox) => format!(" – {}", Text::Sandbox.in_language(self.language)),
            Some(Mode::Production) => format!(" – {}", Text::Production.in_language(self.language)),
            None => String::new(),
        };
        document.set_title(&format!("{title}{environment} – Linchpin"));
        let form = self.submit.take().and_then(|id| document.get_element_by_id(id));
        if let Some(form) = form.and_then(|it| it.dyn_into::<HtmlFormElement>().ok()) {
            let field = form.query_selector(&format!("[name={DRAFT}]")).ok().flatten();
            let body = self.state.templates.preview_body().and_then(|it| fetch::json(&it));
            if let Some(field) = field.and_then(|it| it.dyn_into::<HtmlInputElement>().ok()) {
                field.set_value(&body.unwrap_or_default());
            }
            drop(form.request_submit());
        }
        let Some(selector) = self.focus.take() else { return };
        let found = document.query_selector(&selector).ok().flatten();
        if let Some(element) = found.and_then(|it| it.dyn_into::<HtmlElement>().ok()) {
            drop(element.focus());
        }
    }
}

impl App {
    /// Passes an event to the core, and runs the effects.
    fn handle(&mut self, ctx: &Context<Self>, event: Event) {
        for effect in self.state.handle(event) {
            match effect {
                Effect::Send(request) => {
                    let (code, link, language) = (code(), ctx.link().clone(), self.language);
                    spawn_local(async move {
                        let response = fetch::send(&request, code.as_deref(), language).await;
                        link.send_message(Event::respond(request, response));
                    });
                }
                Effect::SendLater(request) => {
                    let (link, language) = (ctx.link().clone(), self.language);
                    spawn_local(async move {
                        fetch::wait(SOON).await;
                        let response = fetch::send(&request, None, language).await;
                        link.send_message(Event::respond(request, response));
                    });
                }
                Effect::AskBrowser(ceremony, asked) => {
                    let link = ctx.link().clone();
                    spawn_local(async move {
                        let response = passkey::ask(ceremony, &asked.options).await;
                        let challenge = asked.challenge;
                        link.send_message(Event::Passkey(PasskeyEvent::Asked {
                            ceremony,
                            challenge,
                            response,
                        }));
                    });
                }
                Effect::Digest { secret, body } => {
                    let link = ctx.link().clone();
                    spawn_local(async move {
                        let digests = crypto::digests(&secret, &body).await.ok();
                        link.send_message(Event::Developer(Input::Digested(digests)));
                    });
                }
                Effect::GoTo(page) => {
                    if let Some(navigator) = ctx.link().navigator() {
                        navigator.replace(&Route::for_page(page));
                    }
                }
                Effect::Leave(url) => {
                    if let Some(window) = web_sys::window() {
                        drop(window.location().assign(&url));
                    }
                }
                Effect::Focus(selector) => self.focus = Some(selector.to_owned()),
                Effect::FocusId(id) => self.focus = Some(format!("#{id}")),
                Effect::Keep(name, draft) => drafts::keep(&name, draft.as_deref()),
                Effect::Recall(name) => {
                    let draft = drafts::recall(&name).map(Box::new);
                    ctx.link().send_message(Event::Site(SiteInput::Recalled(draft)));
                }
                Effect::KeepTemplate(name, draft) => drafts::keep(&name, draft.as_deref()),
                Effect::RecallTemplate(name) => {
                    let draft = drafts::recall(&name).map(Box::new);
                    ctx.link().send_message(Event::Template(TemplateInput::Recalled(draft)));
                }
                Effect::PreviewLater(number) => {
                    let link = ctx.link().clone();
                    spawn_local(async move {
                        fetch::wait(PAUSE).await;
                        link.send_message(Event::Template(TemplateInput::Preview(PreviewInput::Due(number))));
                    });
                }
                Effect::Submit(id) => self.submit = Some(id),
                Effect::ForgetDrafts(prefix) => drafts::forget(&prefix),
            }
        }
    }
}

/// Returns the code of the one-time address. It leaves the address as soon as it was used.
fn code() -> Option<String> {
    let fragment = web_sys::window()?.location().hash().ok()?;
    fragment.strip_prefix('#').filter(|it| !it.is_empty()).map(str::to_owned)
}

fn document() -> Option<Document> {
    web_sys::window().and_then(|it| it.document())
}
