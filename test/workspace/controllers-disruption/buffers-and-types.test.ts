import {
  capacityBuffer,
  capacityBuffers,
  disruption,
  nodeClaims,
  ProvisioningBatcher,
  provisioner,
} from '@karpenter/controllers';
import type { NodeClaim } from '@karpenter/core/api';
import { durationMs } from '@karpenter/core/values';
import { kinds } from '@karpenter/kube/client';
import {
  type ControllerWorld,
  startControllerWorld,
  type WorldOptions,
} from '@karpenter/testkit/controller-world';
import { runningPods } from '@karpenter/testkit/disruptable-clusters';
import { instanceType } from '@karpenter/testkit/snapshots';
import { afterEach, describe, expect, it } from 'vitest';
import { createPool } from '../controllers/objects.ts';
import { loopOf, runLoop } from './disruption-loop.ts';
import { createNode, livingClaims, poolOf, types } from './nodes.ts';

let world: ControllerWorld;

afterEach(() => world.stop());

async function begin(options: WorldOptions): Promise<void> {
  world = await startControllerWorld(options);
}

/** Runs a consolidation from the search over the delay and the validation to its start. */
async function consolidate(): Promise<readonly string[]> {
  const loop = loopOf(world);
  await runLoop(world, loop);
  await world.clock.advance(durationMs(15_000));
  await runLoop(world, loop);
  return world.log.of('disrupting node(s)').map(({ command }) => String(command).replace(/\/[^:]+/, ''));
}

describe('a CapacityBuffer', () => {
  const gates = { CapacityBuffer: true };

  /** A buffer of `replicas` pods with one CPU each. */
  async function createBuffer(replicas: number): Promise<void> {
    const { client, caches } = world;
    await client.create(kinds.podTemplate, {
      metadata: { name: 'one-cpu', namespace: 'default' },
      template: {
        spec: { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '1' } } }] },
      },
    });
    await client.create(capacityBuffers, {
      apiVersion: 'autoscaling.x-k8s.io/v1beta1',
      kind: 'CapacityBuffer',
      metadata: { name: 'spare', namespace: 'default' },
      spec: {
        provisioningStrategy: 'buffer.x-k8s.io/active-capacity',
        podTemplateRef: { name: 'one-cpu' },
        replicas,
      },
    });
    await world.until(() =>
      [caches.of(kinds.podTemplate), caches.of(capacityBuffers)].every((cache) => cache.list().length > 0),
    );
  }

  /** Two nodes; the pods of one fit on the other. Six CPUs are free on the first, three on the second. */
  async function createNodes(): Promise<void> {
    await createPool(world, poolOf());
    await createNode(world, 'spare', { pods: runningPods(2, 'spare') });
    await createNode(world, 'busy', { pods: runningPods(5, 'busy') });
  }

  it('keeps a node from being deleted whose free capacity it needs', async () => {
    await begin({ types: types.slice(2), gates });
    await createNodes();
    await createBuffer(2);
    expect(await consolidate()).toEqual([]);
    expect(world.recorder.texts).toContain("Node/spare Unconsolidatable: Can't replace with a cheaper node");
  });

  it('allows the deletion of a node when enough capacity is left elsewhere', async () => {
    await begin({ types: types.slice(2), gates });
    await createNodes();
    await createBuffer(1);
    expect(await consolidate()).toEqual([expect.stringMatching(/^Underutilized: delete: .*\[spare\]/)]);
  });

  it('has no effect while its feature gate is off', async () => {
    await begin({ types: types.slice(2) });
    await createNodes();
    await createBuffer(2);
    expect(await consolidate()).toEqual([expect.stringMatching(/^Underutilized: delete: .*\[spare\]/)]);
  });

  it('makes the replacement of a node larger', async () => {
    await begin({ types, gates });
    await createPool(world, poolOf());
    await createNode(world, 'n', { pods: runningPods(1, 'n') });
    await createBuffer(3);
    expect(await consolidate()).toEqual([expect.stringMatching(/^Underutilized: replace: .*\[n\]/)]);
    expect(replacementTypes(await onlyReplacement('claim-n'))).toEqual(['medium']);
  });

  it('keeps the empty node that its pods are placed on until the buffer is deleted', async () => {
    await begin({ types: types.slice(2), gates });
    const { batchIdleDuration: idle, batchMaxDuration: max } = world.settings;
    const batcher = new ProvisioningBatcher(world.clock, { idle, max });
    await createPool(world, poolOf());
    await createNode(world, 'idle');
    await createBuffer(2);
    world.run(capacityBuffer(world, batcher), provisioner(world, batcher));
    await world.until(() => world.cluster.snapshot().nodeStates[0]?.bufferPods === 2);
    world.run(...disruption(world));
    const end = world.clock.now() + 60_000;
    await world.until(() => world.clock.now() >= end);
    expect(await livingClaims(world)).toEqual(['claim-idle']);
    expect(world.recorder.texts).toContain('Node/idle Unconsolidatable: Node "idle" has buffer pods');
    await world.client.delete(capacityBuffers, { namespace: 'default', name: 'spare' });
    await world.until(async () => (await livingClaims(world)).length === 0);
  });
});

async function onlyReplacement(...existing: readonly string[]): Promise<NodeClaim> {
  const { items } = await world.client.list(nodeClaims);
  const made = items.filter(({ metadata }) => !existing.includes(metadata.name));
  const [replacement, another] = made;
  if (replacement === undefined || another !== undefined) throw new Error(`${made.length} replacements`);
  return replacement;
}

function replacementTypes({ spec }: NodeClaim): readonly string[] {
  return spec.requirements.find(({ key }) => key === 'node.kubernetes.io/instance-type')?.values ?? [];
}

/** Instance types that hold two pods each, with rising prices. */
function manyTypes(count: number, capacityTypes = ['on-demand']) {
  const cheapest = Array.from({ length: count }, (_, index) =>
    instanceType(`t${String(index).padStart(3, '0')}`, {
      cpu: '3',
      memory: '16Gi',
      price: 0.1 + index / 10_000,
      capacityTypes,
    }),
  );
  return [...cheapest, instanceType('large', { cpu: '8', memory: '64Gi', price: 0.4, capacityTypes })];
}

describe('a replacement', () => {
  it.each([
    ['a drifted node', ['Drifted'], 'Never'],
    ['a node that a cheaper one can replace', [], '0s'],
  ])('of %s lists the cheapest 600 instance types', async (_, conditions, consolidateAfter) => {
    await begin({ types: manyTypes(700) });
    await createPool(world, poolOf('default', { disruption: { consolidateAfter } }));
    await createNode(world, 'n', { conditions, pods: runningPods(2, 'n') });
    expect(await consolidate()).toHaveLength(1);
    const asked = replacementTypes(await onlyReplacement('claim-n'));
    expect(asked).toHaveLength(600);
    expect([...asked].sort().at(-1)).toBe('t599');
  });

  it('of a spot node by spot lists the cheapest 15 instance types', async () => {
    await begin({ types: manyTypes(20, ['spot']), gates: { SpotToSpotConsolidation: true } });
    await createPool(world, poolOf());
    await createNode(world, 'n', { capacityType: 'spot', pods: runningPods(2, 'n') });
    expect(await consolidate()).toHaveLength(1);
    const asked = replacementTypes(await onlyReplacement('claim-n'));
    expect([...asked].sort()).toEqual(
      Array.from({ length: 15 }, (_, index) => `t${String(index).padStart(3, '0')}`),
    );
  });
});
