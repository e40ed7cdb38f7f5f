"""Sends requests, and repeats those that are safe to repeat."""

from __future__ import annotations

import json
import random
import re
import time
import uuid
from importlib.metadata import version
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import urllib3

from linchpin._errors import ApiError, LinchpinError, NoResponseError, read_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_ENVIRONMENT = re.compile(r"https?://[^\s/?#]+/(?:[^\s?#]+/)?v1/?")
_KEY = re.compile("[!-~](?:[ -~]{0,253}[!-~])?")
_TIMEOUT_SECONDS = 60.0
_CONNECT_TIMEOUT_SECONDS = 10.0
_MAX_RETRIES = 2
_MAX_WAIT_SECONDS = 30.0
_FIRST_WAIT_SECONDS = 0.5
_CONFLICT = 409
_BUSY = frozenset({429, 502, 503, 504})
_FIRST_ERROR = 300


class Transport:
    """The connections to one environment, shared by all threads."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        api_secret: str,
        timeout: float = _TIMEOUT_SECONDS,
        max_retries: int = _MAX_RETRIES,
        pool: urllib3.PoolManager | None = None,
    ) -> None:
        """Create a client of one environment.

        base_url: the environment, such as `https://link.example/sandbox/v1` or `https://link.example/v1`.
        timeout: the seconds that each attempt may wait for the response.
        max_retries: how often a request that is safe to repeat is repeated if the service is busy or does not respond.
        pool: sends the requests, for example a `urllib3.ProxyManager`.

        Raises ValueError if an option is missing or wrong.
        """
        for name, value in (("api_key", api_key), ("api_secret", api_secret)):
            if not isinstance(value, str) or not value:
                raise ValueError(f"Linchpin: {name} must be the text that the developer portal showed")
        if not isinstance(base_url, str) or not _ENVIRONMENT.fullmatch(base_url):
            raise ValueError("Linchpin: base_url must be an environment, such as https://link.example/sandbox/v1")
        if timeout <= 0 or max_retries < 0:
            raise ValueError("Linchpin: timeout must be positive, and max_retries 0 or more")
        self._base_url = base_url.rstrip("/")
        self._headers = urllib3.make_headers(user_agent=f"linchpin-python/{version('linchpin')}")
        # `make_headers` encodes as latin-1.
        self._headers["authorization"] = _basic(api_key, api_secret)
        self._max_retries = max_retries
        self._timeout = urllib3.Timeout(connect=min(timeout, _CONNECT_TIMEOUT_SECONDS), read=timeout)
        self._pool = pool if pool is not None else urllib3.PoolManager(maxsize=16)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._base_url!r})"

    def _call(
        self,
        method: str,
        path: str,
        ids: tuple[str | int, ...] = (),
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        key: str | None = None,
        has_key: bool = False,
    ) -> Any:  # noqa: ANN401
        """Send a request, and return the body of the response. `has_key`: the operation takes an `Idempotency-Key`."""
        url = self._base_url + path.format(*(_encode_id(it) for it in ids)) + _encode_query(query or {})
        headers = dict(self._headers)
        if has_key:
            headers["idempotency-key"] = _check_key(key) if key is not None else str(uuid.uuid4())
        content = None
        if body is not None:
            headers["content-type"] = "application/json"
            content = json.dumps(body, ensure_ascii=False, allow_nan=False).encode()
        attempts = 1 + (self._max_retries if method == "GET" or has_key else 0)
        for attempt in range(1, attempts + 1):
            try:
                return self._attempt(method, url, headers, content)
            except LinchpinError as error:
                wait = _seconds_to_wait(error, attempt)
                if wait is None or attempt == attempts:
                    raise
                time.sleep(wait)
        raise AssertionError("unreachable")

    def _attempt(self, method: str, url: str, headers: dict[str, str], content: bytes | None) -> Any:  # noqa: ANN401
        try:
            response = self._pool.request(
                method, url, body=content, headers=headers, timeout=self._timeout, retries=False, redirect=False
            )
        except urllib3.exceptions.HTTPError as error:
            raise NoResponseError(f"no response from {self._base_url}: {error}") from error
        received = {name.lower(): value for name, value in response.headers.items()}
        if response.status >= _FIRST_ERROR:
            raise read_error(response.status, response.data, received)
        if not response.data:
            return None
        kind = received.get("content-type", "")
        try:
            if kind.startswith("application/json"):
                return json.loads(response.data)
            if kind.startswith("text/csv"):
                return response.data.decode()
        except ValueError:
            pass
        raise read_error(response.status, response.data, received)

    def _iterate(self, path: str, ids: tuple[str | int, ...], query: Mapping[str, object]) -> Iterator[Any]:
        """Yield the items of all pages of a list."""
        cursor: str | None = None
        while True:
            page = self._call("GET", path, ids, query={**query, "cursor": cursor})
            yield from page["items"]
            cursor = page["nextCursor"]
            if cursor is None:
                return


def _basic(api_key: str, api_secret: str) -> str:
    return urllib3.make_headers(basic_auth=f"{api_key}:{api_secret}".encode().decode("latin-1"))["authorization"]


def _check_key(key: str) -> str:
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise ValueError("Linchpin: idempotency_key must have 1 to 255 printable ASCII characters")
    return key


def _encode_id(value: str | int) -> str:
    if not isinstance(value, (str, int)) or value in ("", ".", ".."):
        # Such a segment would address something else, like the list.
        raise ValueError("Linchpin: an id must be the text that the service returned")
    return quote(str(value), safe="")


def _encode_query(query: Mapping[str, object]) -> str:
    given = {name: _encode_value(value) for name, value in query.items() if value is not None}
    return f"?{urlencode(given)}" if given else ""


def _encode_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (list, tuple)):
        return ",".join(map(_encode_value, value))
    return str(value)


def _seconds_to_wait(error: LinchpinError, attempt: int) -> float | None:
    """Return the pause before the next attempt, or None if repeating the request does not help."""
    if isinstance(error, ApiError):
        # A request with the same key is in progress.
        is_in_progress = error.status == _CONFLICT and error.retry_after is not None
        if error.status not in _BUSY and not is_in_progress:
            return None
        if error.retry_after is not None:
            return error.retry_after if error.retry_after <= _MAX_WAIT_SECONDS else None
    # Spreads the clients that an outage has synchronized.
    return _FIRST_WAIT_SECONDS * 2.0 ** (attempt - 1) * random.uniform(0.5, 1.5)  # noqa: S311 -- no secret
