import { type ExpectStatic, it } from 'vitest';
import type { CloudWorld } from '../walkthroughs/world.ts';
import type { AuditedRequest } from './audited-requests.ts';
import { chartWorld } from './chart-world.ts';

type Walk = (world: CloudWorld) => Promise<void>;

/** Bindings of the chart, and of the two roles with which every account may read versions and what is served. */
const expectedBinding =
  /^RBAC: allowed by (Cluster)?RoleBinding "(karpenter|karpenter-core|karpenter(-dns)?\/kube-system|system:discovery|system:public-info-viewer)"/;

/** Time is real, and a walkthrough takes minutes of it. */
const patience = 1_200_000;

/**
 * Registers walkthroughs of controllers that have the roles of the chart and nothing more. Each has a control plane of
 * its own and waits for most of the time, so they run at the same time.
 */
export function walksWithChartRoles(walks: readonly (readonly [string, Walk])[]): void {
  it.concurrent.for(walks)(
    'walkthrough %s completes and no request is denied',
    { timeout: patience },
    async ([, walk], { expect }) => {
      const requests = await requestsOf(walk, expect);
      expect(requests.map(({ what }) => what)).toContain('create karpenter.sh/nodeclaims');
      expect(requests.filter(({ isAllowed, code }) => !isAllowed || code === 403)).toEqual([]);
      expect(requests.filter(({ reason }) => !expectedBinding.test(reason))).toEqual([]);
    },
  );
}

/** What the controllers request of a real API server in a walkthrough. */
async function requestsOf(walk: Walk, expect: ExpectStatic): Promise<readonly AuditedRequest[]> {
  const world = await chartWorld({}, { expect });
  try {
    await walk(world);
    return await world.requests();
  } finally {
    await world.stop();
  }
}
