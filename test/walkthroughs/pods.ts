import type { Node, Pod } from 'kubernetes-types/core/v1.js';
import type { World } from './world.ts';

export async function running(world: World, app: string): Promise<number> {
  return (await runningPods(world, app)).length;
}

export async function runningPods(world: World, app: string): Promise<readonly Pod[]> {
  const pods = await world.pods(app);
  return pods.filter(
    ({ metadata, status }) => status?.phase === 'Running' && metadata?.deletionTimestamp === undefined,
  );
}

/** Number of nodes per value of a label. */
export async function nodesBy(world: World, label: string): Promise<Readonly<Record<string, number>>> {
  return countBy(await world.nodes(), ({ metadata }) => metadata?.labels?.[label] ?? '');
}

/** The values of a label on the nodes of an app's pods. */
export async function homesOf(world: World, app: string, label: string): Promise<readonly string[]> {
  const nodes = new Map((await world.nodes()).map((node) => [node.metadata?.name, node]));
  const pods = await runningPods(world, app);
  const values = pods.map(({ spec }) => labelOf(nodes.get(spec?.nodeName), label));
  return [...new Set(values)].sort();
}

function labelOf(node: Node | undefined, label: string): string {
  return node?.metadata?.labels?.[label] ?? '';
}

export function countBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + 1;
  return counts;
}
