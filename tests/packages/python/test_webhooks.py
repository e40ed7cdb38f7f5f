"""`verify_webhook`, with the vectors of the service's own tests."""

from __future__ import annotations

import json
import os
import unittest
from email.message import Message
from pathlib import Path

from linchpin import WebhookVerificationError, verify_webhook

VECTORS = json.loads(Path(os.environ["LINCHPIN_VECTORS"]).read_text())


def verify(vector, body=None, headers=None, **options):
    """Return the id of the event, or the code of the refusal."""
    options = {"secret": vector["secret"], "now": lambda: vector["at"], **options}
    body = vector["body"].encode() if body is None else body
    try:
        return verify_webhook(body, vector["headers"] if headers is None else headers, **options)["id"]
    except WebhookVerificationError as error:
        return error.code


def for_each_vector(test):
    """Run a test with each vector and the id of its event."""

    def run(self):
        self.assertGreaterEqual(len(VECTORS), 3)
        for vector in VECTORS:
            with self.subTest(vector["name"]):
                test(self, vector, vector["headers"]["webhook-id"])

    return run


class Webhooks(unittest.TestCase):
    @for_each_vector
    def test_both_schemes_accept_each_secret(self, vector, event):
        for scheme in ("standard", "service"):
            secrets = [
                vector["secret"],
                vector["whsec"],
                vector["whsec"].rstrip("="),
                ["an older secret", vector["secret"]],
            ]
            for secret in [*secrets, vector["nextSecret"] or vector["secret"]]:
                self.assertEqual(verify(vector, scheme=scheme, secret=secret), event)
            self.assertEqual(verify(vector, scheme=scheme, secret="an older secret"), "wrong-signature")

    @for_each_vector
    def test_one_changed_byte_is_refused(self, vector, _):
        body = bytearray(vector["body"].encode())
        body[-2] ^= 1
        for scheme in ("standard", "service"):
            self.assertEqual(verify(vector, bytes(body), scheme=scheme), "wrong-signature")

    @for_each_vector
    def test_headers_of_frameworks_are_read(self, vector, event):
        message = Message()
        for name, value in vector["headers"].items():
            message[name.upper()] = value
        for scheme in ("standard", "service"):
            self.assertEqual(verify(vector, headers=message, scheme=scheme), event)
            self.assertEqual(verify(vector, headers={}, scheme=scheme), "missing-header")

    @for_each_vector
    def test_attempt_of_another_time_is_refused(self, vector, event):
        for seconds, result in ((299, event), (-299, event), (301, "wrong-time"), (-301, "wrong-time")):
            self.assertEqual(verify(vector, now=lambda at=vector["at"] + seconds: at), result)
        self.assertEqual(verify(vector, now=lambda at=vector["at"]: at + 301, tolerance_seconds=400), event)
        later = {**vector["headers"], "webhook-timestamp": str(vector["at"] + 10)}
        self.assertEqual(verify(vector, headers=later), "wrong-signature")

    @for_each_vector
    def test_malformed_signatures_are_refused(self, vector, _):
        for text in ("v1,é", "v1,", "v1", "v2,AAAA", "v1," + "A" * 100_000, "  "):
            wrong = {**vector["headers"], "webhook-signature": text, "Service-Signature": text}
            for scheme in ("standard", "service"):
                found = verify(vector, headers={**wrong, "Service-Signature-Next": ""}, scheme=scheme)
                self.assertEqual(found, "wrong-signature")

    def test_wrong_arguments_say_what_to_do(self):
        vector = VECTORS[0]
        for body in ("text", {"id": 1}, None):
            with self.assertRaisesRegex(TypeError, "request.get_data\\(\\) in Flask"):
                verify_webhook(body, vector["headers"], secret="s")
        for secret in ("", [], [None], None):
            with self.assertRaisesRegex(ValueError, "environment variable"):
                verify_webhook(b"{}", vector["headers"], secret=secret if secret is not None else [""])
        with self.assertRaisesRegex(ValueError, "scheme"):
            verify_webhook(b"{}", vector["headers"], secret="s", scheme="v1")
