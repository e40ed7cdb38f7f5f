/**
 * # Where to start
 *
 * `createLinchpin` (client.ts) calls the REST interface with types, which are generated from the OpenAPI document.
 * `verifyWebhook` (webhooks.ts) checks a delivery and returns its event. For servers only: the API secret must never reach a
 * browser.
 */
export { createLinchpin, type Linchpin, type LinchpinOptions } from "./client";
export {
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent,
  type WebhookFault,
  type WebhookRequest,
  WebhookVerificationError,
} from "./webhooks";
export type { components, paths } from "../../../generated/types";
