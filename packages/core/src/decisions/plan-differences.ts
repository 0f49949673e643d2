import type { CommandRecord, PlanRecord, ReplacementRecord } from './replay-record.ts';
import { hourlyText } from './words.ts';

/** Where two records of the same decision differ. */
export interface Difference {
  /** What differs: a pod, a node, `price`, ... */
  readonly what: string;
  readonly recorded: string;
  readonly replayed: string;
}

const nothing = 'nothing';

/** The name of a pod for people; the uid itself if it is unknown. */
export type NameOfPod = (uid: string) => string;

/** Empty if both are the same plan. */
export function planDifferences(
  recorded: PlanRecord,
  replayed: PlanRecord,
  nameOf: NameOfPod,
): readonly Difference[] {
  const before = placesOf(recorded);
  const after = placesOf(replayed);
  const found = [
    ...differing('new nodes', recorded.newNodes.length, replayed.newNodes.length),
    ...differing('price', priceText(recorded.newNodes), priceText(replayed.newNodes)),
    ...[...new Set([...before.keys(), ...after.keys()])].flatMap((pod) =>
      differing(`pod ${nameOf(pod)}`, before.get(pod) ?? nothing, after.get(pod) ?? nothing),
    ),
    ...nodeDifferences('new node', recorded.newNodes, replayed.newNodes),
  ];
  return found.length === 0 ? orderDifference(recorded, replayed) : found;
}

/** Empty if both are the same command. */
export function commandDifferences(
  recorded: CommandRecord,
  replayed: CommandRecord | undefined,
  nameOf: NameOfPod,
): readonly Difference[] {
  if (replayed === undefined) return differing('command', nodeNames(recorded), 'no command for these nodes');
  const before = destinationsOf(recorded);
  const after = destinationsOf(replayed);
  const found = [
    ...differing('reason', recorded.reason, replayed.reason),
    ...differing('type', recorded.consolidationType, replayed.consolidationType),
    ...differing('nodes', nodeNames(recorded), nodeNames(replayed)),
    ...differing('savings', hourlyText(recorded.savings), hourlyText(replayed.savings)),
    ...nodeDifferences('replacement', recorded.replacements, replayed.replacements),
    ...[...new Set([...before.keys(), ...after.keys()])].flatMap((pod) =>
      differing(`pod ${nameOf(pod)}`, before.get(pod) ?? 'a replacement', after.get(pod) ?? 'a replacement'),
    ),
  ];
  return found.length === 0 ? orderDifference(recorded, replayed) : found;
}

/** Where each pod goes, or why it goes nowhere. */
function placesOf({ placements, newNodes, rejections, deferred }: PlanRecord): ReadonlyMap<string, string> {
  const places = new Map<string, string>();
  for (const { node, pods } of placements) for (const pod of pods) places.set(pod, `node ${node}`);
  for (const node of newNodes) for (const pod of node.pods) places.set(pod, newNodeText(node));
  for (const { pod, message } of rejections) places.set(pod, `no place: ${message}`);
  for (const pod of deferred) places.set(pod, 'the next plan');
  return places;
}

function destinationsOf({ destinations }: CommandRecord): ReadonlyMap<string, string> {
  return new Map(destinations.flatMap(({ node, pods }) => pods.map((pod) => [pod, `node ${node}`] as const)));
}

function newNodeText(node: ReplacementRecord): string {
  if ('isStatic' in node) return `a replica of NodePool ${node.nodePool}`;
  const [cheapest = 'no type'] = node.instanceTypes;
  const others = node.instanceTypes.length - 1;
  return `a new node of NodePool ${node.nodePool}: ${cheapest}${others > 0 ? ` or ${others} more` : ''} for ${node.pods.length} pods (${hourlyText(node.price)})`;
}

function nodeDifferences(
  what: string,
  recorded: readonly ReplacementRecord[],
  replayed: readonly ReplacementRecord[],
): readonly Difference[] {
  return Array.from({ length: Math.max(recorded.length, replayed.length) }, (_, index) => {
    const [before, after] = [recorded[index], replayed[index]];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    const texts = [before, after].map((node) => (node === undefined ? nothing : newNodeText(node)));
    const [beforeText = '', afterText = ''] = texts;
    if (beforeText !== afterText) return differing(`${what} ${index + 1}`, beforeText, afterText);
    return differing(`${what} ${index + 1}`, JSON.stringify(before), JSON.stringify(after));
  }).flat();
}

function orderDifference(recorded: object, replayed: object): readonly Difference[] {
  return JSON.stringify(recorded) === JSON.stringify(replayed)
    ? []
    : [{ what: 'order', recorded: 'as it was', replayed: 'the same nodes and pods in another order' }];
}

function differing(
  what: string,
  recorded: string | number,
  replayed: string | number,
): readonly Difference[] {
  return recorded === replayed ? [] : [{ what, recorded: String(recorded), replayed: String(replayed) }];
}

function priceText(nodes: PlanRecord['newNodes']): string {
  return hourlyText(nodes.reduce((sum, { price }) => sum + price, 0));
}

function nodeNames({ nodes }: CommandRecord): string {
  return nodes.map(({ name }) => name).join(', ');
}
