"""Wrong uses of the package. The comment at the end of a line is the error of mypy."""

from linchpin import Linchpin, verify_webhook
from linchpin.types import CreateWebhook

linchpin = Linchpin(base_url="https://link.example/v1", api_key="k", api_secret="s")
Linchpin(base_url="https://link.example/v1", api_key="k")  # call-arg
linchpin.create_user({"referense": "customer-1"})  # typeddict-unknown-key
linchpin.create_user({"reference": 1})  # typeddict-item
linchpin.create_user(reference="customer-1")  # call-arg
linchpin.list_accounts(connection_status="CONECTED")  # arg-type
linchpin.list_accounts("demo-1")  # call-arg
linchpin.get_account()  # call-arg
linchpin.get_accounts("a-1")  # attr-defined
linchpin.get_account("a-1")["conection"]  # typeddict-item
webhook: CreateWebhook = {"url": "https://example.com", "secret": "a long secret"}  # typeddict-item
event = verify_webhook(b"", {}, secret="s")
verify_webhook(b"", {}, secret="s", scheme="v1")  # arg-type
verify_webhook({}, {}, secret="s")  # arg-type
verify_webhook(b"", {})  # call-arg
if event["type"] == "ACCOUNT_CONECTED":  # comparison-overlap
    pass
if event["type"] == "ACCOUNT_CONNECTED":
    event["data"]["acountId"]  # typeddict-item
