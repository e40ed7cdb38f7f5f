/**
 * Port protocol p1, as `link_types::host` defines it. Exactly one property of a message is present.
 */

export type CloseReason = "close" | "exit";

/** An account in the arguments of a callback. */
export interface AccountArgs {
  accountId: string;
  userId: string;
  providerId: string;
}

export interface AccountErrorArgs extends AccountArgs {
  errorCode: string;
}

export interface Upload {
  archiveId: string;
  type: string;
  files: { id: string; name: string }[];
}

export interface UploadsArgs {
  uploads: Upload[];
  userId: string;
}

export interface UIEventArgs {
  eventName: string;
  eventTime: string;
  mode: "SANDBOX" | "PRODUCTION";
  userId: string;
  account: { accountId: string; providerId: string } | null;
  archive: { archiveId: string } | null;
  seq: number;
}

export interface CloseArgs {
  reason: CloseReason;
}

/** What the frame says. */
export interface FrameMessage {
  hello?: { protocol: string; build: string };
  ready?: object;
  tell?: { key: string; callback: Record<string, unknown> };
  close?: CloseArgs;
  failed?: { cause: string; detail: string };
}

/** What the bridge says. */
export type HostMessage =
  | { open: { options: object; token: string } }
  | { setToken: { token: string } }
  | { told: { key: string } }
  | { closeRequested: object }
  | { inset: { bottom: number } };
