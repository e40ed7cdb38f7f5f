/** Distinguishes a file that the service does not serve from one that the network did not bring. */

/** The status of a file that has arrived and cannot be used. */
export const DAMAGED = 502;

/** The service responded, but not with the file. */
export class NotServed extends Error {
  constructor(
    url: string,
    readonly status: number,
  ) {
    super(`${url}: status ${status}`);
  }
}

/** Returns whether another request for a file would not help: it is gone, or a proxy answers with a page. */
export const isGone = (error: unknown): error is NotServed => error instanceof NotServed && error.status < 429;

/** Returns whether a file did not arrive. One that has arrived may be damaged. */
export const isOffline = (error: unknown): boolean => error instanceof TypeError || error instanceof DOMException;

/** Returns the cause that the host page gets. */
export const causeOf = (error: unknown): string => (isGone(error) ? "files" : "network");

/**
 * Returns the response if it contains the file.
 *
 * @throws NotServed otherwise.
 */
export function requireServed(response: Response): Response {
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || !/javascript|wasm|json|css/.test(type)) throw new NotServed(response.url, response.status);
  return response;
}

/**
 * Imports a script. One that is damaged or empty counts as gone.
 *
 * @throws NotServed if the service, or a proxy, responded with something else.
 */
export async function importServed(url: string): Promise<unknown> {
  const script = (await import(url).catch(whyNot(url))) as object;
  if (!Object.keys(script)[0]) throw new NotServed(url, 200);
  return script;
}

/** Handles the failure of an `import()` or `<link>`, which do not tell whether the service responded. */
export function whyNot(url: string): (error: unknown) => Promise<never> {
  return async (error) => {
    // A proxy that wants a sign-in redirects to another origin, which would look like a lost connection.
    const response = await fetch(url, { redirect: "manual" }).catch(() => null);
    if (response) requireServed(response);
    throw error instanceof SyntaxError ? new NotServed(url, 200) : error;
  };
}
