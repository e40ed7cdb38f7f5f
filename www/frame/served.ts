/** Distinguishes a file that the service does not serve from one that the network did not bring. */

/** The service responded, but not with the file. */
export class NotServed extends Error {
  constructor(
    url: string,
    readonly status: number,
  ) {
    super(`${url}: status ${status}`);
  }
}

/**
 * Returns the response if it contains the file.
 *
 * @throws NotServed otherwise.
 */
export function served(response: Response): Response {
  if (!response.ok) throw new NotServed(response.url, response.status);
  return response;
}

/** Handles the failure of an `import()` or `<link>`, which do not tell whether the service responded. */
export function whyNot(url: string): (error: unknown) => Promise<never> {
  return async (error) => {
    const response = await fetch(url).catch(() => null);
    if (response) served(response);
    throw error;
  };
}
