import { labelKeys, type NodePool } from '@karpenter/core/api';
import type { BoundPodView, NodeView } from '@karpenter/core/scheduling';
import { podRequests, quantityFromInteger, resourceTexts, sumResources } from '@karpenter/core/values';
import type { SeededRandom } from './chance.ts';
import { architectures, capacityTypes, teamLabel, teams, zones } from './label-choices.ts';
import { taintChoices } from './node-pools.ts';
import { podOf, podShape } from './pods.ts';

function totalOf(pods: readonly BoundPodView[]) {
  if (pods.length === 0) return {};
  const requests = sumResources(...pods.map((pod) => podRequests(pod)));
  return resourceTexts({ ...requests, pods: quantityFromInteger(pods.length) });
}

function boundPods(chance: SeededRandom, nodeName: string): readonly BoundPodView[] {
  return chance.times(0, 3, (index) => ({ ...podOf(podShape(chance), `${nodeName}-${index}`), nodeName }));
}

function labels(chance: SeededRandom, name: string, nodePool: string | undefined) {
  return {
    ...chance.maybe(0.9, () => ({ [labelKeys.hostname]: name })),
    ...chance.maybe(0.9, () => ({ [labelKeys.zone]: chance.pick(zones) })),
    ...chance.maybe(0.8, () => ({ [labelKeys.capacityType]: chance.pick(capacityTypes) })),
    [labelKeys.architecture]: chance.pick(architectures),
    [labelKeys.operatingSystem]: 'linux',
    ...chance.maybe(0.5, () => ({ [teamLabel]: chance.pick(teams) })),
    ...(nodePool !== undefined && { [labelKeys.nodePool]: nodePool }),
  };
}

interface PopulatedNode {
  readonly node: NodeView;
  readonly pods: readonly BoundPodView[];
}

function node(chance: SeededRandom, index: number, pools: readonly NodePool[]): PopulatedNode {
  const name = `node-${index}`;
  const pods = boundPods(chance, name);
  const pool = chance.happens(0.5) ? pools[chance.integer(0, pools.length - 1)]?.metadata.name : undefined;
  const capacity = {
    cpu: String(chance.pick([2, 4, 8])),
    memory: `${chance.pick([4, 8, 16])}Gi`,
    pods: String(chance.pick([3, 20])),
  };
  const view: NodeView = {
    name,
    ...(pool !== undefined && { nodePool: pool, nodeClaim: `claim-${index}` }),
    labels: labels(chance, name, pool),
    taints: chance.happens(0.3) ? [chance.pick(taintChoices)] : [],
    initialized: pool === undefined || chance.happens(0.7),
    deleting: chance.happens(0.08),
    capacity,
    allocatable: capacity,
    podRequests: totalOf(pods),
    daemonRequests: {},
  };
  return { node: view, pods };
}

export function nodes(chance: SeededRandom, pools: readonly NodePool[]): readonly PopulatedNode[] {
  return chance.happens(0.4) ? [] : chance.times(1, 4, (index) => node(chance, index, pools));
}
