"""Verifies deliveries of webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from typing import TYPE_CHECKING, Callable, Literal, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from linchpin.types import WebhookEvent

    class Headers(Protocol):
        """The headers of a delivery: a mapping, or what a framework has."""

        def items(self) -> Iterable[tuple[str, str]]:
            """Return names and values."""

    WebhookFault = Literal["missing-header", "wrong-signature", "wrong-time", "not-json"]

_TOLERANCE_SECONDS = 300
_HOW_TO_GET_BYTES = (
    "verify_webhook: body must be the exact bytes: request.get_data() in Flask, request.body in Django, "
    "await request.body() in FastAPI"
)


class WebhookVerificationError(Exception):
    """The error of `verify_webhook`. Respond with 401, and act on nothing of the body."""

    code: WebhookFault
    """Why the delivery is refused. Branch on this, never on the message."""

    def __init__(self, code: WebhookFault, message: str) -> None:
        super().__init__(message)
        self.code = code


def verify_webhook(
    body: bytes,
    headers: Headers,
    *,
    secret: str | Sequence[str],
    scheme: Literal["standard", "service"] = "standard",
    tolerance_seconds: float = _TOLERANCE_SECONDS,
    now: Callable[[], float] = time.time,
) -> WebhookEvent:
    """Check the signature of a delivery, in constant time, and return its event.

    The same event may come twice: compare its `id`.

    body: the exact bytes, before anything has parsed them.
    headers: the headers of the request.
    secret: the secret as you registered it, or as `whsec_…`. Pass both while a secret rotates.
    scheme: which signature to check. `standard` is `webhook-signature` of Standard Webhooks, which covers the time of
        the attempt. `service` is `Service-Signature`, which covers only the body. Each delivery has both.
    tolerance_seconds: how far the time of the attempt may differ from yours.

    Raises WebhookVerificationError if the delivery is not from the service, or too old.
    """
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError(_HOW_TO_GET_BYTES)
    secrets = [secret] if isinstance(secret, str) else list(secret)
    if not secrets or not all(isinstance(it, str) and it for it in secrets):
        raise ValueError("verify_webhook: secret must be the webhook's secret; is its environment variable set?")
    if scheme not in ("standard", "service"):
        raise ValueError('verify_webhook: scheme must be "standard" or "service"')
    exact = bytes(body)
    keys = [key for it in secrets for key in _list_keys(it)]
    if scheme == "service":
        _check_service(exact, headers, keys)
    else:
        _check_standard(exact, headers, keys, tolerance_seconds, now)
    try:
        return cast("WebhookEvent", json.loads(exact.decode()))
    except (ValueError, RecursionError):
        raise WebhookVerificationError("not-json", "the body is not JSON") from None


def _check_service(body: bytes, headers: Headers, keys: list[bytes]) -> None:
    given = [_find_header(headers, "service-signature"), _find_header(headers, "service-signature-next")]
    if not given[0]:
        raise WebhookVerificationError("missing-header", "the header Service-Signature is missing")
    _check_signatures("sha512", [_decode_hex(it) for it in given if it], body, keys)


def _check_standard(
    body: bytes, headers: Headers, keys: list[bytes], tolerance_seconds: float, now: Callable[[], float]
) -> None:
    found = []
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        value = _find_header(headers, name)
        if not value:
            raise WebhookVerificationError("missing-header", f"the header {name} is missing")
        found.append(value)
    event_id, timestamp, signatures = found
    given = [_decode_base64(it[3:]) for it in signatures.split(" ") if it.startswith("v1,")]
    _check_signatures("sha256", given, f"{event_id}.{timestamp}.".encode() + body, keys)
    # After the signature, so that the message says nothing about a body that is not from the service.
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(now() - int(timestamp)) > tolerance_seconds:
        raise WebhookVerificationError("wrong-time", f"the attempt was not within {tolerance_seconds} s of now")


def _check_signatures(hash_name: str, signatures: list[bytes], message: bytes, keys: list[bytes]) -> None:
    """Succeed if one of the signatures is that of one of the keys."""
    for key in keys:
        expected = hmac.new(key, message, getattr(hashlib, hash_name)).digest()
        if any(hmac.compare_digest(given, expected) for given in signatures):
            return
    raise WebhookVerificationError(
        "wrong-signature", "no signature is that of the secret and the exact bytes of the body"
    )


def _list_keys(secret: str) -> list[bytes]:
    """Return the keys that a secret may mean: its bytes and, after `whsec_`, those in base64."""
    decoded = _decode_base64(secret[len("whsec_") :]) if secret.startswith("whsec_") else b""
    return [decoded, secret.encode()] if decoded else [secret.encode()]


def _find_header(headers: Headers, name: str) -> str | None:
    return next((value for key, value in headers.items() if key.lower() == name), None)


def _decode_hex(text: str) -> bytes:
    return bytes.fromhex(text) if re.fullmatch("(?:[0-9a-fA-F]{2})+", text) else b""


def _decode_base64(text: str) -> bytes:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (ValueError, binascii.Error):
        return b""
