import { comparePrices } from './cost.ts';
import { holds, type Market } from './market.ts';
import type { Pattern } from './patterns/pattern-search.ts';
import type { Purchase } from './purchase.ts';

/**
 * Units beyond this number go on full nodes of the offer with the lowest price per unit, because dynamic programming
 * takes time for each unit. Only the remainder needs other offers.
 */
const exactUnits = 10_000;

interface Choice {
  readonly offer: number;
  readonly units: number;
  readonly price: number;
}

/** Chooses nodes for the only group that is left, at the lowest possible price: dynamic programming over its units. */
export function buyForOneGroup(market: Market, purchase: Purchase, group: number): void {
  const choices = choicesFor(market, group);
  // Choices are in ascending order of size: of equal prices per unit the largest node wins.
  const best = choices.reduce(
    (a, b) => (comparePrices(b.price * a.units, a.price * b.units) <= 0 ? b : a),
    choices[0] ?? nothing,
  );
  if (best === nothing) return;
  const units = purchase.left[group] ?? 0;
  const fullNodes = Math.floor((units - exactUnits) / best.units);
  if (fullNodes > 0) purchase.buy(pattern(group, best, best.units), fullNodes);
  const counts = cheapestCounts(choices, purchase.left[group] ?? 0);
  choices.forEach((choice, index) => {
    const times = counts[index] ?? 0;
    if (times > 0) buyTimes(purchase, group, choice, times);
  });
}

const nothing: Choice = { offer: -1, units: 0, price: 0 };

/** The offers with room for more units than every cheaper one, cheapest first. */
function choicesFor(market: Market, group: number): Choice[] {
  const { groups, frontier } = market;
  const choices: Choice[] = [];
  for (let offer = 0; offer < frontier.length; offer++) {
    const units = holds(groups, frontier, offer, group);
    if (units > (choices.at(-1)?.units ?? 0))
      choices.push({ offer, units, price: frontier.price[offer] ?? 0 });
  }
  return choices;
}

/** How many nodes of each choice; of equal prices fewer nodes win. */
function cheapestCounts(choices: readonly Choice[], units: number): Uint32Array {
  const price = new Float64Array(units + 1);
  const nodes = new Uint32Array(units + 1);
  const last = new Uint32Array(units + 1);
  for (let n = 1; n <= units; n++) {
    price[n] = Number.POSITIVE_INFINITY;
    choices.forEach((choice, index) => {
      const before = Math.max(0, n - choice.units);
      const cost = (price[before] ?? 0) + choice.price;
      const count = (nodes[before] ?? 0) + 1;
      if ((comparePrices(cost, price[n] ?? 0) || count - (nodes[n] ?? 0)) >= 0) return;
      price[n] = cost;
      nodes[n] = count;
      last[n] = index;
    });
  }
  const counts = new Uint32Array(choices.length);
  for (let n = units; n > 0; n = Math.max(0, n - (choices[last[n] ?? 0]?.units ?? n))) {
    const index = last[n] ?? 0;
    counts[index] = (counts[index] ?? 0) + 1;
  }
  return counts;
}

/** The last node may not be full. */
function buyTimes(purchase: Purchase, group: number, choice: Choice, times: number): void {
  const left = purchase.left[group] ?? 0;
  const full = Math.min(times, Math.floor(left / choice.units));
  if (full > 0) purchase.buy(pattern(group, choice, choice.units), full);
  const rest = purchase.left[group] ?? 0;
  if (full < times && rest > 0) purchase.buy(pattern(group, choice, rest), 1);
}

const pattern = (group: number, { offer, price }: Choice, units: number): Pattern => ({
  offer,
  group: Int32Array.of(group),
  units: Float64Array.of(units),
  value: price,
  ratio: 1,
});
