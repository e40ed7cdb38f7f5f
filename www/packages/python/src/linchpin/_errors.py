"""The errors of requests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from linchpin.types import FieldFault, ProblemCode


class LinchpinError(Exception):
    """A request that did not succeed."""


class NoResponseError(LinchpinError):
    """No response arrived. The service may have processed the request."""


class ApiError(LinchpinError):
    """A response with an error."""

    status: int
    """The HTTP status."""
    code: ProblemCode | None
    """The code of the problem document. Branch on this, never on the message. None if a proxy responded."""
    detail: str
    """The fault, and how to fix it. For developers."""
    errors: list[FieldFault]
    """Every invalid field of the request."""
    request_id: str | None
    """The id of the request, which is also in the log of the service."""
    retry_after: float | None
    """The seconds after which a repetition can succeed."""

    def __init__(self, status: int, problem: dict[str, Any], request_id: str | None, retry_after: float | None) -> None:
        self.status = status
        self.code = cast("ProblemCode | None", problem.get("code"))
        self.detail = str(problem.get("detail") or "The response is not from Linchpin: check base_url, and the proxy.")
        self.errors = cast("list[FieldFault]", problem.get("errors") or [])
        self.request_id = request_id
        self.retry_after = retry_after
        fields = "".join(f"\n  {fault['field']}: {fault['message']}" for fault in self.errors)
        suffix = f" (request {request_id})" if request_id else ""
        super().__init__(f"{status} {self.code or 'without a problem document'}: {self.detail}{suffix}{fields}")


def read_error(status: int, body: bytes, headers: dict[str, str]) -> ApiError:
    """Return the error of a response. `headers` has lowercase names."""
    problem: Any = None
    if headers.get("content-type", "").startswith("application/problem+json"):
        try:
            problem = json.loads(body)
        except ValueError:
            problem = None
    if not isinstance(problem, dict):
        problem = {}
    seconds = headers.get("retry-after", "")
    retry_after = float(seconds) if seconds.isascii() and seconds.isdigit() else None
    return ApiError(status, problem, problem.get("requestId") or headers.get("x-request-id"), retry_after)
