import { describe, expect, it } from 'vitest';
import { driftToNewImage } from '../walkthroughs/drift.ts';
import { firstNode } from '../walkthroughs/first-node.ts';
import { spotInterruption } from '../walkthroughs/interruption.ts';
import { spotFallback } from '../walkthroughs/spot-fallback.ts';
import type { CloudWorld } from '../walkthroughs/world.ts';
import type { AuditedRequest } from './audited-requests.ts';
import { chartWorld } from './chart-world.ts';

type Walk = (world: CloudWorld) => Promise<void>;

/** Time is real, and most of it is spent waiting, so two series run at once. */
const series: readonly (readonly [string, readonly Walk[]])[] = [
  ['1 and 6', [firstNode, spotInterruption]],
  ['2 and 5', [spotFallback, driftToNewImage]],
];

/** Bindings of the chart, and of the two roles with which every account may read versions and what is served. */
const expectedBinding =
  /^RBAC: allowed by (Cluster)?RoleBinding "(karpenter|karpenter-core|karpenter(-dns)?\/kube-system|system:discovery|system:public-info-viewer)"/;

describe('with the roles of the chart alone', () => {
  it.concurrent.each(series)(
    'walkthroughs %s complete and no request is denied',
    async (_, walks) => {
      for (const walk of walks) {
        const requests = await requestsOf(walk);
        expect(requests.map(({ what }) => what)).toContain('create karpenter.sh/nodeclaims');
        expect(requests.filter(({ isAllowed, code }) => !isAllowed || code === 403)).toEqual([]);
        expect(requests.filter(({ reason }) => !expectedBinding.test(reason))).toEqual([]);
      }
    },
    2_400_000,
  );
});

/** What the controllers request of a real API server in a walkthrough. */
async function requestsOf(walk: Walk): Promise<readonly AuditedRequest[]> {
  const world = await chartWorld();
  try {
    await walk(world);
    return await world.requests();
  } finally {
    await world.stop();
  }
}
