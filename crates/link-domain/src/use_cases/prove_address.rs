//! A visitor of a link site proves an email address.

use link_types::Sensitive;

use crate::change::job::{Job, JobKind};
use crate::change::{Change, Row};
use crate::invitations::address_proof::{CodeError, CodeRequest, CodeRequestError, CodeStanding};
use crate::invitations::form_submission::FormSubmission;
use crate::invitations::visit::Visit;
use crate::kernel::context::Context;
use crate::notifications::mail::{Admission, MailLimits};
use crate::person_page::given_data;
use crate::tenancy::user::User;

/// Stored state that a code is compared with.
pub struct StoredProof {
    /// The visit.
    pub visit: Visit,
    /// User of the visit.
    pub user: User,
    /// Answers that began with the values of the address that the person opened.
    pub started: Option<FormSubmission>,
}

/// Creates a code, and schedules its mail. Returns the visit, how the mail is sent, and everything that must be written.
///
/// # Errors
///
/// [`CodeRequestError`] if no code is mailed. Nothing must be written then.
pub fn request_code(
    visit: Visit,
    request: CodeRequest<'_>,
    (standing, limits): (&CodeStanding, MailLimits),
    context: &mut Context,
) -> Result<(Visit, Admission, Change), CodeRequestError> {
    let (proof, admission) = visit.proof.request(request, standing, limits, context)?;
    let visit = Visit { proof, ..visit };
    let job = Job::now(&visit.owner, JobKind::SendCode { visit_id: visit.id.clone() }, context);
    let change = Change { rows: vec![Row::Visit(visit.clone())], jobs: vec![job], ..Change::default() };
    Ok((visit, admission, change))
}

/// Compares the text that the person typed with the code. The right one proves the address, which the user and the answers then
/// have. Returns the visit, whether the address is proven, and everything that must be written in both cases.
pub fn prove_address(
    stored: StoredProof,
    typed: &Sensitive,
    key: &[u8; 32],
    context: &Context,
) -> (Visit, Result<(), CodeError>, Change) {
    let StoredProof { visit, user, started } = stored;
    let before = visit.proof.clone();
    let (proof, result) = visit.proof.check(&visit.id, typed, key, context.now().wall());
    let visit = Visit { proof, ..visit };
    if visit.proof == before {
        return (visit, result, Change::default());
    }
    let mut change = Change::row(Row::Visit(visit.clone()));
    if let Some(address) = visit.proof.address().cloned() {
        change = change.then(user.with_proven_email(Some(address.clone())));
        if let Some(mut form) = started {
            let given = given_data::record_giver(form.scope(), &visit.owner, Some(address.clone()));
            form.content.proven_email = Some(address);
            change = change.then(Change::row(Row::Form(Box::new(form)))).then(given);
        }
    }
    (visit, result, change)
}

/// Forgets the address that a person proved, in their user and in the visits that proved it. `is_theirs` says whether an address
/// is the person's: a user may have proven another one. Returns everything that must be written.
pub fn forget_address(user: User, visits: Vec<Visit>, is_theirs: impl Fn(&Sensitive) -> bool) -> Change {
    let mut change = Change::default();
    for visit in visits.into_iter().filter(|it| it.proof.address().is_some_and(&is_theirs)) {
        let proof = visit.proof.clone().forget();
        change = change.then(Change::row(Row::Visit(Visit { proof, ..visit })));
    }
    match user.proven_email.as_ref().is_some_and(is_theirs) {
        true => change.then(user.with_proven_email(None)),
        false => change,
    }
}

#[cfg(test)]
mod tests {
    use link_types::form_submission::LinkSiteForm;

    use super::*;
    use crate::fixture;
    use crate::invitations::address_proof::AddressProof;
    use crate::invitations::form_submission::{AnswerTexts, FormOfVisit, site_of};

    const KEY: [u8; 32] = [7; 32];

    fn send() -> (Visit, Change) {
        let visit = Visit { proof: AddressProof::NotAsked, ..fixture::visit() };
        let id = visit.id.clone();
        let address = Sensitive::new("ana@example.com");
        let request = CodeRequest { visit_id: &id, address, locale: "en".to_owned(), key: &KEY };
        let standing = CodeStanding {
            mode: visit.owner.mode,
            is_allowed: true,
            is_suppressed: false,
            has_server: true,
            tenant_today: 0,
            codes_today: 0,
            codes_to_mailbox_today: 0,
        };
        let limits = MailLimits { per_tenant: 10, per_recipient: 10 };
        let (visit, admission, change) =
            request_code(visit, request, (&standing, limits), &mut fixture::context()).unwrap();
        assert_eq!(admission, Admission::HandOver { counts: true });
        (visit, change)
    }

    fn prove(visit: Visit, typed: &str, started: Option<FormSubmission>) -> (Visit, Change) {
        let user = User::create(visit.owner.clone(), None, Default::default(), &mut fixture::context()).0;
        let stored = StoredProof { visit, user, started };
        let (visit, _, change) = prove_address(stored, &Sensitive::new(typed), &KEY, &fixture::context());
        (visit, change)
    }

    fn code_of(visit: &Visit) -> String {
        visit.proof.sent_code().unwrap().mail.as_ref().unwrap().code.expose().to_owned()
    }

    #[test]
    fn requested_code_is_stored_with_the_job_of_its_mail() {
        let (visit, change) = send();
        assert_eq!(change.rows, [Row::Visit(visit.clone())]);
        assert_eq!(change.jobs[0].kind, JobKind::SendCode { visit_id: visit.id });
    }

    #[test]
    fn right_code_gives_the_address_to_the_user_and_the_answers() {
        let form: LinkSiteForm =
            serde_json::from_value(serde_json::json!({"reference": "loan", "fields": []})).unwrap();
        let visit = send().0;
        let of = FormOfVisit {
            form: &form,
            site: site_of(&link_types::id::LinkTemplateId::from_bytes([1; 16])),
            visit: &visit,
            started: None,
        };
        let started = FormSubmission::start(of, None, &AnswerTexts::new(), &mut fixture::context()).0;
        let (proven, change) = prove(visit.clone(), &code_of(&visit), Some(started));
        assert!(!proven.proof.is_awaited());
        let [Row::Visit(_), Row::User(user), Row::Form(form), Row::GivenData(given)] = change.rows.as_slice()
        else {
            panic!("{change:?}")
        };
        for found in [user.proven_email.as_ref(), form.content.proven_email.as_ref(), Some(&given.mailbox)] {
            assert_eq!(found.map(Sensitive::expose), Some("ana@example.com"));
        }
    }

    #[test]
    fn person_forgets_only_the_address_that_is_theirs() {
        let ana = Sensitive::new("ana@example.com");
        let proof = AddressProof::Proven { address: ana.clone() };
        let visit = Visit { proof, ..fixture::visit() };
        let invited = Visit { proof: AddressProof::NotNeeded, ..visit.clone() };
        let user = User::create(visit.owner.clone(), None, Default::default(), &mut fixture::context()).0;
        let user = User { proven_email: Some(ana.clone()), ..user };
        let visits = vec![visit.clone(), invited];
        let of_bo = forget_address(user.clone(), visits.clone(), |it| it.expose() == "bo@example.com");
        assert_eq!(of_bo, Change::default());
        let change = forget_address(user.clone(), visits, |it| *it == ana);
        let forgotten = Visit { proof: AddressProof::NotAsked, ..visit };
        let user = User { proven_email: None, ..user };
        assert_eq!(change.rows, [Row::Visit(forgotten), Row::User(user)]);
    }

    #[test]
    fn only_an_attempt_at_the_code_writes_the_visit() {
        let visit = send().0;
        assert_eq!(prove(visit.clone(), "12", None).1, Change::default());
        let number: u32 = code_of(&visit).parse().unwrap();
        let (after, change) = prove(visit, &format!("{:06}", (number + 1) % 1_000_000), None);
        assert_eq!(after.proof.sent_code().unwrap().wrong_attempts, 1);
        assert_eq!(change.rows, [Row::Visit(after)]);
    }
}
