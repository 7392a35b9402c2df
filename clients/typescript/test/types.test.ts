/** The generated files are those that the schemas of the protocol and of the games give. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { generate, SOURCE } from "./generate.ts";
import { startServer } from "./server.ts";

test("generated files are up to date; run `npm run generate` if this fails", async () => {
  const server = await startServer();
  try {
    for (const [path, text] of Object.entries(await generate(server.url))) {
      assert.equal(readFileSync(join(SOURCE, path), "utf8"), text, path);
    }
  } finally {
    await server.stop();
  }
});
