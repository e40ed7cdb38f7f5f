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

    idempotency_key: str | None
    """The `Idempotency-Key` of a POST. With it, sending the same request again is safe. None for other methods."""

    def __init__(self, message: str, idempotency_key: str | None = None) -> None:
        super().__init__(message)
        self.idempotency_key = idempotency_key


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
        code = problem.get("code")
        self.code = cast("ProblemCode", code) if isinstance(code, str) else None
        self.detail = str(problem.get("detail") or "The response is not from Linchpin: check base_url, and the proxy.")
        self.errors = _read_faults(problem.get("errors"))
        self.request_id = request_id
        self.retry_after = retry_after
        fields = "".join(f"\n  {fault['field']}: {fault['message']}" for fault in self.errors)
        suffix = f" (request {request_id})" if request_id else ""
        super().__init__(f"{status} {self.code or 'without a problem document'}: {self.detail}{suffix}{fields}")

    def __reduce__(self) -> tuple[Any, ...]:
        # An exception is otherwise created again from its message alone.
        return _create, (type(self), self.args), self.__dict__


def _create(kind: type[ApiError], arguments: tuple[object, ...]) -> ApiError:
    return kind.__new__(kind, *arguments)


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


def _read_faults(errors: object) -> list[FieldFault]:
    """Return the invalid fields, or none if a proxy's problem document has another shape."""

    def is_fault(it: object) -> bool:
        return isinstance(it, dict) and all(isinstance(it.get(name), str) for name in ("field", "message"))

    return cast("list[FieldFault]", errors) if isinstance(errors, list) and all(map(is_fault, errors)) else []
