import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { driftToNewImage } from '../walkthroughs/drift.ts';
import { firstNode } from '../walkthroughs/first-node.ts';
import { spotInterruption } from '../walkthroughs/interruption.ts';
import { spotFallback } from '../walkthroughs/spot-fallback.ts';
import type { CloudWorld } from '../walkthroughs/world.ts';
import type { AuditedRequest } from './audited-requests.ts';
import { type ChartWorld, chartWorld } from './chart-world.ts';

type Walk = (world: CloudWorld) => Promise<void>;

const walkthroughs: readonly (readonly [string, Walk])[] = [
  ['1', firstNode],
  ['2', spotFallback],
  ['5', driftToNewImage],
  ['6', spotInterruption],
];

/** Bindings of the chart, and of the two roles with which every account may read versions and what is served. */
const expectedBinding =
  /^RBAC: allowed by (Cluster)?RoleBinding "(karpenter|karpenter-core|karpenter(-dns)?\/kube-system|system:discovery|system:public-info-viewer)"/;

describe.each(walkthroughs)('walkthrough %s with the roles of the chart alone', (_, walk) => {
  let world: ChartWorld;
  let requests: readonly AuditedRequest[] = [];

  beforeAll(async () => {
    world = await chartWorld();
  }, 180_000);
  afterAll(() => world.stop(), 60_000);

  it('completes', async () => {
    await walk(world);
    requests = await world.requests();
    expect(requests.map(({ what }) => what)).toContain('create karpenter.sh/nodeclaims');
  }, 1_500_000);

  it('has no request denied', () => {
    expect(requests.filter(({ isAllowed, code }) => !isAllowed || code === 403)).toEqual([]);
  });

  it('is allowed every request by a role of the chart, or by one that every account has', () => {
    expect(requests.filter(({ reason }) => !expectedBinding.test(reason))).toEqual([]);
  });
});
