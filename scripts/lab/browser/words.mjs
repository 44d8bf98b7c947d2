// Words of texts, their alignment, and a choice of rows by a seed.

/** Returns the words of a text: runs of letters and digits, or single characters without spaces. */
export function wordsOf(text) {
  const UNSPACED = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}";
  const word = new RegExp(`[${UNSPACED}]|(?:(?![${UNSPACED}])[\\p{L}\\p{N}\\p{M}])+`, "gu");
  const bare = text.replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "");
  return bare.normalize("NFKC").toLowerCase().match(word) ?? [];
}

/**
 * Returns pairs of equal words, ascending in both lists. Words that both lists have once are
 * anchors. Between anchors the longest common subsequence counts, if it is cheap.
 */
export function alignment(left, right) {
  const pairs = [];
  const add = (some) => some.forEach((pair) => pairs.push(pair));
  const open = [[0, left.length, 0, right.length]];
  while (open.length > 0) {
    let [a, b, c, d] = open.pop();
    while (a < b && c < d && left[a] === right[c]) pairs.push([a++, c++]);
    while (a < b && c < d && left[b - 1] === right[d - 1]) pairs.push([--b, --d]);
    if (a === b || c === d) continue;
    const anchors = (b - a) * (d - c) <= 1e6 ? [] : common(left, right, a, b, c, d);
    if (anchors.length === 0) {
      if ((b - a) * (d - c) <= 2.5e7) add(longest(left, right, a, b, c, d));
      continue;
    }
    add(anchors);
    for (const [at, to] of [...anchors, [b, d]]) {
      open.push([a, at, c, to]);
      [a, c] = [at + 1, to + 1];
    }
  }
  return pairs.sort(([a], [b]) => a - b);
}

/** Returns the words that stand once in both stretches and in the same order. */
function common(left, right, a, b, c, d) {
  const once = (words, from, end) => {
    const places = new Map();
    for (let at = from; at < end; at += 1) places.set(words[at], places.has(words[at]) ? -1 : at);
    return places;
  };
  const there = once(right, c, d);
  const candidates = [...once(left, a, b)].map(([word, at]) => [at, there.get(word) ?? -1]);
  const ascending = candidates.filter(([at, to]) => at >= 0 && to >= 0).sort(([x], [y]) => x - y);
  // The longest ascending sequence, by piles.
  const [piles, before] = [[], []];
  ascending.forEach(([, to], index) => {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ascending[piles[middle]][1] < to) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? piles[low - 1] : -1;
    piles[low] = index;
  });
  const chain = [];
  for (let at = piles.at(-1) ?? -1; at >= 0; at = before[at]) chain.push(ascending[at]);
  return chain.reverse();
}

/** Returns the longest common subsequence of two stretches. */
function longest(left, right, a, b, c, d) {
  const width = d - c + 1;
  const lengths = new Uint16Array((b - a + 1) * width);
  for (let i = b - 1; i >= a; i -= 1) {
    for (let j = d - 1; j >= c; j -= 1) {
      const at = (i - a) * width + (j - c);
      const isEqual = left[i] === right[j];
      lengths[at] = isEqual ? lengths[at + width + 1] + 1 : Math.max(lengths[at + width], lengths[at + 1]);
    }
  }
  const pairs = [];
  for (let [i, j] = [a, c]; i < b && j < d; ) {
    const at = (i - a) * width + (j - c);
    if (left[i] === right[j]) pairs.push([i++, j++]);
    else if (lengths[at + width] >= lengths[at + 1]) i += 1;
    else j += 1;
  }
  return pairs;
}

/** Returns `most` rows, in turn from each input, where a seed orders the rows of an input. */
export function byArchive(rows, most, seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
  const inputs = new Map();
  for (const row of rows) inputs.set(row.file_path, [...(inputs.get(row.file_path) ?? []), row]);
  const decks = [...inputs].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, deck]) => deck);
  for (const deck of decks) {
    for (let end = deck.length - 1; end > 0; end -= 1) {
      const at = Math.floor(random() * (end + 1));
      [deck[end], deck[at]] = [deck[at], deck[end]];
    }
  }
  const chosen = [];
  for (let turn = 0; chosen.length < Math.min(most, rows.length); turn += 1) {
    chosen.push(...decks.filter((deck) => turn < deck.length).map((deck) => deck[turn]));
  }
  return chosen.slice(0, most);
}
