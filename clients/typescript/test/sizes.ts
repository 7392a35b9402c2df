/** The sizes of the entries in bytes, minified and compressed, and their limits; `npm run sizes` prints them. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

export const LIMITS = {
  json: 5000,
  index: 9000,
  offers: 1700,
  tables: 2500,
  guests: 800,
  descriptions: 800,
  lobby: 800,
};

/** Return the size of an entry with everything that it imports. */
export async function measure(entry: string): Promise<number> {
  const path = join(import.meta.dirname, `../dist/${entry}.js`);
  const options = { bundle: true, minify: true, format: "esm", target: "es2022", write: false } as const;
  const { outputFiles } = await build({ entryPoints: [path], ...options });
  return gzipSync(outputFiles[0]?.contents as Uint8Array, { level: 9 }).length;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [entry, limit] of Object.entries(LIMITS)) {
    console.log(`palatine-client ${entry}: ${await measure(entry)} of ${limit} bytes`);
  }
}
