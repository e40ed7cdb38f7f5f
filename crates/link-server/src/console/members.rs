//! `/console/api/members`: lists, invites, changes and removes the members of the tenant.

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use link_domain::change::{Change, Deletion};
use link_domain::console::member::{Member, MemberError, fold_email};
use link_domain::console::sign_in::{INVITATION_LIFE, SignInAddress, address};
use link_domain::kernel::clock::{ClockOffset, TenantTime};
use link_domain::kernel::context::Context;
use link_types::Sensitive;
use link_types::console::{self, Items, MemberDraft, OneTimeAddress, RoleChange};
use link_types::id::MemberId;
use link_types::problem::FaultCode;

use super::body::ConsoleBody;
use super::caller::ConsoleCaller;
use crate::app::App;
use crate::http::problem::{ApiResult, Problem};

/// Lists the members of the tenant, oldest first.
pub(super) async fn list(
    State(app): State<App>,
    caller: ConsoleCaller,
) -> ApiResult<Json<Items<console::Member>>> {
    let tenant = caller.tenant.id;
    let members = app.store.read(move |reader| reader.console_members().list(&tenant)).await?;
    Ok(Json(Items { items: members.iter().map(Member::view).collect() }))
}

/// Invites a member, and returns a one-time address for them.
pub(super) async fn invite(
    State(app): State<App>,
    caller: ConsoleCaller,
    ConsoleBody(draft): ConsoleBody<MemberDraft>,
) -> ApiResult<(StatusCode, Json<OneTimeAddress>)> {
    let (tenant, by) = (caller.tenant.id.clone(), caller.giver());
    let email = fold_email(&draft.email);
    let act = caller.clone();
    let invited = decide(&app, caller, email, move |members, context| {
        let (member, change) =
            Member::invite(tenant.clone(), &draft, members, context).map_err(to_problem)?;
        let (sign_in, code, created) =
            SignInAddress::create(member.id.clone(), Some(by.clone()), INVITATION_LIFE, context);
        Ok(((member, sign_in, code), change.then(created)))
    })
    .await?;
    act.concerns(invited.0.id.as_str());
    Ok((StatusCode::CREATED, Json(one_time_address(&app, invited))))
}

/// Creates another one-time address for a member. An earlier one stops working.
pub(super) async fn create_address(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: ConsoleCaller,
) -> ApiResult<(StatusCode, Json<OneTimeAddress>)> {
    let by = caller.giver();
    let created = decide(&app, caller, String::new(), move |members, context| {
        let member = find(members, &id)?;
        let (sign_in, code, change) =
            SignInAddress::create(member.id.clone(), Some(by.clone()), INVITATION_LIFE, context);
        Ok(((member, sign_in, code), change))
    })
    .await?;
    Ok((StatusCode::CREATED, Json(one_time_address(&app, created))))
}

/// Gives a member another role.
pub(super) async fn change_role(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: ConsoleCaller,
    ConsoleBody(body): ConsoleBody<RoleChange>,
) -> ApiResult<Json<console::Member>> {
    let member = decide(&app, caller, String::new(), move |members, _| {
        find(members, &id)?.with_role(body.role, members).map_err(to_problem)
    })
    .await?;
    Ok(Json(member.view()))
}

/// Removes a member, and ends their sessions.
pub(super) async fn remove(
    State(app): State<App>,
    Path(id): Path<String>,
    caller: ConsoleCaller,
) -> ApiResult<StatusCode> {
    decide(&app, caller, String::new(), move |members, _| {
        Ok(((), find(members, &id)?.remove(members).map_err(to_problem)?))
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Decides with all members of the caller's tenant, and writes the decision. Locks the tenant, so that no two decisions
/// overlap. Recognizes the member with this e-mail address even if their key is lost.
async fn decide<T: Send + 'static>(
    app: &App,
    caller: ConsoleCaller,
    email: String,
    decide: impl Fn(&[Member], &mut Context) -> ApiResult<(T, Change)> + Send + 'static,
) -> ApiResult<T> {
    let context = app.context(ClockOffset::default());
    app.store
        .write(move |tx| {
            let mut context = context.clone();
            caller.check_again(tx, context.now().wall())?;
            let members = tx.console_members().list_knowing(&caller.tenant.id, &email)?;
            let (decided, mut change) = decide(&members, &mut context)?;
            let provider = tx.identity_providers().get(&caller.tenant.id)?;
            if provider.is_some_and(|it| it.is_required) {
                // A former owner may have signed in without the provider.
                change.deletions.push(Deletion::SessionsWithoutProvider(caller.tenant.id.clone()));
            }
            tx.apply(&change, context.now())?;
            Ok(decided)
        })
        .await
}

fn find(members: &[Member], id: &str) -> ApiResult<Member> {
    let id: MemberId = id.parse().map_err(|_| Problem::missing())?;
    members.iter().find(|it| it.id == id).cloned().ok_or_else(Problem::missing)
}

fn one_time_address(
    app: &App,
    (member, sign_in, code): (Member, SignInAddress, Sensitive),
) -> OneTimeAddress {
    OneTimeAddress {
        member: member.view(),
        url: address(&app.settings.console_url, &code).expose().to_owned(),
        expires_at: TenantTime::from_micros(sign_in.expires_at.micros()).into(),
    }
}

fn to_problem(error: MemberError) -> Problem {
    match error {
        MemberError::Email => Problem::invalid_field(
            "email",
            FaultCode::Invalid,
            "an e-mail address, for example ana@shop.example",
        ),
        MemberError::Name => Problem::invalid_field("name", FaultCode::Invalid, "1 to 80 characters"),
        MemberError::Exists => Problem::conflict("A member with this e-mail address exists."),
        MemberError::Limit => {
            Problem::conflict("The tenant has the maximum number of members. Remove one first.")
        }
        MemberError::LastOwner => {
            Problem::conflict("A tenant must keep one owner. Make another member an owner first.")
        }
    }
}
