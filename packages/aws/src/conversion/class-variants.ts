import { equalJson, type JsonObject } from '@karpenter/core/schema';

/** A NodePool of v1beta1 with its kubelet settings, if any; in v1 the EC2NodeClass has them. */
interface PoolKubelet {
  readonly pool: string;
  readonly kubelet?: JsonObject;
}

/** A class with the kubelet settings of some of its NodePools. */
export interface ClassVariant {
  readonly name: string;
  readonly kubelet?: JsonObject;
  readonly pools: readonly string[];
}

export interface SharedClass {
  readonly name: string;
  /** Settings that the class has already. */
  readonly kubelet?: JsonObject;
  readonly pools: readonly PoolKubelet[];
  /** Names of classes that exist. */
  readonly taken: ReadonlySet<string>;
}

interface Group {
  readonly kubelet: JsonObject | undefined;
  readonly pools: string[];
}

/**
 * Splits a class whose NodePools have different kubelet settings. The first variant keeps the name and, if possible,
 * the settings of the class: pools that are not among the converted objects may refer to it too.
 */
export function classVariants({ name, kubelet, pools, taken }: SharedClass): readonly ClassVariant[] {
  const groups: Group[] = [];
  for (const each of pools) addTo(groups, each.pool, each.kubelet ?? kubelet);
  const ordered = groups.toSorted(
    (a, b) => Number(!equalKubelets(a.kubelet, kubelet)) - Number(!equalKubelets(b.kubelet, kubelet)),
  );
  const [first, ...others] = ordered;
  if (first === undefined) return [variant(name, { kubelet, pools: [] })];
  const names = new Set(taken);
  return [
    variant(name, first),
    ...others.map((group) => variant(freeName(`${name}-${group.pools[0]}`, names), group)),
  ];
}

function addTo(groups: Group[], pool: string, kubelet: JsonObject | undefined): void {
  const known = groups.find((group) => equalKubelets(group.kubelet, kubelet));
  if (known === undefined) groups.push({ kubelet, pools: [pool] });
  else known.pools.push(pool);
}

function equalKubelets(a: JsonObject | undefined, b: JsonObject | undefined): boolean {
  return equalJson(a ?? {}, b ?? {});
}

function variant(name: string, { kubelet, pools }: Group): ClassVariant {
  return { name, pools, ...(kubelet !== undefined && { kubelet }) };
}

/** Returns the name, with a number appended if it is taken, and adds it to `taken`. */
export function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number += 1) name = `${wanted}-${number}`;
  taken.add(name);
  return name;
}
