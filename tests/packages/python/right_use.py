"""Right uses of the package, which mypy accepts. Nothing runs them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import urllib3

from linchpin import ApiError, Linchpin, NoResponseError, WebhookVerificationError, verify_webhook

if TYPE_CHECKING:
    from linchpin.types import Account, CreateWebhook, UserWithToken, WebhookEvent

linchpin = Linchpin(
    base_url="https://link.example/v1", api_key="k", api_secret="s", timeout=5, pool=urllib3.PoolManager()
)
user: UserWithToken = linchpin.create_user({"reference": "customer-1"}, idempotency_key="k-1")
token: str = user["token"]["accessToken"]
account: Account = linchpin.get_account("a-1")
linchpin.delete_user(user["id"])
webhook: CreateWebhook = {"url": "https://example.com", "eventTypes": ["ALL_EVENTS"], "secret": "a long secret"}
names: list[str | None] = [it["name"] for it in linchpin.iterate_webhooks(size=10)]
for listed in linchpin.iterate_accounts(user_id=user["id"], connection_status="CONNECTED"):
    print(listed["connection"]["status"])


def receive(body: bytes, headers: dict[str, str]) -> str:
    """Branch on the type of the event, which narrows its data."""
    try:
        event: WebhookEvent = verify_webhook(body, headers, secret=["old", "new"], scheme="service")
    except WebhookVerificationError as error:
        return error.code
    if event["type"] == "ACCOUNT_CONNECTED":
        return event["data"]["accountId"]
    return event["id"]


def rename(template: str) -> str:
    """Branch on the code of the problem, and on the fields that are wrong."""
    try:
        return linchpin.update_link_template(template, {"name": "New"})["name"]
    except ApiError as error:
        if error.code == "INVALID_PARAMETERS":
            return ", ".join(fault["field"] for fault in error.errors)
        return error.request_id or ""
    except NoResponseError:
        return ""
