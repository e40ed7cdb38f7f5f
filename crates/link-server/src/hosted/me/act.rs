//! Ending what a person gave: the page that asks, and the act.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use link_domain::change::Change;
use link_domain::kernel::context::Context;
use link_domain::kernel::owner::Owner;
use link_domain::kernel::scope::ErasureScope;
use link_domain::kernel::source::RevokedBy;
use link_domain::notifications::mail::address_hash;
use link_domain::notifications::service_text::{ServiceText, Value};
use link_domain::person_page::page_session::PageSession;
use link_domain::use_cases::{forget_address, revoke_account, revoke_archive};
use link_store::{Label, StoreError, Tx};
use link_types::Sensitive;
use link_types::id::UserId;
use maud::html;

use super::form::{ALL, environment, hidden_fields, read_fields};
use super::items::{Gifts, Item, Object, all};
use super::list::name;
use super::session::{PageCaller, over};
use crate::app::App;
use crate::hosted::page::{Look, Page, Passage};
use crate::hosted::visitor::Browser;
use crate::http::extract::standing::check_erasable;
use crate::http::limits::network::Network;
use crate::http::problem::ApiResult;

/// The number of objects that one unit of work ends. An act with more needs several units.
const AT_ONCE: usize = 20;

/// The objects of one company that a form is about.
struct Target {
    gifts: Gifts,
    what: String,
    /// The users who have none of the person's other objects.
    emptied: BTreeSet<UserId>,
}

impl Target {
    /// Reads the target of a form. `None` if the session does not show it, or its data was erased.
    async fn from_form(app: &App, session: &PageSession, body: Body) -> ApiResult<Option<Self>> {
        let mut fields = read_fields(body).await?;
        let environment_name = fields.remove("environment").unwrap_or_default();
        let what = fields.remove("what").unwrap_or_default();
        let given = all(app, session).await?;
        let gifts = given.into_iter().find(|it| environment(&it.owner) == environment_name);
        let Some(mut gifts) = gifts else { return Ok(None) };
        let others: Vec<_> =
            gifts.items.extract_if(.., |(it, _)| what != ALL && it.scope().as_str() != what).collect();
        let users =
            |items: &[(Item, _)]| items.iter().map(|(it, _)| it.user_id().clone()).collect::<BTreeSet<_>>();
        let emptied = &users(&gifts.items) - &users(&others);
        Ok((!gifts.items.is_empty()).then_some(Self { gifts, what, emptied }))
    }
}

/// Asks before ending. Changes nothing.
pub(super) async fn confirm(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    let look = Look::plain(&app, &browser);
    let Some(caller) = PageCaller::find(&app, &headers, network).await? else {
        return Ok(over(&look, StatusCode::FORBIDDEN));
    };
    let Some(Target { gifts, what, .. }) = Target::from_form(&app, &caller.session, body).await? else {
        return Ok(Redirect::to("/me/data").into_response());
    };
    let owner = gifts.owner.clone();
    app.store.write(move |tx| check_erasable(tx, &owner)).await?;
    let company = || Value::Text(&gifts.company);
    let is_account =
        matches!(gifts.items.as_slice(), [(item, _)] if matches!(item.object, Object::Account(_)));
    let (question, answer) = match is_account && what != ALL {
        true => (ServiceText::MeStopTitle, ServiceText::MeStop),
        false => (ServiceText::MeEraseTitle, ServiceText::MeErase),
    };
    let title = Passage::ours(look.text_with(question, company()));
    let card = html! {
        (title.heading())
        ul { @for (item, _) in &gifts.items { li dir="auto" { (name(&app, &look, item)) } } }
        p { (look.text_with(ServiceText::MeEndText, company())) }
        p { (look.text_with(ServiceText::MeEndCopies, company())) }
        form method="post" action="/me/end" {
            (hidden_fields(&environment(&gifts.owner), &what))
            button.primary type="submit" { (look.text(answer)) }
        }
        a.back href="/me/data" { (look.text(ServiceText::MeBack)) }
    };
    Ok(look.show(StatusCode::OK, &Page { kind: "me", title, widget: None, redirect: None, card }))
}

/// Ends the data. Repeating the request changes nothing.
pub(super) async fn end(
    State(app): State<App>,
    network: Network,
    browser: Browser,
    headers: HeaderMap,
    body: Body,
) -> ApiResult<Response> {
    let look = Look::plain(&app, &browser);
    let Some(caller) = PageCaller::find(&app, &headers, network).await? else {
        return Ok(over(&look, StatusCode::FORBIDDEN));
    };
    let Some(Target { gifts, emptied, .. }) = Target::from_form(&app, &caller.session, body).await? else {
        return Ok(Redirect::to("/me/data").into_response());
    };
    let context = app.context(app.offset_of(&gifts.owner).await?);
    let scopes: Vec<ErasureScope> = gifts.items.iter().map(|(it, _)| it.scope()).collect();
    for some in scopes.chunks(AT_ONCE) {
        let (owner, some, context) = (gifts.owner.clone(), some.to_vec(), context.clone());
        let (users, session) = (emptied.clone(), caller.session.clone());
        app.store
            .write(move |tx| -> ApiResult<_> {
                let mut context = context.clone();
                check_erasable(tx, &owner)?;
                // With the first objects: an act that fails later leaves objects, by which the person finds it again.
                forget_addresses(tx, &owner, (&users, &session), &context)?;
                for scope in &some {
                    let change = end_object(tx, &owner, scope, &mut context)?;
                    tx.apply(&change, context.now())?;
                }
                Ok(())
            })
            .await?;
    }
    let title = Passage::ours(look.text(ServiceText::MeDoneTitle));
    let card = html! {
        (title.heading())
        p { (look.text_with(ServiceText::MeDoneText, Value::Text(&gifts.company))) }
        a.primary href="/me/data" { (look.text(ServiceText::MeBack)) }
    };
    Ok(look.show(StatusCode::OK, &Page { kind: "me", title, widget: None, redirect: None, card }))
}

/// Forgets the address that the session belongs to, where the person proved it in visits of these users.
fn forget_addresses(
    tx: &mut Tx<'_>,
    owner: &Owner,
    (users, session): (&BTreeSet<UserId>, &PageSession),
    context: &Context,
) -> ApiResult<()> {
    let key = tx.derive_key(Label::Lookup);
    let is_theirs = |it: &Sensitive| address_hash(&key, it.expose()) == session.address;
    for id in users {
        let visits = tx.visits().proofs_of_user(owner, id)?;
        if let Some(user) = tx.users().get(owner, id).or_else(if_erased)? {
            tx.apply(&forget_address(user, visits, is_theirs), context.now())?;
        }
    }
    Ok(())
}

/// Treats an object whose data is erased as one that does not exist.
fn if_erased<T>(error: StoreError) -> Result<Option<T>, StoreError> {
    if matches!(error, StoreError::Erased) { Ok(None) } else { Err(error) }
}

/// Ends one object as the person asks. An object that has ended in the meantime changes nothing.
fn end_object(
    tx: &mut Tx<'_>,
    owner: &Owner,
    scope: &ErasureScope,
    context: &mut Context,
) -> ApiResult<Change> {
    let by = RevokedBy::User;
    Ok(match scope {
        ErasureScope::Account(id) => match tx.accounts().get(owner, id).or_else(if_erased)? {
            Some(account) => revoke_account(account, by, context)?,
            None => Change::default(),
        },
        ErasureScope::Archive(id) => match tx.archives().get(owner, id).or_else(if_erased)? {
            Some(archive) => revoke_archive(archive, by, context)?,
            None => Change::default(),
        },
        ErasureScope::Form(id) => match tx.forms().lock(owner, id)? {
            Some(form) => form.erase(context),
            None => scope.clone().remove(owner, context),
        },
        ErasureScope::Record(_) | ErasureScope::Signal(_) | ErasureScope::Invite(_) => Change::default(),
    })
}
