/** A candidate of a fleet: a launch template with one of its overrides. */
export interface FleetChoice {
  readonly price: number;
  readonly priority: number;
  /** Instances that its capacity pool has left. */
  readonly depth: number;
}

/** Capacity-aware strategies try pools with less than this share of the deepest pool last. */
const deepShare = 0.5;

/**
 * The choices in the order in which the allocation strategy tries them; an unknown strategy is lowest-price.
 */
export function inOrder<Choice extends FleetChoice>(
  strategy: string,
  choices: readonly Choice[],
): readonly Choice[] {
  const deepest = Math.max(0, ...choices.map(({ depth }) => depth));
  const shallowRank = ({ depth }: Choice) => (depth >= deepest * deepShare && depth > 0 ? 0 : 1);
  switch (strategy) {
    case 'prioritized':
      return sorted(choices, [({ priority }) => priority, ({ price }) => price]);
    case 'price-capacity-optimized':
      return sorted(choices, [shallowRank, ({ price }) => price]);
    case 'capacity-optimized-prioritized':
      return sorted(choices, [shallowRank, ({ priority }) => priority]);
    case 'capacity-optimized':
      return sorted(choices, [({ depth }) => -depth, ({ price }) => price]);
    default:
      return sorted(choices, [({ price }) => price]);
  }
}

/** Groups adjacent choices of equal price and priority that are alike. */
export function ties<Choice extends FleetChoice>(
  choices: readonly Choice[],
  isAlike: (a: Choice, b: Choice) => boolean,
): readonly (readonly Choice[])[] {
  const groups: Choice[][] = [];
  for (const choice of choices) {
    const last = groups.at(-1);
    const [first] = last ?? [];
    const isTied =
      first !== undefined &&
      first.price === choice.price &&
      first.priority === choice.priority &&
      isAlike(first, choice);
    if (isTied) last?.push(choice);
    else groups.push([choice]);
  }
  return groups;
}

function sorted<Choice>(
  choices: readonly Choice[],
  keys: readonly ((choice: Choice) => number)[],
): readonly Choice[] {
  return [...choices].sort((a, b) => {
    const key = keys.find((read) => read(a) !== read(b));
    return key === undefined ? 0 : key(a) - key(b);
  });
}
