"""A tenant's server in Python, with the package `linchpin`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from linchpin import ApiError, Linchpin

if TYPE_CHECKING:
    from collections.abc import Callable

    from linchpin.types import CreateLinkTemplate

base_url, credentials = sys.argv[1:]
api_key, api_secret = credentials.split(":")
linchpin = Linchpin(base_url=base_url, api_key=api_key, api_secret=api_secret)

user = linchpin.create_user({"reference": "package", "externalMetadata": {"branch": "north"}})
assert user["token"]["accessToken"], user
assert linchpin.create_user({"reference": "package"})["id"] == user["id"]
assert linchpin.create_token(user_id=user["id"])["mode"] == "SANDBOX"

# A repetition of the same request, for example after a crash, creates nothing.
consent = linchpin.list_link_templates()["items"][0]["consentTemplateId"]
template: CreateLinkTemplate = {"name": "Python", "companyName": "Package", "consentTemplateId": consent}
first = linchpin.create_link_template(template, idempotency_key="template-1")
assert linchpin.create_link_template(template, idempotency_key="template-1")["id"] == first["id"]
assert linchpin.update_link_template(first["id"], {"name": "Renamed"})["companyName"] == "Package"
linchpin.delete_link_template(first["id"])

webhook = linchpin.create_webhook(
    {"url": "https://example.com/linchpin", "eventTypes": ["ALL_EVENTS"], "secret": "a secret of the tenant"}
)
assert webhook["includePayload"] is False, webhook

users = [linchpin.create_user({"reference": f"package-{number}"})["id"] for number in range(3)]
listed = [it["id"] for it in linchpin.iterate_users(size=2)]
assert listed[:4] == [*reversed(users), user["id"]], listed
assert linchpin.list_accounts(user_id=user["id"]) == {"items": [], "nextCursor": None}
assert linchpin.list_providers(country="MX")["items"]
assert linchpin.list_events(size=1, type="USER_CREATED")["items"][0]["type"] == "USER_CREATED"


def catch(call: Callable[[], object]) -> ApiError:
    """Return the error of a call that must fail."""
    try:
        call()
    except ApiError as error:
        return error
    raise AssertionError("the call has succeeded")


missing = catch(lambda: linchpin.get_account("a-0192f0c1a2b37c4d8e5f60718293a4b5"))
assert (missing.status, missing.code) == (404, "MISSING_RESOURCE"), missing
assert missing.request_id, missing
invalid = catch(lambda: linchpin.create_webhook({"url": "not a URL"}))  # type: ignore[typeddict-item]
assert invalid.code == "INVALID_PARAMETERS", invalid
assert {it["field"] for it in invalid.errors} >= {"eventTypes", "secret"}, invalid
denied = catch(Linchpin(base_url=base_url, api_key=api_key, api_secret="wrong").get_clock)
assert denied.code == "UNAUTHORIZED", denied

print("package: all requests of a tenant succeeded")
