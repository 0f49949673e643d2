import { parseResourceList, type QuantityTexts, type ResourceList, toNumber } from '../values/index.ts';

/** Resource amounts as plain numbers (cores, bytes, counts), for display and sums that need no exact decimals. */
export type Amounts = Readonly<Record<string, number>>;

export const noAmounts: Amounts = Object.freeze({});

export function amountsOf(list: ResourceList): Amounts {
  return Object.fromEntries(Object.entries(list).map(([name, quantity]) => [name, toNumber(quantity)]));
}

/** Empty if the object has amounts that cannot be read: a viewer shows the rest of the object all the same. */
export function readAmounts(texts: QuantityTexts | undefined): Amounts {
  try {
    return amountsOf(parseResourceList(texts));
  } catch {
    return noAmounts;
  }
}

function addAmounts(a: Amounts, b: Amounts): Amounts {
  const sum: Record<string, number> = { ...a };
  for (const [name, amount] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + amount;
  return sum;
}

export function sumAmounts(list: Iterable<Amounts>): Amounts {
  let sum = noAmounts;
  for (const amounts of list) sum = addAmounts(sum, amounts);
  return sum;
}
