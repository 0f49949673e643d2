import { boundPod, claim, node, pendingPod } from '@karpenter/testkit/cluster-objects';
import { rounds } from '@karpenter/testkit/rounds';
import { instanceType, planOptions, pool } from '@karpenter/testkit/snapshots';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatTimestamp, hours, type NodeClaim } from '../../api/index.ts';
import { plan } from '../../scheduling/index.ts';
import type { ClusterNode, ClusterPod } from '../cluster-object.ts';
import { ClusterState } from '../cluster-state.ts';
import type { StateEvent } from '../state-event.ts';

const owner = 'ReplicaSet/web';

type Step = 'pod' | 'plan' | 'deliver' | 'launch' | 'bind' | 'delete' | 'restart';

/**
 * An API server, a cloud, a kube-scheduler and a provisioner that may restart. The steps decide how late the
 * watch is.
 */
class World {
  readonly pods = new Map<string, ClusterPod>();
  readonly claims = new Map<string, NodeClaim>();
  readonly nodes = new Map<string, ClusterNode>();
  #state = freshState();
  #watch: StateEvent[] = [];
  #version = 0;

  take(step: Step): void {
    this.#version++;
    const [first] = [...this.claims.values()].filter(({ status }) => status?.providerID === undefined);
    if (step === 'pod') this.#addPod();
    if (step === 'plan') this.#plan();
    if (step === 'deliver') this.#deliver();
    if (step === 'launch' && first !== undefined) this.#write(first.metadata.name, true);
    if (step === 'bind') this.#bind();
    if (step === 'delete' && first !== undefined) this.#delete(first);
    if (step === 'restart') this.#restart();
  }

  /** Delivers every event, launches every claim and lets every binding deadline pass. */
  settle(): void {
    while (this.#watch.length > 0) this.#deliver();
    for (const name of this.claims.keys()) this.#write(name, true);
    while (this.#watch.length > 0) this.#deliver();
    this.#plan(hours(1));
  }

  get #now(): string {
    return formatTimestamp(this.#version * 1000);
  }

  #addPod(): void {
    const name = `pod-${this.#version}`;
    const object = pendingPod(name, { cpu: '3', owner, created: this.#now, version: this.#version });
    this.pods.set(name, object);
    this.#watch.push({ type: 'applied', kind: 'Pod', object });
  }

  /**
   * Does what the provisioner does: creates a claim for each new node and records its pods as soon as it is
   * written, and records pods placed on a node that is still starting.
   */
  #plan(at = 0): void {
    const { placements, newNodes } = plan(this.#state.snapshot(at), planOptions);
    for (const { node: name, pods } of placements) {
      this.#state.apply({ type: 'podsExpected', nodeClaim: name, pods });
    }
    for (const { pods } of newNodes) {
      this.#version++;
      const nodeClaim = this.#write(`claim-${this.#version}`, false);
      this.#state.apply({ type: 'launchRecorded', nodeClaim, pods });
    }
  }

  /** Binds the newest waiting pod to any free instance, registered or not. */
  #bind(): void {
    const taken = new Set([...this.pods.values()].map(({ spec }) => spec.nodeName));
    const free = [...this.claims.values()].find(
      ({ metadata, status }) => status?.providerID !== undefined && !taken.has(metadata.name),
    );
    const waiting = [...this.pods.values()].findLast(({ spec }) => spec.nodeName === undefined);
    if (free === undefined || waiting === undefined) return;
    const { name, creationTimestamp: created = '' } = waiting.metadata;
    const joined = node(free.metadata.name, { pool: 'default', version: this.#version });
    const object = boundPod(name, free.metadata.name, { cpu: '3', owner, created, version: this.#version });
    this.pods.set(name, object);
    this.nodes.set(free.metadata.name, joined);
    this.#watch.push({ type: 'applied', kind: 'Node', object: joined });
    this.#watch.push({ type: 'applied', kind: 'Pod', object });
  }

  #deliver(): void {
    const event = this.#watch.shift();
    if (event !== undefined) this.#state.apply(event);
  }

  #write(name: string, isLaunched: boolean): NodeClaim {
    this.#version++;
    const created = this.claims.get(name)?.metadata.creationTimestamp ?? this.#now;
    const launched = isLaunched && { providerID: `cloud://${name}` };
    const object = claim(name, { created, version: this.#version, ...launched });
    this.claims.set(name, object);
    this.#watch.push({ type: 'applied', kind: 'NodeClaim', object });
    return object;
  }

  #delete(object: NodeClaim): void {
    this.claims.delete(object.metadata.name);
    const { metadata } = object;
    const last = { ...object, metadata: { ...metadata, resourceVersion: String(this.#version) } };
    this.#watch.push({ type: 'deleted', kind: 'NodeClaim', object: last });
  }

  #restart(): void {
    this.#watch = [];
    this.#state = freshState();
    const resourceVersion = String(this.#version);
    this.#state.apply({ type: 'listed', kind: 'Node', objects: [...this.nodes.values()], resourceVersion });
    this.#state.apply({ type: 'listed', kind: 'Pod', objects: [...this.pods.values()], resourceVersion });
    this.#state.apply({
      type: 'listed',
      kind: 'NodeClaim',
      objects: [...this.claims.values()],
      resourceVersion,
    });
  }
}

/** Instances that fit one of the pods but not two. */
function freshState(): ClusterState {
  const state = new ClusterState();
  const types = [instanceType('m', { price: 1, cpu: '4' })];
  state.apply({ type: 'applied', kind: 'NodePool', object: pool('default') });
  state.apply({ type: 'instanceTypesKnown', nodePool: 'default', types });
  return state;
}

const step = fc.constantFrom<Step>(
  'pod',
  'pod',
  'plan',
  'plan',
  'deliver',
  'deliver',
  'launch',
  'bind',
  'delete',
  'restart',
);

it('creates exactly one node per pod, however late the watch is and whenever the provisioner restarts', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
      const world = new World();
      for (const one of steps) {
        world.take(one);
        expect(world.claims.size).toBeLessThanOrEqual(world.pods.size);
      }
      world.settle();
      expect(world.claims.size).toBe(world.pods.size);
    }),
    { numRuns: rounds({ quick: 50, full: 150 }) },
  );
});
