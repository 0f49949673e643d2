import { CommandQueue, disruptionQueue, nodeClaims, startCommand } from '@karpenter/controllers';
import { disruptionMetrics, nodeClaimMetrics } from '@karpenter/core/api';
import { type Command, findCandidates } from '@karpenter/core/disruption';
import { ConnectionError, kinds } from '@karpenter/kube/client';
import type { Controller, Runnable } from '@karpenter/kube/runtime';
import { type ControllerWorld, startControllerWorld } from '@karpenter/testkit/controller-world';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPool, plannedNode } from '../controllers/objects.ts';
import { bringUp, createNode, livingClaims, poolOf, taintsOf, types } from './nodes.ts';

let world: ControllerWorld;
let queue: CommandQueue;

beforeEach(async () => {
  world = await startControllerWorld({ types });
  queue = new CommandQueue();
  await createPool(world, poolOf());
});

afterEach(() => world.stop());

const disrupted = 'karpenter.sh/disrupted';

async function begin(names: readonly string[], parts: Partial<Command> = {}): Promise<void> {
  for (const name of names) await createNode(world, name);
  const { snapshot } = await world.planning.refresh();
  const { candidates } = findCandidates({ snapshot, queued: new Set() }, 'graceful');
  const command: Command = {
    reason: 'Underutilized',
    consolidationType: 'single',
    candidates: candidates.filter(({ name }) => names.includes(name)),
    replacements: [],
    destinations: [],
    savings: 0.1,
    ...parts,
  };
  await startCommand(world, command, { queue, snapshot });
}

const replacement = () => plannedNode({ instanceTypes: ['medium'], pods: [] });
const run = () => world.run(disruptionQueue(world, queue));
const replacementNames = async () => (await livingClaims(world)).filter((name) => !name.startsWith('claim-'));
const replacementName = async () => (await replacementNames())[0] ?? '';
const isKnown = (name: string) =>
  world.cluster.snapshot().nodeStates.some(({ nodeClaim }) => nodeClaim?.metadata.name === name);

/** Of the only queued command. */
function commandId(): string {
  const ids: string[] = [];
  queue.source.start((id) => ids.push(id));
  return ids[0] ?? '';
}

function controllerOf(runnable: Runnable): Controller {
  if (!('controller' in runnable)) throw new Error('not a controller');
  return runnable.controller;
}

describe('a command', () => {
  it('without replacements deletes its NodeClaims at once', async () => {
    await begin(['a', 'b']);
    run();
    await world.until(async () => (await livingClaims(world)).length === 0);
    await world.until(() => world.log.of('command succeeded').length === 1);
    expect(queue.nodes.size).toBe(0);
  });

  it('neither counts nor publishes nodes that are deleted or gone already', async () => {
    await begin(['a', 'b', 'c']);
    const claims = world.caches.of(nodeClaims);
    await world.client.delete(nodeClaims, { name: 'claim-b' });
    const body = { metadata: { finalizers: null } };
    await world.client.patch(nodeClaims, { name: 'claim-c' }, { type: 'merge', body });
    await world.client.delete(nodeClaims, { name: 'claim-c' });
    await world.until(
      () =>
        claims.get({ name: 'claim-c' }) === undefined &&
        claims.get({ name: 'claim-b' })?.metadata.deletionTimestamp !== undefined,
    );
    run();
    await world.until(() => world.log.of('command succeeded').length === 1);
    expect(world.meters.values(nodeClaimMetrics.disrupted, { reason: 'underutilized' })).toEqual([1]);
    expect(world.recorder.texts.filter((text) => text.startsWith('NodeClaim/'))).toEqual([
      'NodeClaim/claim-a DisruptionTerminating: Disrupting NodeClaim: Underutilized',
    ]);
  });

  it('marks its nodes for deletion only after its replacements are created', async () => {
    const create = world.client.create.bind(world.client);
    const marks: (boolean | undefined)[] = [];
    world.client.create = (kind, object, options) => {
      const { nodeStates } = world.cluster.snapshot();
      if (kind.kind === 'NodeClaim' && nodeStates.length > 0) marks.push(nodeStates[0]?.markedForDeletion);
      return create(kind, object, options);
    };
    await begin(['a'], { replacements: [replacement()] });
    expect(marks.at(-1)).toBe(false);
    const { nodeStates, launching } = world.cluster.snapshot();
    expect(nodeStates.find(({ view }) => view.name === 'a')?.markedForDeletion).toBe(true);
    expect(launching).toHaveLength(1);
    expect(await taintsOf(world, 'a')).toEqual([disrupted]);
  });

  it('waits until its replacement is initialized', async () => {
    await begin(['a'], { replacements: [replacement()] });
    run();
    const name = await replacementName();
    await bringUp(world, name, 'medium');
    await world.until(async () => !(await livingClaims(world)).includes('claim-a'));
    expect(await livingClaims(world)).toEqual([name]);
  });

  it('does not check an initialized replacement again, even if it is gone when the other one is initialized', async () => {
    await begin(['a'], { replacements: [replacement(), replacement()] });
    run();
    const [first = '', second = ''] = await replacementNames();
    await bringUp(world, first, 'medium');
    await world.until(() => queue.get(commandId())?.replacements.some(({ isInitialized }) => isInitialized));
    await world.client.delete(nodeClaims, { name: first });
    await world.client.delete(kinds.node, { name: `node-of-${first}` });
    await world.until(() => !isKnown(first));
    await bringUp(world, second, 'medium');
    await world.until(async () => !(await livingClaims(world)).includes('claim-a'));
    expect(world.log.of('command succeeded')).toHaveLength(1);
  });

  it('waits for a replacement that is missing in the API but still in the cluster state', async () => {
    await begin(['a'], { replacements: [replacement()] });
    const name = await replacementName();
    await world.until(() => world.caches.of(nodeClaims).get({ name }));
    const cache = world.caches.of(nodeClaims);
    const get = cache.get.bind(cache);
    cache.get = (key) => (key.name === name ? undefined : get(key));
    const controller = controllerOf(disruptionQueue(world, queue));
    expect(await controller.reconcile(commandId(), new AbortController().signal)).toEqual({
      requeueAfter: 1_000,
    });
    cache.get = get;
    expect(queue.nodes.size).toBe(1);
  });

  it('is reconciled every second', async () => {
    await begin(['a'], { replacements: [replacement()] });
    const controller = controllerOf(disruptionQueue(world, queue));
    const name = await replacementName();
    await world.until(() => world.caches.of(nodeClaims).get({ name }));
    expect(await controller.reconcile(commandId(), new AbortController().signal)).toEqual({
      requeueAfter: 1_000,
    });
  });

  it('that times out is rolled back even if its deletions have just succeeded', async () => {
    await begin(['a']);
    await world.clock.advance(600_001);
    const controller = controllerOf(disruptionQueue(world, queue));
    expect(await controller.reconcile(commandId(), new AbortController().signal)).toBeUndefined();
    expect(await livingClaims(world)).toEqual([]);
    expect(world.log.of('command succeeded')).toEqual([]);
    const failure = 'failed terminating nodes while executing a disruption command';
    expect(world.log.of(failure)).toHaveLength(1);
    expect(queue.nodes.size).toBe(0);
  });

  it('whose replacement is gone is rolled back: taints, conditions and marks are removed', async () => {
    await begin(['a'], { replacements: [replacement()] });
    const name = await replacementName();
    run();
    await world.client.delete(nodeClaims, { name });
    await world.until(
      () => world.log.of('failed terminating nodes while executing a disruption command').length === 1,
    );
    await world.until(async () => (await taintsOf(world, 'a')).length === 0);
    expect(await livingClaims(world)).toEqual(['claim-a']);
    await world.until(() => world.cluster.snapshot().nodeStates[0]?.markedForDeletion === false);
    const labels = { decision: 'replace', reason: 'underutilized', consolidation_type: 'replace' };
    expect(world.meters.values(disruptionMetrics.queueFailures, labels)).toEqual([1]);
    expect(queue.abandoned.size).toBe(0);
  });

  it('whose taints cannot be removed leaves its nodes to the disruption loop', async () => {
    await begin(['a'], { replacements: [replacement()] });
    const name = await replacementName();
    await world.client.delete(nodeClaims, { name });
    await world.until(
      () =>
        world.caches.of(nodeClaims).get({ name }) === undefined &&
        world.cluster.snapshot().launching.length === 0,
    );
    world.client.get = () => Promise.reject(new ConnectionError('get', 'connection reset'));
    const controller = controllerOf(disruptionQueue(world, queue));
    await expect(controller.reconcile(commandId(), new AbortController().signal)).rejects.toThrow('get');
    expect(queue.nodes.size).toBe(0);
    expect([...queue.abandoned]).toEqual(['cloud://a']);
  });

  it('that is not done after ten minutes is rolled back, and its replacement keeps running', async () => {
    await begin(['a'], { replacements: [replacement()] });
    const name = await replacementName();
    run();
    const started = world.clock.now();
    await world.until(
      () => world.log.of('failed terminating nodes while executing a disruption command').length === 1,
      5_000,
    );
    expect(world.clock.now() - started).toBeGreaterThan(600_000);
    await world.until(async () => (await taintsOf(world, 'a')).length === 0);
    expect(await livingClaims(world)).toEqual(['claim-a', name].sort());
  });

  it('does not hold up other commands while it waits', async () => {
    await begin(['a'], { replacements: [replacement()] });
    await begin(['b']);
    run();
    await world.until(async () => !(await livingClaims(world)).includes('claim-b'));
    expect(await livingClaims(world)).toContain('claim-a');
  });

  it('that needs replacements is dropped when a node cannot be tainted', async () => {
    await createNode(world, 'a');
    const { snapshot } = await world.planning.refresh();
    const { candidates } = findCandidates({ snapshot, queued: new Set() }, 'graceful');
    const gone = candidates.map((candidate) => ({ ...candidate, name: 'nowhere' }));
    const command: Command = {
      reason: 'Underutilized',
      consolidationType: 'single',
      candidates: [...candidates, ...gone],
      replacements: [replacement()],
      destinations: [],
      savings: 0,
    };
    await expect(startCommand(world, command, { queue, snapshot })).rejects.toMatchObject({
      code: 'command-not-started',
    });
    expect(await livingClaims(world)).toEqual(['claim-a']);
    expect(queue.nodes.size).toBe(0);
    expect([...queue.abandoned]).toEqual(['cloud://a']);
  });

  it('without replacements goes on with the nodes that could be tainted', async () => {
    await createNode(world, 'a');
    const { snapshot } = await world.planning.refresh();
    const { candidates } = findCandidates({ snapshot, queued: new Set() }, 'graceful');
    const gone = candidates.map((candidate) => ({ ...candidate, name: 'nowhere', id: 'nowhere' }));
    await begin([], { candidates: [...candidates, ...gone] });
    expect([...queue.nodes]).toEqual(['cloud://a']);
    expect([...queue.abandoned]).toEqual(['nowhere']);
  });

  it('is dropped with an error when a replacement cannot be created', async () => {
    await createNode(world, 'a');
    const odd = plannedNode({ nodePool: 'gone' });
    await expect(begin(['b'], { replacements: [odd] })).rejects.toMatchObject({
      code: 'command-not-started',
    });
    expect(queue.nodes.size).toBe(0);
    expect([...queue.abandoned]).toEqual(['cloud://b']);
    const marked = world.cluster.snapshot().nodeStates.filter(({ markedForDeletion }) => markedForDeletion);
    expect(marked).toEqual([]);
  });
});
