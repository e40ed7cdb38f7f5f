// Accepts files with tus like the service, slowly enough to watch, and does not store them.

const files = new Map();
const BYTES_A_SECOND = 2_000_000;

/** Handles an upload request. Returns false for any other request. */
export function takeFile(request, response) {
  const { pathname } = new URL(request.url ?? "/", "http://preview");
  const [, id] = /^\/v1\/link\/uploads\/?(.*)$/.exec(pathname) ?? [];
  if (id === undefined) return false;
  const end = (status, offset, more = {}) => response.writeHead(status, { "upload-offset": String(offset), ...more }).end();
  if (request.method === "POST") {
    const name = `file-${String(files.size + 1).padStart(32, "0")}`;
    files.set(name, 0);
    end(201, 0, { location: `/v1/link/uploads/${name}` });
  } else if (request.method === "PATCH") {
    request.on("data", (bytes) => {
      files.set(id, (files.get(id) ?? 0) + bytes.length);
      request.pause();
      setTimeout(() => request.resume(), (1_000 * bytes.length) / BYTES_A_SECOND);
    });
    request.on("end", () => end(204, files.get(id) ?? 0));
  } else {
    end(204, files.get(id) ?? 0);
    if (request.method === "DELETE") files.delete(id);
  }
  return true;
}
