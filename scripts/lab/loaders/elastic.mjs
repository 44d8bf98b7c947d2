// Has TypeScript compare what huller writes for Elasticsearch with the types that Elastic publishes.
//
//   node elastic.mjs HULLER ARCHIVE
//
// These are the mapping of examples/passage_schemas.py, and the actions and documents of the first
// passages of ARCHIVE in the schema es-bulk. Every member must be one that the types have.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve as absolute } from "node:path";
import { fileURLToPath } from "node:url";

const [program, archive] = process.argv.slice(2);
const MOST = 2000;
// Small passages, of which the sample has that many.
const SETTINGS = ["tokenizer=characters", "max_tokens=66", "min_tokens=10"].flatMap((setting) => ["--passages-set", setting]);
const here = dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "huller-elastic-"));

function run(command, ...args) {
  const ran = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  if (ran.status !== 0) throw new Error(`${command} ${args.join(" ")}: ${ran.stdout}${ran.stderr}`);
  return ran.stdout;
}

/** The type of a field's value: that which Elasticsearch takes by its mapping, or nothing. */
function valueOf(name, { type }) {
  const one = { keyword: "string", text: "string", integer: "number" }[type];
  return `${name}: ${one} | ${one}[] | null`;
}

try {
  const out = join(folder, "passages");
  const schema = ["--passages-schema", "es-bulk", "--es-index", "passages"];
  run(absolute(program), "extract", archive, "-o", join(folder, "rows"), "--passages", out, ...schema, ...SETTINGS, "--compress", "none", "--quiet");
  const lines = readFileSync(join(out, readdirSync(out)[0]), "utf8").split("\n").slice(0, 2 * MOST).filter(Boolean);
  const mapping = run("python3", join(here, "../../../examples/passage_schemas.py"), "elasticsearch");
  const fields = Object.entries(JSON.parse(mapping).mappings.properties).map(([name, property]) => valueOf(name, property));
  writeFileSync(
    join(folder, "check.ts"),
    `import type { estypes } from "@elastic/elasticsearch";
type Passage = { ${fields.join("; ")} };
export const created: Omit<estypes.IndicesCreateRequest, "index"> = ${mapping};
export const actions: estypes.BulkOperationContainer[] = [${lines.filter((_, at) => at % 2 === 0).join(",\n")}];
export const documents: Passage[] = [${lines.filter((_, at) => at % 2 === 1).join(",\n")}];
`,
  );
  const paths = { "@elastic/elasticsearch": [join(here, "node_modules/@elastic/elasticsearch/index.d.ts")] };
  const options = { strict: true, noEmit: true, skipLibCheck: true, module: "nodenext", types: [], paths };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["check.ts"] }));
  run(join(here, "node_modules/.bin/tsc"), "--project", folder);
  console.log(`the types of Elasticsearch take the mapping, and ${lines.length / 2} passages with their actions`);
} finally {
  rmSync(folder, { recursive: true });
}
