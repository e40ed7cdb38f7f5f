"""What Schemathesis cannot know from the document alone."""

import itertools
import json
import os
import pathlib
import urllib.parse

import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

# Refusals of a fitting request that its schema has no words for: the field, as it begins, and what the refusal says
# where only that is excused. A refusal of another field, or in other words, is a finding.
EXCUSED = (
    # Given out by the service: a drawn one fits its schema and names nothing.
    ("cursor", None),
    ("consentTemplateId", None),
    ("consent.consentTemplateId", None),
    ("inviteTemplateId", None),
    ("linkTemplateId", None),
    ("userId", None),
    # Nor does a drawn word name a provider of the environment, or a text of the widget's.
    ("providers", "a provider of this environment"),
    ("topProviders", "a provider of this environment"),
    ("texts", None),
    # An event is about one thing: a rule between parameters.
    ("archiveId", "only one of accountId, archiveId, recordId, verificationId and inviteId"),
    ("recordId", "only one of accountId, archiveId, recordId, verificationId and inviteId"),
    ("verificationId", "only one of accountId, archiveId, recordId, verificationId and inviteId"),
    ("inviteId", "only one of accountId, archiveId, recordId, verificationId and inviteId"),
    # A form's choices stand with its kind of field, and a name stands once.
    ("form.", None),
    # Which addresses are taken depends on where they lead.
    ("url", None),
    # Which parts an e-mail address may have, and how long each, fits no pattern that a person could read.
    ("emailAddress", "an e-mail address, like name@example.com"),
    ("email.replyTo", "an e-mail address, like name@example.com"),
    # When now is, no schema says.
    ("since", "must not be in the future"),
    # Taken already, by every tenant's sandbox or by the webhook itself.
    ("login", "must not be a published login or start with"),
    ("secret", "must differ from the current secret"),
    # Data points are written without what the service makes of them: their schemas are not those of answers.
    ("data.", None),
    # A drawn file is none of a document.
    ("files[", None),
)


def is_excused(fault):
    field, message = fault["field"], fault["message"]
    return any(field.startswith(name) and words in (None, message) for name, words in EXCUSED)


# No text of the API holds this character: docs/conventions.md says so once, and not every schema.
NO_TEXT = "without the character U+0000"


# The end of a stretch of time, by its beginning: which comes first is a rule between two fields, too.
BEGINNINGS = {"endDate": "startDate", "endMonth": "startMonth"}


def ends_before_it_begins(fault, case):
    query = case.query or {}
    beginning, end = query.get(BEGINNINGS.get(fault["field"])), query.get(fault["field"])
    return bool(beginning and end and str(end) < str(beginning))


def is_widgets(case):
    return case.operation.path.startswith("/link/")


@schemathesis.check
def fitting_requests_are_accepted(ctx, response, case):
    """A request that fits its schema is refused only for what it refers to."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 422:
        return
    # What a widget sends is sealed, numbered and given out to it: nearly nothing that is drawn is right.
    if is_widgets(case):
        return
    problem = response.json()
    # A key drawn twice.
    if problem["code"] == "IDEMPOTENCY_KEY_REUSED":
        return
    faults = problem["errors"]
    others = [
        fault
        for fault in faults
        if not is_excused(fault)
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


def deletable(operation, ids):
    """What a DELETE may take: the older half. Who goes takes all of theirs along, so of users those who have nothing."""
    return ids[-6:] if operation == "DELETE /users/{id}" else ids[len(ids) // 2 :]


def turn(operation, name, ids):
    if operation.startswith("DELETE "):
        ids = deletable(operation, ids)[::-1]
    elif name == "consentTemplateId":
        # What is cited does not change any more: the newest is for those who change it.
        ids = ids[1:] or ids
    elif len(ids) > 1:
        ids = ids[: (len(ids) + 1) // 2]
    return next(TURNS.setdefault((operation, name), itertools.cycle(ids)))


class Session(requests.auth.AuthBase):
    """A widget's session in the place of the tenant's key."""

    def __init__(self, secret):
        self.secret = secret

    def __call__(self, request):
        request.headers["Authorization"] = f"Bearer {self.secret}"
        return request


def is_about_headers(case):
    """Whether what is wrong with a request is a header that is missing or of another form, `Authorization` perhaps."""
    headers = case.meta.components.get(ParameterLocation.HEADER) if case.meta else None
    return headers is not None and headers.mode.is_negative and "Authorization" not in (case.headers or {})


@schemathesis.serializer("application/offset+octet-stream")
def bytes_of_a_file(ctx, value):
    """What tus sends is bytes and no text of them."""
    return {"data": value if isinstance(value, bytes) else str(value).encode()}


@schemathesis.hook
def filter_case(ctx, case):
    """Not those that are wrong in a query of which something is lost when it is written into an address: requests drops
    an empty list, and what is sent then may be right."""
    if case.meta is None or case.meta.generation.mode.is_positive or not case.query:
        return True
    url = requests.Request("GET", "http://localhost/", params=case.query).prepare().url
    written = urllib.parse.parse_qs(urllib.parse.urlsplit(url).query, keep_blank_values=True)
    return all(str(name) in written for name in case.query)


def spare(case):
    """Schemathesis draws ids from answers, too: what others need is not deleted before they had it."""
    for name, ids in KNOWN.get(case.operation.path, {}).items():
        drawn = (case.path_parameters or {}).get(name)
        if drawn in ids and drawn not in deletable(case.operation.label, ids):
            case.path_parameters[name] = ids[-1]


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """A widget's requests have its session. Every other drawn request that should succeed is about something that is
    there."""
    if is_widgets(case) and not is_about_headers(case):
        # The session that is ended is not the one that the others need.
        whose = "ended" if case.operation.label == "DELETE /link/session" else "open"
        kwargs["auth"] = Session(KNOWN["/link/"][whose][0])
    if case.operation.label.startswith("DELETE ") and case.meta and case.meta.phase.name != TestPhase.STATEFUL:
        spare(case)
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    # A long poll would wait for news that nobody makes.
    if "wait" in (case.query or {}):
        case.query["wait"] = 0
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
