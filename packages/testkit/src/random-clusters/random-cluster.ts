import { labelAliases, wellKnownLabels } from '@karpenter/core/api';
import type { PlanOptions, Snapshot } from '@karpenter/core/scheduling';
import { SeededRandom } from './chance.ts';
import { instanceTypes } from './instance-types.ts';
import { familyLabel, sizeLabel } from './label-choices.ts';
import { nodePools } from './node-pools.ts';
import { nodes } from './nodes.ts';
import { daemonPods, pods } from './pods.ts';
import { reservationLabel, withReservations } from './reservations.ts';

export interface RandomCluster {
  readonly snapshot: Snapshot;
  readonly options: PlanOptions;
}

/** A small cluster that combines all rules of placement; the same for the same seed. */
export function randomCluster(seed: number): RandomCluster {
  const chance = new SeededRandom(seed);
  // Reservations have their own random numbers, so that changes there leave all other clusters as they are.
  const ofReservations = new SeededRandom(seed ^ 0x5eed);
  const types = withReservations(ofReservations, instanceTypes(chance));
  const pools = nodePools(chance);
  const populated = nodes(chance, pools);
  return {
    snapshot: {
      at: Date.UTC(2026, 0, 1),
      revision: seed,
      nodePools: pools,
      instanceTypes: new Map(pools.map(({ metadata }) => [metadata.name ?? '', types])),
      nodes: populated.map(({ node }) => node),
      pods: [...pods(chance), ...populated.flatMap(({ node, pods: bound }) => (node.deleting ? bound : []))],
      boundPods: populated.flatMap(({ node, pods: bound }) => (node.deleting ? [] : bound)),
      daemonPods: daemonPods(chance),
      namespaces: new Map([
        ['default', { tier: 'a' }],
        ['other', {}],
      ]),
    },
    options: {
      preferencePolicy: chance.happens(0.75) ? 'Respect' : 'Ignore',
      minValuesPolicy: chance.happens(0.75) ? 'Strict' : 'BestEffort',
      wellKnownLabels: new Set([...wellKnownLabels, sizeLabel, familyLabel, reservationLabel]),
      labelAliases,
      reservedCapacity: {
        idLabel: reservationLabel,
        mode: ofReservations.happens(0.75) ? 'strict' : 'fallback',
      },
    },
  };
}
