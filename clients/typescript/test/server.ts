/** A real server for tests: `palatine serve` of this repository, on a free port, with its data in a new directory. */

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");
const VENV = join(ROOT, ".venv/bin/palatine");

/** Limits beyond which many random players on one address would have to wait. */
const QUICK = {
  PALATINE_BURST: "100000",
  PALATINE_RATE: "100000",
  PALATINE_GUESTS_PER_MINUTE: "10000",
  PALATINE_JOINS_PER_MINUTE: "10000",
  PALATINE_TABLES_PER_USER: "100",
  PALATINE_BOT_MOVES_PER_SECOND: "10000",
  PALATINE_BOT_MOVES_PER_USER: "10000",
  PALATINE_BOT_NICENESS: "0",
};

export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** Start a server and wait until it says where it is. */
export async function startServer(settings: Record<string, string> = {}): Promise<Server> {
  const data = mkdtempSync(join(tmpdir(), "palatine-typescript-"));
  const command = process.env.PALATINE ?? (existsSync(VENV) ? VENV : "palatine");
  const child = spawn(command, ["serve", "--port", "0", "--data", data], {
    env: { ...process.env, ...QUICK, ...settings },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exit = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return { url: await findAddress(child), stop: () => stop(child, exit, data) };
}

// The server says its address on its standard error; what it says later is read and dropped, so that it never blocks.
function findAddress(child: ChildProcess): Promise<string> {
  let said = "";
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`palatine serve ended with ${code}: ${said}`)));
    child.stderr?.on("data", (bytes) => {
      said = (said + bytes).slice(-10_000);
      const address = /serves (http:\S+)/.exec(said);
      if (address) resolve(address[1] as string);
    });
  });
}

async function stop(child: ChildProcess, exit: Promise<void>, data: string): Promise<void> {
  child.kill("SIGTERM");
  await exit;
  rmSync(data, { recursive: true, force: true });
}
