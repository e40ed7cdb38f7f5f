use link_types::Mode;
use link_types::console::invite_files::{FileFault, FileResult, FileRow, RowOutcome};

use super::request::{InvitingRequest, InvitingResponse};
use super::{InviteDraft, InvitingInput, Named, result_csv};
use crate::core::page::Page;
use crate::core::tests::start;
use crate::core::{Effect, Event, Failure, Request, Response, State, Text};

const FILE: &str = "data:text/csv;base64,YQ==";

fn portal() -> State {
    let mut state = start(Page::Inviting(Mode::Sandbox));
    let (invite, link) = (format!("ivt-{}", "1".repeat(32)), format!("lt-{}", "2".repeat(32)));
    let invite = Named { id: invite.parse().unwrap(), name: "Default".to_owned() };
    let link = Named { id: link.parse().unwrap(), name: "Loans".to_owned() };
    respond(
        &mut state,
        InvitingRequest::InviteTemplates,
        Ok(InvitingResponse::InviteTemplates(vec![invite])),
    );
    respond(&mut state, InvitingRequest::LinkTemplates, Ok(InvitingResponse::LinkTemplates(vec![link])));
    respond(&mut state, InvitingRequest::Sites, Ok(InvitingResponse::Sites(Vec::new())));
    state
}

fn respond(
    state: &mut State,
    request: InvitingRequest,
    response: Result<InvitingResponse, Failure>,
) -> Vec<Effect> {
    let request = Request::Inviting(Mode::Sandbox, request);
    state.handle(Event::respond(request, response.map(Response::Inviting)))
}

fn act(state: &mut State, input: InvitingInput) -> Vec<Effect> {
    state.handle(Event::Inviting(input))
}

fn row(line: u32, outcome: RowOutcome) -> FileRow {
    let id = format!("iv-{line:032x}").parse().unwrap();
    FileRow { line, outcome, invite_id: (outcome != RowOutcome::New).then_some(id) }
}

fn result(total: u32, rows: Vec<FileRow>, next: Option<u32>) -> InvitingResponse {
    InvitingResponse::Result(Box::new(FileResult { total, faults: Vec::new(), rows, next }))
}

fn last_request(effects: &[Effect]) -> InvitingRequest {
    let Some(Effect::Send(Request::Inviting(Mode::Sandbox, request))) = effects.last() else {
        panic!("{effects:?}")
    };
    request.clone()
}

/// Returns the portal with a checked file of two people.
fn check_file() -> (State, Box<InviteDraft>) {
    let mut state = portal();
    act(&mut state, InvitingInput::FileChosen("people.csv".into(), FILE.into()));
    let InvitingRequest::Check(draft) = last_request(&act(&mut state, InvitingInput::CheckWanted)) else {
        panic!()
    };
    let rows = vec![row(2, RowOutcome::New), row(3, RowOutcome::Known)];
    respond(&mut state, InvitingRequest::Check(draft.clone()), Ok(result(2, rows, None)));
    (state, draft)
}

#[test]
fn failed_list_is_reported_and_blocks_the_check() {
    let mut state = portal();
    act(&mut state, InvitingInput::FileChosen("people.csv".into(), FILE.into()));
    respond(&mut state, InvitingRequest::Sites, Err(Failure::Denied));
    assert_eq!(state.inviting.list_failure(), Some(&Failure::Denied));
    assert_eq!(act(&mut state, InvitingInput::CheckWanted), []);
}

#[test]
fn check_sends_the_file_with_the_first_templates() {
    let mut state = portal();
    assert_eq!(act(&mut state, InvitingInput::CheckWanted), [], "no file is chosen");
    act(&mut state, InvitingInput::FileChosen("people.csv".into(), FILE.into()));
    let request = last_request(&act(&mut state, InvitingInput::CheckWanted));
    let (method, path, body) = request.parts(Mode::Sandbox);
    assert_eq!((method, path.as_str()), ("POST", "/sandbox/inviteFileChecks"));
    let body = serde_json::to_value(body.unwrap()).unwrap();
    assert_eq!(body["inviteTemplateId"], format!("ivt-{}", "1".repeat(32)));
    assert_eq!((&body["file"], &body["linkSiteId"]), (&FILE.into(), &serde_json::Value::Null));
}

#[test]
fn people_are_invited_in_parts_until_the_end() {
    let (mut state, draft) = check_file();
    assert_eq!(state.inviting.new_rows(), 1);
    let first = act(&mut state, InvitingInput::RunWanted);
    assert_eq!(last_request(&first), InvitingRequest::Run(draft.clone(), 0));
    let part = result(2, vec![row(2, RowOutcome::Invited)], Some(1));
    let second = respond(&mut state, InvitingRequest::Run(draft.clone(), 0), Ok(part));
    assert_eq!(last_request(&second), InvitingRequest::Run(draft.clone(), 1));
    let part = result(2, vec![row(3, RowOutcome::Known)], None);
    let end = respond(&mut state, InvitingRequest::Run(draft, 1), Ok(part));
    assert_eq!((end, state.notice), (vec![Effect::Focus("#invited")], Some(Text::PeopleInvited)));
    assert_eq!(state.inviting.run.as_ref().unwrap().rows.len(), 2);
}

#[test]
fn run_that_fails_continues_where_it_stopped() {
    let (mut state, draft) = check_file();
    act(&mut state, InvitingInput::RunWanted);
    let part = result(2, vec![row(2, RowOutcome::Invited)], Some(1));
    respond(&mut state, InvitingRequest::Run(draft.clone(), 0), Ok(part));
    respond(&mut state, InvitingRequest::Run(draft.clone(), 1), Err(Failure::Offline));
    assert_eq!(state.inviting.failure, Some(Failure::Offline));
    let again = act(&mut state, InvitingInput::RunWanted);
    assert_eq!(last_request(&again), InvitingRequest::Run(draft, 1));
}

#[test]
fn file_with_faults_is_not_run() {
    let (mut state, draft) = check_file();
    act(&mut state, InvitingInput::CheckWanted);
    let fault = FileFault { line: 2, column: "emailAddress".into(), reason: "wrong".into() };
    let faulty = FileResult { total: 0, faults: vec![fault], rows: Vec::new(), next: None };
    let response = InvitingResponse::Result(Box::new(faulty));
    respond(&mut state, InvitingRequest::Check(draft), Ok(response));
    assert_eq!(act(&mut state, InvitingInput::RunWanted), []);
}

#[test]
fn another_choice_needs_another_check() {
    let (mut state, _) = check_file();
    act(&mut state, InvitingInput::FileChosen("other.csv".into(), FILE.into()));
    assert_eq!(state.inviting.checked, None);
    assert_eq!(act(&mut state, InvitingInput::RunWanted), []);
}

#[test]
fn nothing_changes_while_a_run_is_under_way() {
    let (mut state, _) = check_file();
    act(&mut state, InvitingInput::RunWanted);
    act(&mut state, InvitingInput::FileChosen("other.csv".into(), FILE.into()));
    assert_eq!(state.inviting.draft.file_name, "people.csv");
}

#[test]
fn result_file_has_no_formula() {
    let fault = FileFault { line: 1, column: "=cmd|' /C calc'!A0".into(), reason: "say \"no\"".into() };
    let text = result_csv(&[row(2, RowOutcome::Invited)], &[fault]);
    let id = format!("iv-{:032x}", 2);
    assert_eq!(
        text,
        format!(
            "\u{feff}\"line\",\"outcome\",\"inviteId\",\"column\",\"reason\"\r\n\"2\",\"INVITED\",\"{id}\",\"\",\"\"\r\n\
             \"1\",\"REFUSED\",\"\",\"'=cmd|' /C calc'!A0\",\"say \"\"no\"\"\"\r\n"
        )
    );
}
