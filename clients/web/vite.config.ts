import { defineConfig, type Plugin } from "vite";

const KEPT = ["icon.svg", "icon-192.png", "manifest.webmanifest"];

/** Write the service worker with the names of all files that it keeps; so it changes whenever one of them does. */
function writeServiceWorker(): Plugin {
  return {
    name: "service-worker",
    async generateBundle(_, bundle) {
      const files = [...Object.keys(bundle).filter((name) => name.startsWith("assets/")), ...KEPT];
      const source = await this.fs.readFile("worker/sw.js", { encoding: "utf8" });
      const named = source.replace("const FILES = [];", `const FILES = ${JSON.stringify(files.sort())};`);
      this.emitFile({ type: "asset", fileName: "sw.js", source: named });
    },
  };
}

// What every page needs comes in one file, so that the first paint waits for few requests.
const FRAME =
  /preact|vite\/preload|typescript\/(dist|src)\/(?!replay)|src\/(session|route|preferences|i18n\/languages|game\/(?!record))/;

// Relative addresses, so that the pages work under any prefix. Nothing is inlined as a data: address, which the
// Content-Security-Policy forbids.
export default defineConfig({
  base: "./",
  plugins: [writeServiceWorker()],
  build: {
    target: "es2022",
    outDir: "../../server/palatine_server/web/client",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "frame", test: FRAME }] } } },
  },
  server: { proxy: { "/v1": { target: "http://127.0.0.1:8080", ws: true } } },
});
