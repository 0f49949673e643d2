const multipliers = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** Thousandths of CPU and MiB of memory, so that no coefficient of the programme is much larger than the others. */
const unitOf = { cpu: 1e-3, memory: 2 ** 20, 'ephemeral-storage': 2 ** 20 };

/** A Kubernetes quantity of a resource in the unit in which the programme counts that resource. */
export function amountOf(resource, quantity) {
  const [, digits, suffix] = /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)([A-Za-z]*)$/.exec(String(quantity)) ?? [];
  const multiplier = multipliers[suffix];
  if (multiplier === undefined) throw new Error(`${quantity} of ${resource} is not a quantity`);
  const amount = (Number(digits) * multiplier) / (unitOf[resource] ?? 1);
  // 0.07 CPU is 70.00000000000001 thousandths otherwise.
  return Number(amount.toPrecision(14));
}

/** @param {Readonly<Record<string, string>>} quantities */
export function amountsOf(quantities = {}) {
  return new Map(
    Object.entries(quantities).map(([resource, quantity]) => [resource, amountOf(resource, quantity)]),
  );
}

export function add(a, b, times = 1) {
  const sum = new Map(a);
  for (const [resource, amount] of b) sum.set(resource, (sum.get(resource) ?? 0) + times * amount);
  return sum;
}

/** Whether amounts contain others. What they do not have is zero. */
export const contains = (room, amounts) =>
  [...amounts].every(([resource, amount]) => amount <= (room.get(resource) ?? 0));

/** What one pod requests. Init containers are left out, which can only make the bound lower. */
export function requestsOf({ spec }) {
  const requests = spec.containers.map(({ resources }) => amountsOf(resources?.requests));
  return requests.reduce((sum, one) => add(sum, one), new Map([['pods', 1]]));
}
