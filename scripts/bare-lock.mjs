// Takes every address out of an npm lock file: packages are pinned by hash, not by host.
// Usage: node scripts/bare-lock.mjs console/package-lock.json

import { readFileSync, writeFileSync } from "node:fs";

const path = process.argv[2];
const lock = JSON.parse(readFileSync(path, "utf8"));
for (const entry of Object.values(lock.packages)) {
  delete entry.funding;
  delete entry.resolved;
}
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
