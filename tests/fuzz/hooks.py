"""What Schemathesis cannot know from the document alone."""

import schemathesis

# Fields whose values the service gives out, or that name something outside it: a drawn value fits the schema and
# names nothing. A refusal for another field is a finding.
GIVEN_OUT = (
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


@schemathesis.check
def fitting_requests_are_accepted(ctx, response, case):
    """A request that fits its schema is refused only for what it refers to."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 422:
        return
    faults = response.json()["errors"]
    others = [fault for fault in faults if not fault["field"].startswith(GIVEN_OUT)]
    if others or not faults:
        raise AssertionError(f"{case.operation.label} fits its schema and was refused: {others or response.text}")
