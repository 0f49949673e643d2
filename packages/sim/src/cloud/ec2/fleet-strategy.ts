/** One way to fulfil a fleet: a template and one of its overrides. */
export interface FleetChoice {
  readonly price: number;
  readonly priority: number;
  /** How many of it could be had at the moment. */
  readonly depth: number;
}

/** Pools with less than this share of the deepest are left for later by strategies that look at capacity. */
const deepShare = 0.5;

/** The choices in the order in which a strategy would try them. */
export function inOrder<Choice extends FleetChoice>(
  strategy: string,
  choices: readonly Choice[],
): readonly Choice[] {
  const deepest = Math.max(0, ...choices.map(({ depth }) => depth));
  const shallowness = ({ depth }: Choice) => (depth >= deepest * deepShare && depth > 0 ? 0 : 1);
  switch (strategy) {
    case 'prioritized':
      return sorted(choices, [({ priority }) => priority, ({ price }) => price]);
    case 'price-capacity-optimized':
      return sorted(choices, [shallowness, ({ price }) => price]);
    case 'capacity-optimized-prioritized':
      return sorted(choices, [shallowness, ({ priority }) => priority]);
    case 'capacity-optimized':
      return sorted(choices, [({ depth }) => -depth, ({ price }) => price]);
    default:
      return sorted(choices, [({ price }) => price]);
  }
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
