"""`Linchpin`, with a service that gives the responses of a list."""

from __future__ import annotations

import json
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from unittest import mock

from linchpin import ApiError, Linchpin, NoResponseError

PROBLEM = {
    "code": "INVALID_PARAMETERS",
    "detail": "`errors` lists each invalid field.",
    "errors": [{"code": "MISSING", "field": "url", "message": "required"}],
    "requestId": "req-1",
    "status": 422,
}
BUSY = (
    503,
    {"retry-after": "7", "content-type": "application/problem+json"},
    {**PROBLEM, "code": "SERVICE_UNAVAILABLE"},
)
LOST = None
CREATED = (201, {"content-type": "application/json"}, {"id": "demo-1"})


class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_request(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.requests.append((self.command, self.path, self.headers, body))
        response = self.server.responses.pop(0)
        if response is LOST:
            self.close_connection = True
            return
        status, headers, content = response
        data = content if isinstance(content, bytes) else b"" if content is None else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PATCH = do_DELETE = handle_request

    def log_message(self, *_):
        pass


class Client(unittest.TestCase):
    def setUp(self):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
        self.server.requests, self.server.responses = [], []
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)
        self.url = f"http://127.0.0.1:{self.server.server_port}/sandbox/v1/"
        sleep = mock.patch("time.sleep")
        self.waits = sleep.start().call_args_list
        self.addCleanup(sleep.stop)
        self.linchpin = Linchpin(base_url=self.url, api_key="key", api_secret="sécret")

    def respond(self, *responses):
        self.server.requests.clear()
        self.waits.clear()
        self.server.responses[:] = responses

    def seen(self):
        return [(method, path) for method, path, _, _ in self.server.requests]

    def waited(self):
        return [call.args[0] for call in self.waits]

    def test_request_has_credentials_query_and_body(self):
        self.respond(CREATED, CREATED, (204, {}, None), (200, {"content-type": "text/csv"}, "é".encode()))
        self.assertEqual(self.linchpin.create_user({"reference": "é"}), {"id": "demo-1"})
        method, path, headers, body = self.server.requests[0]
        self.assertEqual((method, path, body.decode()), ("POST", "/sandbox/v1/users", '{"reference": "é"}'))
        # The Base64 of `key:sécret` in UTF-8.
        self.assertEqual(headers["authorization"], "Basic a2V5OnPDqWNyZXQ=")
        self.assertEqual(headers["content-type"], "application/json")
        self.assertRegex(headers["user-agent"], r"^linchpin-python/\d")
        self.linchpin.list_accounts(user_id="a&b", size=5)
        self.assertIsNone(self.linchpin.delete_user("../ü"))
        self.assertEqual(self.linchpin.export_forms(format="CSV"), "é")
        paths = [path for _, path in self.seen()]
        self.assertEqual(paths[1:3], ["/sandbox/v1/accounts?userId=a%26b&size=5", "/sandbox/v1/users/..%2F%C3%BC"])

    def test_wrong_options_are_named(self):
        right = {"base_url": self.url, "api_key": "key", "api_secret": "secret"}
        wrong = [
            ("api_key", ""),
            ("api_secret", None),
            ("base_url", "https://link.example"),
            ("base_url", "link.example/v1"),
        ]
        for name, value in [*wrong, ("timeout", 0), ("max_retries", -1)]:
            with self.assertRaisesRegex(ValueError, name):
                Linchpin(**{**right, name: value})
        for wrong_id in ("", ".", "..", None):
            with self.assertRaisesRegex(ValueError, "an id must be"):
                self.linchpin.delete_user(wrong_id)
        for key in ("", "é", "a\nb", "a" * 256, 1):
            with self.assertRaisesRegex(ValueError, "idempotency_key must"):
                self.linchpin.create_user({}, idempotency_key=key)
        self.assertEqual(self.server.requests, [])

    def test_secret_is_in_no_text(self):
        self.respond((422, {"content-type": "application/problem+json"}, PROBLEM), LOST, LOST, LOST)
        texts = [repr(self.linchpin)]
        for _ in range(2):
            with self.assertRaises((ApiError, NoResponseError)) as caught:
                self.linchpin.list_users(reference="personal")
            texts.append(str(caught.exception))
        for text in texts:
            self.assertNotRegex(text, "sécret|personal|a2V5")

    def test_error_has_code_fields_and_request_id(self):
        self.respond((422, {"content-type": "application/problem+json"}, PROBLEM))
        with self.assertRaises(ApiError) as caught:
            self.linchpin.create_webhook({})
        error = caught.exception
        self.assertEqual((error.status, error.code, error.request_id), (422, "INVALID_PARAMETERS", "req-1"))
        self.assertEqual(error.errors, PROBLEM["errors"])
        self.assertIn("(request req-1)\n  url: required", str(error))

    def test_response_of_a_proxy_is_an_error(self):
        html = {"content-type": "text/html"}
        cut = {"content-type": "application/json"}
        for status, headers in ((404, html), (200, html), (200, cut), (302, {"location": self.url, **html})):
            self.respond((status, headers, b"<h1>"))
            with self.assertRaisesRegex(ApiError, f"{status} without a problem document: .*check base_url") as caught:
                self.linchpin.get_clock()
            self.assertIsNone(caught.exception.code)
            # It does not follow redirects, which could take the credentials elsewhere.
            self.assertEqual(len(self.server.requests), 1)

    def test_safe_requests_are_repeated(self):
        in_progress = (409, {"retry-after": "1"}, {})
        self.respond(LOST, BUSY, CREATED)
        self.linchpin.get_user("demo-1")
        self.assertEqual(len(self.seen()), 3)
        self.assertEqual(self.waited()[1], 7)
        self.assertTrue(0 < self.waited()[0] < 1)
        self.respond(LOST, in_progress, CREATED)
        self.linchpin.create_user({})
        keys = {headers["idempotency-key"] for _, _, headers, _ in self.server.requests}
        self.assertEqual((len(self.seen()), len(keys)), (3, 1))
        self.assertRegex(keys.pop(), "^[0-9a-f-]{36}$")
        self.respond(BUSY, CREATED)
        self.linchpin.create_user({}, idempotency_key="mine")
        self.assertEqual([headers["idempotency-key"] for _, _, headers, _ in self.server.requests], ["mine", "mine"])

    def test_other_requests_are_sent_once(self):
        for send in (lambda: self.linchpin.delete_user("demo-1"), lambda: self.linchpin.update_user("demo-1", {})):
            for response, expected in ((LOST, NoResponseError), (BUSY, ApiError)):
                self.respond(response, CREATED)
                self.assertRaises(expected, send)
                self.assertEqual(len(self.seen()), 1)

    def test_repetitions_end(self):
        self.respond(BUSY, BUSY, BUSY, CREATED)
        with self.assertRaises(ApiError) as caught:
            self.linchpin.get_clock()
        self.assertEqual((len(self.seen()), caught.exception.retry_after), (3, 7))
        hour = (429, {"retry-after": "3600"}, {})
        conflict = (409, {"content-type": "application/problem+json"}, PROBLEM)
        for response in (hour, conflict, (500, {}, {})):
            self.respond(response, CREATED)
            self.assertRaises(ApiError, self.linchpin.get_clock)
            self.assertEqual((len(self.seen()), self.waited()), (1, []))

    def test_iterator_requests_all_pages(self):
        page = {"content-type": "application/json"}
        self.respond(
            (200, page, {"items": [1, 2], "nextCursor": "c+1"}), (200, page, {"items": [3], "nextCursor": None})
        )
        items = self.linchpin.iterate_accounts(user_id="u", size=2)
        self.assertEqual((next(items), len(self.seen())), (1, 1))
        self.assertEqual(list(items), [2, 3])
        self.assertEqual(self.seen()[1][1], "/sandbox/v1/accounts?userId=u&size=2&cursor=c%2B1")

    def test_unknown_values_and_fields_are_returned(self):
        later = {"id": "a-1", "connection": {"status": "ADDED_LATER"}, "new": 1}
        self.respond((200, {"content-type": "application/json; charset=utf-8"}, later))
        self.assertEqual(self.linchpin.get_account("a-1"), later)
