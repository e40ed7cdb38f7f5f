// The files of a folder in which other tests write and delete.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns the path and the bytes, as Latin-1, of each file in the folder and the folders in it. */
export async function filesOf(folder: string): Promise<[string, string][]> {
  const entries = (await readdir(folder, { withFileTypes: true }).catch(missing)) ?? [];
  const found = entries.map(async (entry): Promise<[string, string][]> => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesOf(path);
    const text = entry.isFile() ? await readFile(path, "latin1").catch(missing) : undefined;
    return text === undefined ? [] : [[path, text]];
  });
  return (await Promise.all(found)).flat();
}

/** Returns undefined if a file or folder was deleted meanwhile. */
function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
