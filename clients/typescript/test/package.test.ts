/** The package: small, complete, usable from other packages, and without anything that it should not hold. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { LIMITS, measure } from "./sizes.ts";

const ROOT = join(import.meta.dirname, "..");

const scratch = mkdtempSync(join(tmpdir(), "palatine-package-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

for (const [entry, limit] of Object.entries(LIMITS)) {
  test(`the entry ${entry} has at most ${limit} bytes, minified and compressed`, async () => {
    const size = await measure(entry);
    assert.ok(size <= limit, `${size} bytes`);
  });
}

test("the package holds what it promises and nothing else, and works where it is installed", () => {
  const [packed] = JSON.parse(run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", scratch], ROOT));
  const files: string[] = packed.files.map(({ path }: { path: string }) => path);
  const surprising = files.filter(
    (path) => !/^(dist\/[\w/]+\.(d\.ts|js)|examples\/random\.mjs|package\.json|README\.md|LICENSE)$/.test(path),
  );
  assert.deepEqual(surprising, []);
  for (const path of ["README.md", "LICENSE", "dist/index.js", "dist/games/index.d.ts"])
    assert.ok(files.includes(path), path);
  install(join(scratch, packed.filename));
  for (const entry of [
    "",
    "/json",
    "/guests",
    "/descriptions",
    "/tables",
    "/offers",
    "/lobby",
    "/replay",
    "/session",
  ]) {
    run("node", ["--input-type=module", "-e", `await import("palatine-client${entry}")`], scratch);
  }
});

test("the types of the installed package are sound, and know every game", () => {
  writeFileSync(join(scratch, "use.ts"), USE);
  for (const [module, moduleResolution] of [
    ["nodenext", "nodenext"],
    ["esnext", "bundler"],
  ]) {
    const options = ["--strict", "--noEmit", "--target", "es2022", "--lib", "es2022,dom", "--types", ""];
    run(
      "node",
      [
        join(ROOT, "node_modules/typescript/bin/tsc"),
        ...options,
        "--module",
        module as string,
        "--moduleResolution",
        moduleResolution as string,
        "use.ts",
      ],
      scratch,
    );
  }
});

const USE = `
import { connect, Refused, type GameOf, type View } from "palatine-client";
import type { Snapshot } from "palatine-client/messages";
import type { Noblemen } from "palatine-client/games";
import { narrow, random, values } from "palatine-client/offers";
import { create, preview, sit, watch } from "palatine-client/tables";

const client = await connect("http://localhost:8080", { token: "t" });
const table = await create(client, "between_two_castles", { seats: 3, options: { finite_supply: true }, clock: { move: 60 } });
const castles: number = table.view.board?.castles.length ?? 0;
const phase: string | undefined = table.view.board?.phase;
await sit(table);
await table.send("start");
const done = await table.send("say", { text: "Hello" });
const version: number = done.version;
for await (const turn of table) {
  const action = random(turn.offer);
  if (action.do === "place") await preview(table, action);
  const cells = values(narrow(turn.offer, { do: "place" }), "cell");
  const acted: number | null = await turn.act(action);
}
table.subscribe((view: View<GameOf<"between_two_castles">>) => { for (const { news } of view.news) news === "room_placed"; });
const any = await watch(client, "id");
any.view.board.anything.goes;
try { await any.act({ do: "x", cell: [1, 2] }); } catch (error) { if (error instanceof Refused) error.rule.toUpperCase(); }
let snapshot: Snapshot | undefined;
let nobleman: Noblemen.Board["noblemen"][0] | undefined;
// @ts-expect-error a field is missing
await table.send("act", {});
// @ts-expect-error there is no such request
await table.send("dance");
// @ts-expect-error views cannot be changed
table.view.waiting[0].seat = 1;
// @ts-expect-error there is no such option
await create(client, "noblemen", { seats: 3, options: { finite_supply: true } });
`;

test("the lock file names no machine of its author", () => {
  assert.deepEqual(
    readFileSync(join(ROOT, "package-lock.json"), "utf8").match(
      /"resolved": "(?!https:\/\/registry\.npmjs\.org\/)[^"]*"/g,
    ),
    null,
  );
});

function install(tarball: string): void {
  const folder = join(scratch, "node_modules/palatine-client");
  mkdirSync(folder, { recursive: true });
  run("tar", ["-xzf", tarball, "-C", folder, "--strip-components", "1"], scratch);
  writeFileSync(join(scratch, "package.json"), '{"type": "module"}');
  symlinkSync(join(ROOT, "node_modules/typescript"), join(scratch, "node_modules/typescript"));
}

function run(command: string, given: string[], cwd: string): string {
  try {
    return execFileSync(command, given, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${command} ${given.join(" ")}\n${stdout}${stderr}`);
  }
}
