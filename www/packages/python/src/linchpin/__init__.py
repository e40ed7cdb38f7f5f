"""Calls the REST interface of Linchpin with types, and verifies its webhooks.

`Linchpin` has a method for each operation of the interface. `linchpin.types` has the types of their bodies and
responses, which are generated from the OpenAPI document. `verify_webhook` checks a delivery and returns its event.
"""

from linchpin._errors import ApiError, LinchpinError, NoResponseError
from linchpin._operations import Linchpin
from linchpin._webhooks import WebhookVerificationError, verify_webhook

__all__ = [
    "ApiError",
    "Linchpin",
    "LinchpinError",
    "NoResponseError",
    "WebhookVerificationError",
    "verify_webhook",
]
