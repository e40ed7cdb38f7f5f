"""What Schemathesis cannot know from the document alone."""

import itertools
import json
import os
import pathlib

import schemathesis
from schemathesis.generation.meta import TestPhase

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
    # The documents say in words which addresses are taken, and that a kind stands once.
    "emailAddress",
    "fileTypes",
    # To a schema 16.0 is an integer.
    "timeout",
    # A login of one's own may not be a published one, nor a new secret the one in force.
    "login",
    "secret",
    # Nor has its data other kinds of data points than there are.
    "data.",
    # A drawn file is none of a document.
    "files[",
)

# No text of the API holds this character: docs/conventions.md says so once, and not every schema.
NO_TEXT = "without the character U+0000"


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
        if not fault["field"].startswith(GIVEN_OUT)
        and not ends_before_it_begins(fault, case)
        and fault["message"] != NO_TEXT
    ]
    if others or not faults:
        raise AssertionError(f"{case.operation.label} fits its schema and was refused: {others or response.text}")


# What sow.ts put there: the ids by path and parameter, newest first.
KNOWN = json.loads(pathlib.Path(os.environ["LINCHPIN_FUZZ_KNOWN"]).read_text())
# Which id a parameter of an operation has next. A DELETE begins with the oldest and leaves the newer half alone.
TURNS = {}
# Where the fields of a request that name something have their ids from.
NAMED = {
    "userId": "/users/{id}",
    "consentTemplateId": "/consentTemplates/{id}",
    "inviteTemplateId": "/inviteTemplates/{id}",
    "linkTemplateId": "/linkTemplates/{id}",
}


def turn(operation, name, ids):
    if operation.startswith("DELETE "):
        ids = ids[len(ids) // 2 :][::-1]
    elif len(ids) > 1:
        ids = ids[: (len(ids) + 1) // 2]
    return next(TURNS.setdefault((operation, name), itertools.cycle(ids)))


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Every other drawn request that should succeed is about something that is there."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    label = case.operation.label
    is_about = TURNS.setdefault(label, itertools.cycle((True, False)))
    if not next(is_about):
        return
    # A walk from answer to answer has its ids from what came before.
    if case.meta.phase.name != TestPhase.STATEFUL:
        for name, ids in KNOWN.get(case.operation.path, {}).items():
            case.path_parameters[name] = turn(label, name, ids)
    if "userId" in (case.query or {}):
        case.query["userId"] = turn(label, "userId", KNOWN["/users/{id}"]["id"])
    if label == "DELETE /accounts":
        case.query["id"] = turn(label, "id", KNOWN["/accounts/{id}"]["id"])
    if isinstance(case.body, dict):
        for part in (case.body, case.body.get("consent")):
            for name in NAMED.keys() & (part.keys() if isinstance(part, dict) else set()):
                if part[name] is not None:
                    part[name] = turn(label, name, KNOWN[NAMED[name]]["id"])


SUCCEEDED = set()


@schemathesis.hook
def after_call(ctx, case, response):
    """Which operations had a success: `fuzz` asks for all of them."""
    label = case.operation.label
    if 200 <= response.status_code < 300 and label not in SUCCEEDED:
        SUCCEEDED.add(label)
        with open(os.environ["LINCHPIN_FUZZ_SUCCEEDED"], "a") as file:
            file.write(label + "\n")
