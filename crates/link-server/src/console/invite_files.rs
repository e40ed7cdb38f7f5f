//! `/console/api/{environment}/inviteFiles` invites the people of a file, and `…/inviteFileChecks` checks it only.
//!
//! A run takes several requests, each with the whole file and the place where it continues. The service keeps no file
//! between them: a row that was invited is found by its key, so a run that was interrupted is repeated.

mod table;

use axum::Json;
use axum::extract::State;
use link_domain::change::{Change, Row};
use link_domain::invitations::invite::NewInvite;
use link_domain::invitations::invite_file::{InvitedRow, Invitee, RowError, read_rows};
use link_domain::kernel::owner::Owner;
use link_domain::use_cases::invite_person;
use link_types::console::invite_files::{
    FileFault, FileResult, FileRow, InviteFile, MAX_FILE_BYTES, MAX_INVITED_AT_ONCE, RowOutcome,
};
use link_types::id::InviteId;
use link_types::problem::FaultCode;

use super::body::LargeBody;
use super::caller::ConsoleCaller;
use crate::app::App;
use crate::http::problem::{ApiResult, Problem, fault};
use crate::uploads::base64_text;

/// The size limit of a body with a file, in bytes.
const BODY_LIMIT: usize = MAX_FILE_BYTES as usize / 3 * 4 + 4_096;

/// Larger files, in characters of base64, are read on the blocking pool.
const LONG: usize = 128 * 1024;

/// Checks a file. Nothing is sent and nothing is stored.
pub(super) async fn check(
    State(app): State<App>,
    caller: ConsoleCaller,
    LargeBody(file): LargeBody<InviteFile, BODY_LIMIT>,
) -> ApiResult<Json<FileResult>> {
    let owner = caller.owner();
    let (file, people) = read_file(file).await?;
    let people = match people {
        Ok(people) => people,
        Err(faults) => return Ok(Json(with_faults(faults))),
    };
    let rows = app
        .store
        .read(move |reader| -> ApiResult<_> {
            let is_invite_template =
                reader.invite_templates().get(&owner, &file.invite_template_id)?.is_some();
            let is_link_template = reader.link_templates().get(&owner, &file.link_template_id)?.is_some();
            let is_site = match &file.link_site_id {
                Some(id) => reader
                    .link_sites()
                    .get(&owner, id)?
                    .is_some_and(|it| it.site.link_template_id == file.link_template_id),
                None => true,
            };
            check_references([is_invite_template, is_link_template, is_site])?;
            let found = reader.invited_rows().find_all(&owner, people.iter().map(|it| &it.key))?;
            let row = |(person, invite_id): (&Invitee, Option<_>)| {
                let outcome = if invite_id.is_some() { RowOutcome::Known } else { RowOutcome::New };
                FileRow { line: person.line, outcome, invite_id }
            };
            Ok(people.iter().zip(found).map(row).collect::<Vec<_>>())
        })
        .await?;
    Ok(Json(FileResult { total: count(rows.len()), faults: Vec::new(), rows, next: None }))
}

/// Invites the next people of a file, at most [`MAX_INVITED_AT_ONCE`], in one unit of work.
pub(super) async fn run(
    State(app): State<App>,
    caller: ConsoleCaller,
    LargeBody(file): LargeBody<InviteFile, BODY_LIMIT>,
) -> ApiResult<Json<FileResult>> {
    let (file, people) = read_file(file).await?;
    let people = match people {
        Ok(people) => people,
        Err(faults) => {
            caller.note_recorded();
            return Ok(Json(with_faults(faults)));
        }
    };
    let recorded = caller.clone();
    let (owner, context, from) = (caller.owner(), app.context(caller.offset()), file.from);
    let total = count(people.len());
    let part: Vec<Invitee> =
        people.into_iter().skip(from as usize).take(MAX_INVITED_AT_ONCE as usize).collect();
    let rows = app
        .store
        .write(move |tx| -> ApiResult<Vec<FileRow>> {
            caller.check_again(tx, context.now().wall())?;
            let mut context = context.clone();
            let is_invite_template =
                tx.invite_templates().get_to_cite(&owner, &file.invite_template_id)?.is_some();
            let is_link_template = tx.link_templates().get_to_cite(&owner, &file.link_template_id)?.is_some();
            let is_site = match &file.link_site_id {
                Some(id) => tx
                    .link_sites()
                    .get(&owner, id)?
                    .is_some_and(|it| it.site.link_template_id == file.link_template_id),
                None => true,
            };
            check_references([is_invite_template, is_link_template, is_site])?;
            let (mut rows, mut all) = (Vec::with_capacity(part.len()), Change::default());
            let known = tx.invited_rows().find_all(&owner, part.iter().map(|it| &it.key))?;
            for (person, known) in part.iter().zip(known) {
                if let Some(id) = known {
                    rows.push(FileRow { line: person.line, outcome: RowOutcome::Known, invite_id: Some(id) });
                    continue;
                }
                let (invite, change) = invite_person(None, new_invite(&owner, &file, person), &mut context);
                let row = InvitedRow {
                    owner: owner.clone(),
                    key: person.key.clone(),
                    invite_id: invite.id.clone(),
                };
                all = all.then(change).then(Change::row(Row::InvitedRow(Box::new(row))));
                rows.push(FileRow {
                    line: person.line,
                    outcome: RowOutcome::Invited,
                    invite_id: Some(invite.id),
                });
            }
            tx.apply(&all, context.now())?;
            let is_invited = |it: &&FileRow| it.outcome == RowOutcome::Invited;
            let invited = rows.iter().filter(is_invited).filter_map(|it| it.invite_id.as_ref());
            caller.record_each(tx, invited.map(InviteId::as_str), &context)?;
            Ok(rows)
        })
        .await?;
    recorded.note_recorded();
    let done = from.saturating_add(count(rows.len()));
    let next = Some(done).filter(|it| *it < total && !rows.is_empty());
    Ok(Json(FileResult { total, faults: Vec::new(), rows, next }))
}

fn new_invite(owner: &Owner, file: &InviteFile, person: &Invitee) -> NewInvite {
    NewInvite {
        owner: owner.clone(),
        invite_template_id: file.invite_template_id.clone(),
        link_template_id: file.link_template_id.clone(),
        link_site_id: file.link_site_id.clone(),
        full_name: person.full_name.clone(),
        first_name: person.first_name.clone(),
        last_name: person.last_name.clone(),
        email_address: person.email_address.clone(),
        locale: person.locale.clone(),
    }
}

/// Reads the rows of a file.
///
/// # Errors
/// 422 for a file that is not a table of text.
async fn read_file(file: InviteFile) -> ApiResult<(InviteFile, Result<Vec<Invitee>, Vec<RowError>>)> {
    if file.file.expose().len() <= LONG {
        let people = read_people(&file)?;
        return Ok((file, people));
    }
    let read = move || read_people(&file).map(|people| (file, people));
    tokio::task::spawn_blocking(read).await.map_err(Problem::system)?
}

fn read_people(file: &InviteFile) -> ApiResult<Result<Vec<Invitee>, Vec<RowError>>> {
    let bytes = base64_text::file(file.file.expose())
        .ok_or_else(|| Problem::invalid_field("file", FaultCode::Invalid, "a `data:` URL in base64"))?;
    if bytes.len() > MAX_FILE_BYTES as usize {
        let limit = format!("at most {MAX_FILE_BYTES} bytes");
        return Err(Problem::invalid_field("file", FaultCode::TooLong, limit));
    }
    let rows = table::read(&bytes)
        .map_err(|error| Problem::invalid_field("file", FaultCode::Invalid, error.to_string()))?;
    let site = file.link_site_id.as_ref().map(|it| it.as_str()).unwrap_or_default();
    let scope = format!("{}/{}/{site}", file.invite_template_id, file.link_template_id);
    Ok(read_rows(rows, &scope))
}

/// Checks that what the file names exists: the invite template, the link template, and the link site with it.
fn check_references(exist: [bool; 3]) -> ApiResult<()> {
    let fields = [
        ("inviteTemplateId", "an invite template of this environment"),
        ("linkTemplateId", "a link template of this environment"),
        ("linkSiteId", "a link site of this environment with this link template"),
    ];
    let missing = fields.iter().zip(exist).filter(|(_, exists)| !exists);
    let faults: Vec<_> =
        missing.map(|((field, expected), _)| fault(*field, FaultCode::Invalid, *expected)).collect();
    if faults.is_empty() { Ok(()) } else { Err(Problem::invalid(faults)) }
}

fn with_faults(faults: Vec<RowError>) -> FileResult {
    let fault = |it: RowError| FileFault { line: it.line, column: it.column, reason: it.reason.to_string() };
    FileResult { total: 0, faults: faults.into_iter().map(fault).collect(), rows: Vec::new(), next: None }
}

fn count(rows: usize) -> u32 {
    u32::try_from(rows).unwrap_or(u32::MAX)
}
