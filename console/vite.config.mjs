import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

/** The reference page carries other people's work; their notices must travel in the wheel beside it. */
function thirdPartyNotices() {
  const folder = "node_modules/swagger-ui-dist/";
  const files = ["NOTICE", "LICENSE", "swagger-ui-es-bundle.js.LICENSE.txt"];
  return {
    name: "third-party-notices",
    apply: "build",
    generateBundle() {
      const source = files.map((file) => readFileSync(here(folder + file), "utf8").trim()).join("\n\n---\n\n");
      this.emitFile({ type: "asset", fileName: "assets/third-party-notices.txt", source: `${source}\n` });
    },
  };
}

export default defineConfig({
  // Relative addresses: the pages also work behind a proxy that puts them under a folder.
  base: "./",
  plugins: [thirdPartyNotices()],
  build: {
    outDir: here("../src/toprung/console/static"),
    emptyOutDir: true,
    target: "es2022",
    // Nothing inline, so that the server can answer with `default-src 'self'`.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    // Swagger UI is one prebuilt file of 1.7 MB; only the reference page loads it.
    chunkSizeWarningLimit: 1800,
    rolldownOptions: { input: { index: here("index.html"), docs: here("docs.html") } },
  },
  test: { include: ["tests/**/*.test.ts"], environment: "node" },
});
