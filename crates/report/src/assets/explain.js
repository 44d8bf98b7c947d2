// Shows the data of this file, which `page` knows. All text of the page gets into the document by textContent, never as markup.
(() => {
  const { row, names, cards, count: size } = page;
  const state = { method: names[0], view: "blocks", block: null, isOpened: false };

  /** An element with these attributes and children; strings become text. */
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : String(value));
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  }

  const shown = (value) => (value === null || value === undefined ? "–" : typeof value === "number" ? String(Math.round(value * 1e4) / 1e4) : String(value));
  const count = (number) => number.toLocaleString("en");
  /** The places of all blocks. */
  const all = Array.from({ length: size }, (_, index) => index);

  /** The rank of each score among those of the page, 0 to 1: methods score on scales of their own, ranks can be compared. */
  const ranks = new Map();
  function ranksOf(method) {
    if (!ranks.has(method)) {
      const scores = all.map((index) => page.score(index, method));
      const unique = [...new Set(scores)].filter((score) => score !== null).sort((a, b) => a - b);
      const rank = new Map(unique.map((score, at) => [score, unique.length > 1 ? at / (unique.length - 1) : 1]));
      ranks.set(method, scores.map((score) => rank.get(score) ?? null));
    }
    return ranks.get(method);
  }

  /** Whether methods that made a selection disagree about a block. */
  const isDisputed = (index) => names.some((name) => page.isKept(index, name) !== page.isKept(index, names[0]));

  const view = make("section", { id: "view", tabindex: "-1", "aria-live": "polite" });
  const detail = make("aside", { id: "detail", "aria-label": "The selected block", tabindex: "0" });
  let elements = [];

  function head() {
    const facts = [
      ["source", page.source], ["URL", row.url], ["extractor", row.extractor], ["score of the page", row.score], ["type", row.page_type],
      ["language", row.language], ["author", row.author], ["published", row.published],
      ["charset", row.charset && `${row.charset} (${row.charset_source})`], ["offset", row.warc_record_offset], ["truncated", row.truncated],
    ].filter(([, value]) => value !== null && value !== undefined && value !== "");
    return make("header", {},
      make("h1", {}, row.title || row.url || page.source),
      make("ul", { class: "facts" }, ...facts.map(([name, value]) => make("li", {}, make("span", { class: "dim" }, name, " "), make("b", {}, shown(value))))));
  }

  const views = [
    ["blocks", "Blocks", true], ["disputed", "Where extractors disagree", names.length > 1], ["tree", "Tree", true], ["text", "Text", true],
    ["gold", "Compared with gold", page.gold.length > 0], ["markdown", "Markdown", page.hasField("markdown")],
    ["html", "Clean HTML", page.hasField("html")], ["comments", "Comments", Boolean(row.comments)],
  ].filter(([, , isThere]) => isThere);
  const tabs = new Map();

  function bar() {
    const choice = make("select", { id: "method", onchange: (event) => { state.method = event.target.value; show(); } },
      ...names.map((name) => make("option", { value: name }, name)));
    for (const [name, label] of views) {
      tabs.set(name, make("button", { type: "button", role: "tab", "data-view": name, onclick: () => { state.view = name; show(); } }, label));
    }
    return make("nav", { "aria-label": "Views" },
      make("label", {}, "Extractor", choice), make("span", { role: "tablist", class: "tabs" }, ...tabs.values()));
  }

  /** A bar whose filled part is a rank. */
  function meter(rank) {
    const bar = make("span", { class: "meter", title: `rank ${Math.round(100 * rank)} of 100` }, make("span", {}));
    bar.firstChild.style.width = `${Math.round(100 * rank)}%`;
    return bar;
  }

  function blockElement(index) {
    const kept = page.isKept(index, state.method);
    const score = page.score(index, state.method);
    const rank = ranksOf(state.method)[index];
    const element = make("button", { type: "button", class: kept ? "block kept" : "block", "data-block": index, onclick: () => choose(index) },
      make("span", { class: "about" },
        make("span", { class: "role" }, kept ? `kept · ${page.role(index)}` : page.role(index)),
        rank === null ? null : meter(rank),
        make("span", {}, score === null ? "no score" : `score ${shown(score)}`),
        make("span", {}, page.path(index))),
      make("span", { class: "text", dir: "auto" }, page.text(index)));
    if (index === state.block) element.setAttribute("aria-current", "true");
    return element;
  }

  /** Blocks that stand there at once. The others of a large page follow, so many at a time, unless another view is asked for meanwhile. */
  const AT_ONCE = 500;
  let filling = 0;

  function showBlocks(isShown) {
    const kept = all.filter((index) => page.isKept(index, state.method));
    const card = cards.get(state.method);
    const note = make("p", { class: "dim" },
      `${state.method} keeps ${count(kept.length)} of ${count(size)} blocks. Kept blocks are green. The longer the bar of a block, the higher is its score among the blocks of this page. `,
      card ? `${card.summary} ` : "", card && card.failures ? `Known failures: ${card.failures}` : "");
    const list = make("div", { id: "blocks" });
    const indexes = all.filter(isShown);
    elements = all.map(() => null);
    const turn = filling;
    const fill = (from) => {
      if (turn !== filling) return;
      const some = indexes.slice(from, from + AT_ONCE);
      for (const index of some) elements[index] = blockElement(index);
      list.append(...some.map((index) => elements[index]));
      if (!state.isOpened && some.includes(kept[0])) open(kept[0]);
      if (from + AT_ONCE < indexes.length) setTimeout(fill, 0, from + AT_ONCE);
      else if (page.leftOut) list.append(make("p", { class: "dim" }, `${count(page.leftOut)} more blocks are not listed.`));
    };
    view.replaceChildren(note, list);
    fill(0);
  }

  /** Selects the first kept block and scrolls to it. Only the first view of the file does so. */
  function open(index) {
    state.isOpened = true;
    choose(index);
    if (index > 0) requestAnimationFrame(() => elements[index]?.scrollIntoView({ block: "start" }));
  }

  /** Elements on the path to each block, as a tree; elements of one path beside one another become one entry. */
  function showTree() {
    const root = { name: "", children: [], block: null };
    const open = [root];
    for (const index of all) {
      const path = page.path(index).split("/").filter(Boolean);
      let depth = 1;
      while (depth < open.length && depth <= path.length && open[depth].name === path[depth - 1]) depth += 1;
      open.length = Math.min(depth, open.length);
      for (let at = open.length - 1; at < path.length; at += 1) {
        const entry = { name: path[at], children: [], block: null };
        open[open.length - 1].children.push(entry);
        open.push(entry);
      }
      open[open.length - 1].children.push({ name: null, children: [], block: index });
    }
    const leaf = (index) => {
      const line = make("summary", {}, make("span", { class: page.isKept(index, state.method) ? "kept" : "dim" }, page.text(index).slice(0, 120)));
      return make("details", { class: "leaf", onclick: (event) => { event.preventDefault(); choose(index); } }, line);
    };
    const keeps = (entry) => (entry.block !== null ? page.isKept(entry.block, state.method) : entry.children.some(keeps));
    // Children are made when their element is opened: a page may have a hundred thousand.
    const branch = (entry, isOpen) => {
      const line = make("summary", {}, make("span", { class: keeps(entry) ? "kept" : "dim" }, `<${entry.name}> ${count(entry.children.length)}`));
      const element = make("details", {}, line);
      const fill = () => { if (element.children.length === 1) element.append(...entry.children.map((child) => (child.block !== null ? leaf(child.block) : branch(child, false)))); };
      element.addEventListener("toggle", () => { if (element.open) fill(); });
      if (isOpen) { fill(); element.open = true; }
      return element;
    };
    elements = [];
    view.replaceChildren(make("p", { class: "dim" }, "Elements around the blocks, with the number of entries in each; kept blocks are marked."),
      ...root.children.map((entry) => branch(entry, true)));
  }

  function showText() {
    const text = page.textOf(state.method);
    view.replaceChildren(text === null ? make("p", { class: "dim" }, "The row does not contain the text of this extractor.") : make("pre", { class: "text", dir: "auto" }, text || "(no text)"));
  }

  function showGold() {
    const tags = { same: "span", missing: "del", extra: "ins", omitted: "span" };
    const pieces = page.gold.map(({ kind, text }) => make(tags[kind], { class: kind === "omitted" ? "dim" : null, title: kind === "missing" ? "only in the gold" : kind === "extra" ? "only in the text" : null }, kind === "omitted" ? `(… ${text} …)` : text));
    view.replaceChildren(
      make("p", { class: "dim" }, `The text of ${row.extractor} compared with the gold: `, make("del", {}, "missing"), ", ", make("ins", {}, "extra"), "."),
      make("pre", { class: "text", dir: "auto" }, ...pieces));
  }

  function choose(index) {
    if (state.block !== null && elements[state.block]) elements[state.block].removeAttribute("aria-current");
    state.block = index;
    if (elements[index]) elements[index].setAttribute("aria-current", "true");
    showDetail();
  }

  function showDetail() {
    if (state.block === null) {
      detail.replaceChildren(make("p", { class: "dim" }, "Select a block to see its details."));
      return;
    }
    const index = state.block;
    const number = (name) => page.figure(index, name);
    const text = page.text(index);
    const figure = (name, value) => make("tr", {}, make("td", {}, name), make("td", { class: "number" }, value));
    const share = (part, whole) => (whole ? `${Math.round((1000 * part) / whole) / 10} %` : "–");
    const methods = names.map((name) => {
      const kept = page.isKept(index, name);
      const card = cards.get(name);
      return make("tr", { class: kept ? "kept" : null },
        make("td", { title: card ? card.summary : null }, kept ? `${name} ✓` : name), make("td", { class: "number" }, shown(page.score(index, name))),
        make("td", { class: "number" }, ranksOf(name)[index] === null ? "–" : `${Math.round(100 * ranksOf(name)[index])}`));
    });
    const [left, top, width, height] = (page.box(index) || []).map(Math.round);
    const box = page.box(index) ? `${left}, ${top}; ${width} × ${height}` : "–";
    detail.replaceChildren(...[
      make("h2", {}, `Block ${index + 1} of ${count(size)}: ${page.role(index)}`),
      make("p", { class: "dim" }, `${page.path(index)} (depth ${number("depth")})`),
      make("p", { dir: "auto" }, text.length > 600 ? `${text.slice(0, 600)}…` : text),
      make("h2", {}, "Figures"),
      make("table", {}, make("tbody", {},
        figure("characters", count(number("chars"))), figure("words", count(number("words"))), figure("punctuation", count(number("punctuation"))),
        figure("characters in links", `${count(number("linked_chars"))} (${share(number("linked_chars"), number("chars"))})`), figure("links", count(number("links"))),
        figure("tags", count(number("tags"))), figure("characters per tag", shown(number("chars") / Math.max(1, number("tags")))),
        figure("in the text at", number("start") === null ? "–" : `${count(number("start"))} to ${count(number("end"))}`), figure("box in pixels: left, top; size", box))),
      termTable(index, state.method),
      make("h2", {}, "Extractors"),
      make("table", {},
        make("thead", {}, make("tr", {}, make("th", {}, "extractor"), make("th", { class: "number" }, "score"), make("th", { class: "number", title: "rank of the score among the blocks of the page, 0 to 100" }, "rank"))),
        make("tbody", {}, ...methods)),
      cards.get(state.method) ? make("p", { class: "dim" }, `Page score of ${state.method}: ${cards.get(state.method).score}`) : null].filter((part) => part !== null));
  }

  /** A number with so many digits that a small factor is no 0. */
  const precise = (value) => (value !== 0 && (Math.abs(value) < 0.1 || Math.abs(value) >= 1e7) ? String(Number(value.toPrecision(4))) : shown(value)).replace("-", "−");

  /** The score of a block by a method, term by term; `null` if there are no terms. */
  function termTable(index, method) {
    const derivation = page.derivation(index, method);
    if (derivation === null) return null;
    const { equation, rule, terms } = derivation;
    const score = page.score(index, method);
    const line = (name, given, value, kind) => make("tr", { class: kind }, make("td", {}, name, given ? make("div", { class: "dim" }, given) : null), make("td", { class: "number" }, value));
    const isProduct = rule === "product";
    const lines = terms.map(({ name, value, given }, at) => {
      const sign = at === 0 ? "" : isProduct ? "× " : value < 0 ? "− " : "+ ";
      return line(name, given, sign + precise(at > 0 && !isProduct ? Math.abs(value) : value), null);
    });
    const sum = terms.reduce((total, { value }) => total + value, 0);
    const result = rule === "logistic"
      ? [line("sum s, the log-odds", null, `= ${precise(sum)}`, "kept"), line("1 / (1 + e^−s), the score", null, `= ${precise(score)}`, "kept")]
      : [line("score", null, `= ${precise(score)}`, "kept")];
    return make("section", { id: "terms", "data-rule": rule },
      make("h2", {}, `The score by ${method}, term by term`),
      make("p", { class: "equation" }, equation),
      make("table", {}, make("tbody", {}, ...lines, ...result)));
  }

  function show() {
    filling += 1;
    for (const [name, tab] of tabs) tab.setAttribute("aria-selected", String(name === state.view));
    if (state.view === "blocks") showBlocks(() => true);
    else if (state.view === "disputed") showBlocks(isDisputed);
    else if (state.view === "tree") showTree();
    else if (state.view === "text") showText();
    else if (state.view === "gold") showGold();
    else view.replaceChildren(make("pre", { dir: "auto" }, page.field(state.view)));
    showDetail();
  }

  document.body.append(head(), bar(), make("main", {}, view, detail));
  show();
})();
