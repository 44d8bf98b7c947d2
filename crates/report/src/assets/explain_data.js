"use strict";
// The data of this file. `explain.rs` of huller-report says which parts there are; each is parsed when it is first asked for.
const page = (() => {
  const parsed = new Map();
  /** A part of the data, or null. */
  function part(id) {
    if (!parsed.has(id)) {
      const element = document.getElementById(id);
      parsed.set(id, element === null ? null : JSON.parse(element.textContent));
    }
    return parsed.get(id);
  }

  const { source, row, methods, gold, lines, blocks } = part("data");
  const nothing = { kept: "", score: null };

  return {
    source, row, gold,
    /** Number of blocks, and of those that are not listed. */
    count: blocks.path.length,
    leftOut: blocks.left_out,
    /** Names of the methods that the page was extracted with. */
    names: blocks.names.length ? blocks.names : [row.extractor],
    cards: new Map(methods.map((card) => [card.name, card])),

    text: (index) => lines[blocks.text[index]],
    path: (index) => blocks.paths[blocks.path[index]],
    role: (index) => blocks.roles[blocks.role[index]],
    box: (index) => (blocks.box[index] === null ? null : blocks.boxes[blocks.box[index]]),
    /** A figure of a block: depth, start, end, chars, words, punctuation, linked_chars, links, tags. */
    figure: (index, name) => blocks[name][index],

    /** What a method found for a block. */
    isKept: (index, method) => (part(`method-${method}`) || nothing).kept[index] === "1",
    score(index, method) {
      const { score } = part(`method-${method}`) || nothing;
      return score === null ? null : score[index];
    },

    /** The terms of a score, with the equation and the rule that make it of them; null if there are none. */
    derivation(index, method) {
      const known = part(`terms-${method}`);
      if (known === null || known.blocks[index] === null) return null;
      const flat = known.terms[known.blocks[index]];
      const terms = [];
      for (let at = 0; at < flat.length; at += 3) terms.push({ name: known.names[flat[at]], value: flat[at + 1], given: known.given[flat[at + 2]] });
      return { equation: known.equation, rule: known.rule, terms };
    },

    /** The text of a method, or null. */
    textOf(method) {
      const runs = part("texts")[method];
      if (!runs) return null;
      const found = [];
      for (let at = 0; at < runs.length; at += 2) for (let line = runs[at]; line < runs[at] + runs[at + 1]; line += 1) found.push(lines[line]);
      return found.join("\n");
    },

    /** A field of the row that is long: Markdown, clean HTML. Asking whether it is there parses nothing. */
    hasField: (name) => document.getElementById(name) !== null && document.getElementById(name).textContent.startsWith('"'),
    field: (name) => (document.getElementById(name) === null ? row[name] : part(name)),
  };
})();
