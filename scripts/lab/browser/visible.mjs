// Compares the words that a browser shows with those of `--extractor body`.
//
//   node visible.mjs HULLER BROWSER PAGES SEED ARCHIVE…
//
// Takes PAGES rows in turn from each archive, chosen by SEED. Opens the bytes of each page at its
// URL in BROWSER (Chromium) without scripts and without network, so only style sheets in the page
// apply. Counts words that are lost and words that the browser does not show, by kind. Prints some
// of each kind: EXAMPLES in the environment, or 4.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve as absolute } from "node:path";
import { chromium } from "playwright-core";
import { alignment, byArchive, wordsOf } from "./words.mjs";

const [program, browserPath, most, seed, ...archives] = process.argv.slice(2);
const huller = absolute(program);
const folder = mkdtempSync(join(tmpdir(), "huller-visible-"));
const EXAMPLES = Number(process.env.EXAMPLES ?? 4);

function run(...args) {
  const ran = spawnSync(huller, args, { maxBuffer: 1 << 30 });
  if (ran.status !== 0) throw new Error(`huller ${args.join(" ")}: ${ran.stderr}`);
  return ran.stdout;
}

function rowsOf(at) {
  const files = readdirSync(at).filter((file) => file.endsWith(".jsonl"));
  return files.flatMap((file) => readFileSync(join(at, file), "utf8").split("\n").filter(Boolean).map(JSON.parse));
}

/** Returns the visible text, and all texts of the body with their kind. Runs in the browser. */
function seen() {
  const EMBEDDED = ["iframe", "noembed", "noframes", "object", "canvas", "video", "audio", "datalist", "dialog"];
  const CONTROLS = ["select", "textarea", "button", "svg", "math", "noscript", "ruby", "pre", "table", "a"];
  const within = (element, names) => names.find((name) => element.closest(name));
  const hidden = (leaf) => {
    // The text that a browser states for a page has the options of a list, open or not.
    const element = leaf.closest("select") ?? leaf;
    for (let up = element; up; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.display !== "none") continue;
      if (up.hasAttribute("hidden")) return "attribute hidden";
      if (up.style.display === "none") return "style attribute";
      return within(element, EMBEDDED) ?? (up.localName === "rp" ? "rp" : "style sheet");
    }
    if (getComputedStyle(element).visibility !== "visible") return "visibility";
    if (!element.checkVisibility()) return element.closest("details") ? "closed details" : "not rendered";
    return within(element, ["textarea", "iframe", "noembed", "noframes", "object", "canvas", "video", "audio"]);
  };
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement: parent } = walker.currentNode;
    if (!data.trim() || parent.closest("script, style, head, title")) continue;
    const why = hidden(parent);
    const place = within(parent, CONTROLS) ?? parent.localName;
    texts.push({ text: data, kind: why ? `hidden: ${why}` : `shown: ${place}`, isShown: !why, parent: parent.outerHTML.slice(0, 160) });
  }
  return { visible: document.body.innerText, texts };
}

/** Opens a page and looks at it. */
async function look(browser, row, bytes) {
  const context = await browser.newContext({ javaScriptEnabled: false });
  try {
    const page = await context.newPage();
    const headers = { "content-type": row.content_type ?? `text/html; charset=${row.charset}` };
    await page.route("**/*", (route) => {
      const isPage = route.request().isNavigationRequest() && route.request().frame() === page.mainFrame();
      return isPage ? route.fulfill({ body: bytes, headers }) : route.abort();
    });
    await page.goto(row.url ?? "http://page.invalid/", { waitUntil: "commit", timeout: 20000 });
    await page.waitForLoadState("domcontentloaded", { timeout: 20000 });
    return await page.evaluate(seen);
  } finally {
    await context.close();
  }
}

const kinds = { lost: new Map(), invisible: new Map() };
const totals = { pages: 0, visible: 0, ours: 0, lostBag: 0, extraBag: 0, lostPlaces: 0, extraPlaces: 0, equal: 0 };

function note(table, kind, row, words, example) {
  const entry = table.get(kind) ?? { words: 0, pages: new Set(), examples: [] };
  table.set(kind, entry);
  entry.words += words.length;
  const isNew = !entry.pages.has(row.id);
  entry.pages.add(row.id);
  entry.examples.push({ isNew, line: `${row.file_path} ${row.url}: ${words.slice(0, 14).join(" ")}   ${example}` });
}

/** Returns how many words of the first bag the second lacks. */
function missing(words, others) {
  const bag = new Map();
  for (const word of others) bag.set(word, (bag.get(word) ?? 0) + 1);
  let count = 0;
  for (const word of words) {
    const left = bag.get(word) ?? 0;
    count += left === 0 ? 1 : 0;
    bag.set(word, left - 1 < 0 ? 0 : left - 1);
  }
  return count;
}

/** Returns the stretches of two lists between the pairs of an alignment. */
function gaps(left, right, pairs) {
  const found = [];
  let [a, c] = [0, 0];
  for (const [b, d] of [...pairs, [left.length, right.length]]) {
    if (b > a || d > c) found.push([a, b, c, d]);
    [a, c] = [b + 1, d + 1];
  }
  return found;
}

/**
 * Notes the kinds of words that differ, a text of the page at a time. Ours are compared with what
 * is shown first. What is left over may be hidden text at the same place.
 */
function explain(row, texts, ours) {
  const words = texts.flatMap((text) => wordsOf(text.text).map((word) => ({ word, text })));
  const shown = words.map((_, at) => at).filter((at) => words[at].text.isShown);
  const wordAt = (at) => words[at].word;
  const pairs = alignment(shown.map(wordAt), ours);
  const [differing, left, seenHidden] = [[], [], new Set()];
  for (const [a, b, c, d] of gaps(shown, ours, pairs)) {
    const here = ours.slice(c, d);
    // A word of several texts, or texts that one word holds, are no difference.
    if (shown.slice(a, b).map(wordAt).join("") === here.join("")) continue;
    for (const at of shown.slice(a, b)) differing.push(at);
    const [from, end] = [a > 0 ? shown[a - 1] : -1, b < shown.length ? shown[b] : words.length];
    const hidden = [];
    for (let at = from + 1; at < end; at += 1) if (!words[at].text.isShown) hidden.push(at);
    const matched = alignment(hidden.map(wordAt), here);
    const written = new Set(matched.map(([, at]) => at));
    for (const [at] of matched) seenHidden.add(hidden[at]);
    here.forEach((word, at) => written.has(at) || left.push(word));
  }
  // Hidden text that is at another place in ours, and words that are no text of the page.
  const hidden = words.map((_, at) => at).filter((at) => !words[at].text.isShown && !seenHidden.has(at));
  const moved = alignment(hidden.map(wordAt), left);
  for (const [at] of moved) seenHidden.add(hidden[at]);
  for (const at of [...seenHidden].sort((one, other) => one - other)) differing.push(at);
  const written = new Set(moved.map(([, at]) => at));
  const added = left.filter((_, at) => !written.has(at));
  if (added.length > 0) note(kinds.invisible, "no text of the page", row, added, "");
  const byText = new Map();
  for (const at of differing) byText.set(words[at].text, [...(byText.get(words[at].text) ?? []), words[at].word]);
  for (const [text, those] of byText) {
    note(text.isShown ? kinds.lost : kinds.invisible, text.kind, row, those, text.parent.replaceAll(/\s+/g, " "));
  }
}

function compare(row, { visible, texts }) {
  const [shown, ours] = [wordsOf(visible), wordsOf(row.text)];
  const pairs = alignment(shown, ours);
  for (const [a, b, c, d] of gaps(shown, ours, pairs)) {
    const [there, here] = [shown.slice(a, b), ours.slice(c, d)];
    if (there.join("") === here.join("")) note(kinds.lost, "cut into other words", row, there, here.join(" "));
  }
  const same = pairs.length;
  const [lost, extra] = [missing(shown, ours), missing(ours, shown)];
  totals.pages += 1;
  totals.equal += same === shown.length && same === ours.length ? 1 : 0;
  totals.visible += shown.length;
  totals.ours += ours.length;
  totals.lostBag += lost;
  totals.extraBag += extra;
  totals.lostPlaces += shown.length - same;
  totals.extraPlaces += ours.length - same;
  explain(row, texts, ours);
}

function report(title, table, all) {
  console.log(`\n${title}: words, pages, kind`);
  const sorted = [...table].sort(([, a], [, b]) => b.words - a.words);
  for (const [kind, { words, pages, examples }] of sorted) {
    console.log(`${String(words).padStart(8)} ${String(pages.size).padStart(4)}  ${kind} (${((100 * words) / all).toFixed(2)} %)`);
    const chosen = [...examples.filter(({ isNew }) => isNew), ...examples.filter(({ isNew }) => !isNew)];
    for (const { line } of chosen.slice(0, EXAMPLES)) console.log(`${" ".repeat(16)}${line}`);
  }
}

const options = ["--extractor", "body", "--text-without", "lists,empty-lines,scripts", "--compress", "none", "--quiet"];
run("extract", ...archives, "-o", join(folder, "rows"), ...options);
const chosen = byArchive(rowsOf(join(folder, "rows")), Number(most), Number(seed));
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
for (const row of chosen) {
  const archive = archives.find((path) => path.endsWith(row.warc_filename));
  const place = row.warc_record_offset === null ? [row.stream_offset, "--stream"] : [row.warc_record_offset];
  try {
    compare(row, await look(browser, row, run("get", archive, ...place.map(String), "--page")));
  } catch (error) {
    console.log(`not compared: ${row.url}: ${String(error).split("\n")[0]}`);
  }
}
await browser.close();
rmSync(folder, { recursive: true });
report("lost", kinds.lost, totals.visible);
report("invisible", kinds.invisible, totals.ours);
const share = (count, of) => `${count} (${((100 * count) / Math.max(of, 1)).toFixed(2)} %)`;
console.log(`\n${totals.pages} pages, ${totals.equal} with the same words in the same order`);
console.log(`as bags: of ${totals.visible} visible words ${share(totals.lostBag, totals.visible)} are lost`);
console.log(`as bags: of ${totals.ours} words of ours ${share(totals.extraBag, totals.ours)} are not visible`);
console.log(`as sequences: ${share(totals.lostPlaces, totals.visible)} and ${share(totals.extraPlaces, totals.ours)}`);
