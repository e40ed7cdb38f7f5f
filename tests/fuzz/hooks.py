"""What Schemathesis cannot know from the document alone."""

import schemathesis

# Fields whose values the service gives out, or that name something outside it: a drawn value fits the schema and
# names nothing. And those of rules between fields, which a schema has no words for: an event is about one thing, a
# form's choices stand with its kind of field. A refusal for another field is a finding.
GIVEN_OUT = (
    "archiveId",
    "recordId",
    "verificationId",
    "inviteId",
    "form.",
    "email.replyTo",
    # Schemathesis takes `format` for a remark: to it an empty text is a moment and a day, too.
    "since",
    "startDate",
    "endDate",
    "cursor",
    "consentTemplateId",
    "consent.consentTemplateId",
    "inviteTemplateId",
    "linkTemplateId",
    "userId",
    "providers",
    "texts",
    "topProviders",
    "url",
)


# The end of a stretch of time, by its beginning: which comes first is a rule between two fields, too.
BEGINNINGS = {"endDate": "startDate", "endMonth": "startMonth"}


def ends_before_it_begins(fault, case):
    query = case.query or {}
    beginning, end = query.get(BEGINNINGS.get(fault["field"])), query.get(fault["field"])
    return bool(beginning and end and str(end) < str(beginning))


@schemathesis.check
def fitting_requests_are_accepted(ctx, response, case):
    """A request that fits its schema is refused only for what it refers to."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 422:
        return
    problem = response.json()
    # A key drawn twice.
    if problem["code"] == "IDEMPOTENCY_KEY_REUSED":
        return
    faults = problem["errors"]
    others = [
        fault
        for fault in faults
        if not fault["field"].startswith(GIVEN_OUT) and not ends_before_it_begins(fault, case)
    ]
    if others or not faults:
        raise AssertionError(f"{case.operation.label} fits its schema and was refused: {others or response.text}")
