import { LinkError, type LinkCallbacks, LinkModal, type LinkModalOptions, type OpenOptions } from "@linchpin/link";
import { useCallback, useEffect, useRef, useState } from "react";

/** The options of the modal. They may change at each render; callbacks need no `useCallback`. */
export interface LinchpinLinkOptions extends LinkModalOptions {
  /** Is called for each failure and each mistake of the page, with the same error as `error`. */
  onError?: ((error: LinkError) => void) | undefined;
}

/** What the hook returns. */
export interface LinchpinLinkHandle {
  /** Opens the widget. Does nothing while it is open. Is the same function at each render. */
  open: (options?: OpenOptions) => void;
  /** Closes the widget at once, without a question. Is the same function at each render. */
  close: () => void;
  /** Whether `open` works: true right after the component is mounted, unless an option is missing or wrong (`error`). */
  ready: boolean;
  /** Whether the person sees the widget. */
  isOpen: boolean;
  /** The last failure since the last `open`. Branch on its `cause`. */
  error: LinkError | undefined;
}

const CALLBACKS = [
  "onAccountCreated",
  "onAccountConnected",
  "onAccountRemoved",
  "onAccountError",
  "onClose",
  "onUploadsCreated",
  "onUploadsRemoved",
  "onUIEvent",
] as const satisfies (keyof LinkCallbacks)[];

/** What is not copied to the modal at each render: a change of the first three needs another modal. */
const HELD: ReadonlySet<string> = new Set([
  "serviceUrl",
  "templateId",
  "container",
  "locale",
  "userToken",
  "onError",
  "onTokenExpired",
  ...CALLBACKS,
]);

const CLOSED = { ready: false, isOpen: false, error: undefined } satisfies Partial<LinchpinLinkHandle>;

/**
 * Creates the modal when the component is mounted, and removes it when it is unmounted. Each hook has its own modal, so
 * a page may use several. Renders nothing, also on a server.
 */
export function useLinchpinLink(options: LinchpinLinkOptions): LinchpinLinkHandle {
  const { serviceUrl, templateId, container } = options;
  const latest = useRef(options);
  const modal = useRef<LinkModal | undefined>(undefined);
  const [status, setStatus] = useState<Pick<LinchpinLinkHandle, "ready" | "isOpen" | "error">>(CLOSED);

  // Before the effect that creates the modal, which reads it.
  useEffect(() => {
    const before = latest.current;
    latest.current = options;
    if (modal.current) applyChanges(modal.current, before, options);
  });

  useEffect(() => {
    let created: LinkModal;
    try {
      created = createModal(latest, (change) => modal.current === created && setStatus((it) => ({ ...it, ...change })));
    } catch (error) {
      setStatus({ ...CLOSED, error: error as LinkError });
      latest.current.onError?.(error as LinkError);
      return;
    }
    modal.current = created;
    setStatus({ ...CLOSED, ready: true });
    return () => {
      modal.current = undefined;
      void created.destroy();
      setStatus(CLOSED);
    };
  }, [serviceUrl, templateId, container]);

  const open = useCallback((given?: OpenOptions) => {
    const { current } = modal;
    if (current?.state !== "closed") return;
    setStatus((it) => ({ ...it, isOpen: true, error: undefined }));
    // A click handler gets an event, which has no token.
    current.open({ userToken: given?.userToken });
  }, []);
  const close = useCallback(() => modal.current?.close(), []);
  return { open, close, ...status };
}

/** Creates a modal whose callbacks are those of the latest render. `show` gets what changes. */
function createModal(
  latest: { current: LinchpinLinkOptions },
  show: (change: Partial<LinchpinLinkHandle>) => void,
): LinkModal {
  const { onError: _, ...options } = latest.current;
  const requestToken = (): string | PromiseLike<string> => {
    const { userToken } = latest.current;
    return typeof userToken === "function" ? userToken() : (userToken ?? "");
  };
  const modal = new LinkModal({
    ...options,
    ...Object.fromEntries(CALLBACKS.map((name) => [name, (argument: never) => latest.current[name]?.(argument)])),
    userToken: requestToken,
    onTokenExpired: () => {
      const { onTokenExpired, userToken } = latest.current;
      if (onTokenExpired) return onTokenExpired();
      // A token that is not a function would be the one that has expired.
      return typeof userToken === "function" ? userToken() : undefined;
    },
  });
  modal.on("onClose", () => show({ isOpen: false }));
  modal.on("error", (error) => {
    show({ error });
    latest.current.onError?.(error);
  });
  return modal;
}

/** Gives the modal the options that have changed. It reads them at the next `open`, and the locale at once. */
function applyChanges(modal: LinkModal, before: LinchpinLinkOptions, now: LinchpinLinkOptions): void {
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (!HELD.has(name)) Object.assign(modal, { [name]: now[name as keyof LinchpinLinkOptions] });
  }
  if (now.locale && now.locale !== before.locale) modal.setLocale(now.locale);
}
