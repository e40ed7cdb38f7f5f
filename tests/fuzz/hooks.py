"""Rules that the OpenAPI document cannot express, for Schemathesis."""

import itertools
import json
import os
import pathlib
import re
import urllib.parse

import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import TestPhase

# Errors of valid requests that a schema cannot express: the prefix of the field, and the message if only that message is
# allowed. An error of another field, or with another message, is a finding.
EXCUSED = (
    # Ids from the service: a generated one matches the schema but does not exist.
    ("cursor", None),
    ("consentTemplateId", None),
    ("consent.consentTemplateId", None),
    ("inviteTemplateId", None),
    ("linkTemplateId", None),
    ("templateId", None),
    # One of the addresses that the link template lists, and either of two names of a user.
    ("redirectUrl", None),
    ("redirectUrls[", None),
    ("reference", "either userId or reference"),
    # A cursor contains the position.
    ("since", "only without `cursor`, which contains the position"),
    ("userId", None),
    # A generated word is not a provider of the environment, nor a text of the widget.
    ("providers", "a provider of this environment"),
    ("topProviders", "a provider of this environment"),
    ("texts", None),
    # A filter accepts only one of these parameters.
    ("archiveId", "only one of accountId, archiveId, recordId, verificationId and inviteId"),
    ("recordId", "only one of accountId, archiveId, recordId, verificationId and inviteId"),
    ("verificationId", "only one of accountId, archiveId, recordId, verificationId and inviteId"),
    ("inviteId", "only one of accountId, archiveId, recordId, verificationId and inviteId"),
    # Only some kinds of form fields have choices, and the names of fields are unique.
    ("form", None),
    # Rules between the fields of a link site, and with other link sites.
    ("linkSiteId", None),
    ("slug", None),
    # No readable pattern covers host names, and a link site's must be proven.
    ("host", None),
    ("steps", None),
    ("prefill", None),
    ("endPage.redirectUrl", None),
    ("limits.submissions", None),
    # RFC 3339 has the year 0000, the service begins with 0001.
    ("limits.closesAt", None),
    # The service rejects URLs by the address that they resolve to.
    ("url", None),
    # No readable pattern covers the parts of a URL.
    ("helpUrl", "an absolute https URL without spaces, user name and password"),
    # No readable pattern covers the parts of an email address and their lengths.
    ("emailAddress", "an e-mail address, like name@example.com"),
    ("email.replyTo", "an e-mail address, like name@example.com"),
    # A person is named by a number, an address or both.
    ("mobileNumber", "required unless you send emailAddress"),
    ("emailAddress", "required unless you send mobileNumber"),
    # No readable pattern covers the hosts and ports of an origin.
    ("allowedOrigins[", None),
    ("embedOrigins[", None),
    # A schema does not know the current time.
    ("since", "must not be in the future"),
    # Already used, by every tenant's sandbox or by the webhook.
    ("login", "must not be a published login or start with mfa- or error-"),
    # Exactly one of the two fields, and a time that the clock has not reached.
    ("seconds", "send either `seconds` or `until`"),
    ("until", "send either `seconds` or `until`"),
    ("until", "must be in the future of your sandbox"),
    ("until", "the clock can be at most 3650 days ahead of real time"),
    ("seconds", "the clock can be at most 3650 days ahead of real time"),
    # A translation needs another language than the template.
    ("translations", "by BCP 47 tag, like es-MX, without the template's own locale"),
    ("secret", "must differ from the current secret"),
    # Requests contain data points without computed fields, so the schemas of responses do not apply.
    ("data.", None),
    # A generated file is not a valid document, and not a picture.
    ("files[", None),
    ("theme.logo", None),
)


def is_excused(fault):
    field, message = fault["field"], fault["message"]
    return any(field.startswith(name) and words in (None, message) for name, words in EXCUSED)


# A person can leave out all optional data, so something of each provider must not be optional.
NOTHING_REMAINS = re.compile(
    r"without at least one kind (that providers return: nothing|of the provider \w+: nothing of it) would remain"
)


def leaves_nothing(fault):
    return fault["field"] == "optionalData" and NOTHING_REMAINS.fullmatch(fault["message"])


# The API rejects this character in every text. docs/reference/conventions.md states it once, instead of every schema.
NO_TEXT = "without the character U+0000"


# The start of each period, by its end. The service rejects an end before the start, which is a rule between two fields.
BEGINNINGS = {"endDate": "startDate", "endMonth": "startMonth"}


def ends_before_it_begins(fault, case):
    query = case.query or {}
    beginning, end = query.get(BEGINNINGS.get(fault["field"])), query.get(fault["field"])
    return bool(beginning and end and str(end) < str(beginning))


def is_widgets(case):
    return case.operation.path.startswith("/link/")


@schemathesis.check
def fitting_requests_are_accepted(ctx, response, case):
    """Checks that a request that matches its schema is rejected only for its references."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code != 422:
        return
    # A widget sends encrypted values and ids from the service, so generated requests are rarely valid.
    if is_widgets(case):
        return
    problem = response.json()
    # The same key was generated twice.
    if problem["code"] == "IDEMPOTENCY_KEY_REUSED":
        return
    faults = problem["errors"]
    others = [
        fault
        for fault in faults
        if not is_excused(fault)
        and not ends_before_it_begins(fault, case)
        and not leaves_nothing(fault)
        and fault["message"] != NO_TEXT
    ]
    if others or not faults:
        raise AssertionError(f"{case.operation.label} matches its schema and was rejected: {others or response.text}")


# Ids that sow.ts created, by path and parameter, newest first.
KNOWN = json.loads(pathlib.Path(os.environ["LINCHPIN_FUZZ_KNOWN"]).read_text())
# The next id for each parameter of an operation. A DELETE starts with the oldest and never uses the newer half.
TURNS = {}
# The path whose ids each referring field of a request uses.
NAMED = {
    "userId": "/users/{id}",
    "consentTemplateId": "/consentTemplates/{id}",
    "inviteTemplateId": "/inviteTemplates/{id}",
    "linkTemplateId": "/linkTemplates/{id}",
}


def deletable(operation, ids):
    """Returns the ids that a DELETE may use: the older half. Of users, only those without data, because a user's data is
    deleted with the user."""
    return ids[-6:] if operation == "DELETE /users/{id}" else ids[len(ids) // 2 :]


def turn(operation, name, ids):
    if operation.startswith("DELETE "):
        ids = deletable(operation, ids)[::-1]
    elif name == "consentTemplateId":
        # A cited template can no longer change, so the newest one is reserved for changes.
        ids = ids[1:] or ids
    elif len(ids) > 1:
        ids = ids[: (len(ids) + 1) // 2]
    return next(TURNS.setdefault((operation, name), itertools.cycle(ids)))


class Session(requests.auth.AuthBase):
    """Authenticates with a widget session instead of the tenant's key."""

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


# `MAX_HEAD` of link-server. No operation sees a longer head: the response is 431 (docs/how-to/operating.md).
MAX_HEAD = 32 * 1024


@schemathesis.hook
def filter_case(ctx, case):
    """Skips wrong queries that no operation would see as they are: an address is too long, or something is lost when the
    query is written into it. requests drops an empty list, and what is sent then may be right."""
    if case.meta is None or case.meta.generation.mode.is_positive or not case.query:
        return True
    url = requests.Request("GET", "http://localhost/", params=case.query).prepare().url
    # The other headers need less than 1 KiB.
    if len(url) > MAX_HEAD - 1024:
        return False
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
    """Adds the session to the widget's requests. Every second request that should succeed gets ids that exist."""
    if is_widgets(case) and not is_about_headers(case):
        # The other operations need a session that stays open.
        whose = "ended" if case.operation.label == "DELETE /link/session" else "open"
        kwargs["auth"] = Session(KNOWN["/link/"][whose][0])
    if case.operation.label.startswith("DELETE ") and case.meta and case.meta.phase.name != TestPhase.STATEFUL:
        spare(case)
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    # After 60 days, the data of the other operations would be erased.
    if case.operation.label == "POST /clock/advance" and isinstance(case.body, dict):
        if isinstance(case.body.get("seconds"), int):
            case.body["seconds"] = min(case.body["seconds"], 60)
        if case.body.get("until") is not None:
            case.body["until"] = "2026-01-01T00:00:00.000Z"
    # A slug is unique, and the rules between the other fields are in EXCUSED: the first requests obey them.
    if case.operation.label == "POST /alpha/linkSites" and isinstance(case.body, dict) and len(SITES) < 5:
        SITES.append(f"fuzz-{len(SITES)}")
        page = {"title": "Loans", "text": "Answer."}
        case.body = {"name": "Fuzz", "slug": SITES[-1], "linkTemplateId": KNOWN["/linkTemplates/{id}"]["id"][0]}
        case.body |= {"steps": ["WIDGET", "THANK_YOU"], "startPage": page, "endPage": page}
    # A long poll would wait in vain, because nothing changes the resource.
    if "wait" in (case.query or {}):
        case.query["wait"] = 0
    label = case.operation.label
    is_about = TURNS.setdefault(label, itertools.cycle((True, False)))
    if not next(is_about):
        return
    # A stateful test takes its ids from earlier responses.
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


# The slugs of link sites that were created.
SITES = []
SUCCEEDED = set()


@schemathesis.hook
def after_call(ctx, case, response):
    """Which operations had a success: `fuzz` asks for all of them."""
    label = case.operation.label
    if 200 <= response.status_code < 300 and label not in SUCCEEDED:
        SUCCEEDED.add(label)
        with open(os.environ["LINCHPIN_FUZZ_SUCCEEDED"], "a") as file:
            file.write(label + "\n")
