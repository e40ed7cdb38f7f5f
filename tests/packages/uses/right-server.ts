/** Compiles: a tenant's server. */
import { createLinchpin, verifyWebhook, WebhookVerificationError, type WebhookFault } from "@linchpin/server";

const linchpin = createLinchpin({ baseUrl: "https://link.example/v1", apiKey: "key", apiSecret: "secret" });
const { data, error } = await linchpin.POST("/users", { body: { reference: "customer-1" } });
const token: string | undefined = data?.token.accessToken;
console.log(token, error?.code);

try {
  const event = await verifyWebhook({ body: new Uint8Array(), headers: { "webhook-id": "et-1" } }, { secret: "secret" });
  if (event.type === "ACCOUNT_CONNECTED") console.log(event.data.accountId);
} catch (refusal) {
  if (refusal instanceof WebhookVerificationError) {
    const code: WebhookFault = refusal.code;
    console.log(code);
  }
}
