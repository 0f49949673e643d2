/** A small seeded generator: every run of a benchmark does the same work. */
export function seeded(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (n) => Math.floor(next() * n);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (list) => list[below(list.length)],
    /** A non-empty subset of a list, in its order. */
    some: (list, probability) => {
      const chosen = list.filter(() => next() < probability);
      return chosen.length > 0 ? chosen : [list[below(list.length)]];
    },
  };
}
