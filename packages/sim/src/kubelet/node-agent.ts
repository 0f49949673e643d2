import { isAlreadyExists, isNotFound, type KubeClient, keyOf, kinds } from '@karpenter/kube/client';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import type { Node } from 'kubernetes-types/core/v1.js';
import type { EventRecorder } from '../objects/event-recorder.ts';
import { microTimestamp } from '../objects/timestamp.ts';
import { type Kubelet, leaseRenewalMs, statusReportMs } from './kubelet.ts';
import {
  csiNodeObject,
  isOwnNode,
  leaseDurationSeconds,
  leaseNamespace,
  leaseObject,
  nodeObject,
  nodeStatus,
} from './node-object.ts';

export interface NodeAgentOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly events: EventRecorder;
  /** The Node as the cache has it. */
  readonly nodeOf: (name: string) => Node | undefined;
}

/** Writes what kubelets say about their nodes: the Node itself, its Lease, its status. */
export class NodeAgent {
  readonly #options: NodeAgentOptions;

  constructor(options: NodeAgentOptions) {
    this.#options = options;
  }

  /** Does what is due; returns when to come again, or nothing when there is nothing more to do. */
  async attend(kubelet: Kubelet): Promise<Instant | undefined> {
    const now = this.#options.clock.now();
    const { registersAt } = kubelet;
    if (registersAt === undefined || kubelet.fault === 'partitioned') return undefined;
    if (kubelet.registeredAt === undefined && now < registersAt) return registersAt;
    if (kubelet.registeredAt === undefined) await this.#register(kubelet, now);
    if (kubelet.fault === 'hung') return kubelet.nextAt(now);
    await this.#renewLease(kubelet, now);
    await this.#reportStatus(kubelet, now);
    await this.#clearTaints(kubelet, now);
    return kubelet.nextAt(now);
  }

  async #register(kubelet: Kubelet, now: Instant): Promise<void> {
    const { client } = this.#options;
    kubelet.registeredAt = now;
    const state = kubelet.stateAt(now);
    try {
      const node = await this.#createOrAdopt(kubelet, nodeObject(kubelet.node, state, now));
      kubelet.observe(node);
      const isNewLease = await create(() => client.create(kinds.lease, leaseObject(node, now)));
      await create(() => client.create(kinds.csiNode, csiNodeObject(kubelet.node, node)));
      if (isNewLease) kubelet.leaseRenewedAt = now;
    } catch (error) {
      kubelet.registeredAt = undefined;
      throw error;
    }
  }

  /** A Node that is there already keeps its taints; it gets the labels that it lacks. */
  async #createOrAdopt(kubelet: Kubelet, node: Node): Promise<Node> {
    const { client } = this.#options;
    try {
      const created = await client.create(kinds.node, node);
      kubelet.reported = kubelet.stateAt(kubelet.registeredAt ?? 0);
      kubelet.statusReportedAt = kubelet.registeredAt;
      return created;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    const known = await client.get(kinds.node, keyOf(node));
    if (isOwnNode(kubelet.node, known)) kubelet.resumeNode(known);
    const labels = { ...node.metadata?.labels, ...known.metadata?.labels };
    const providerID = known.spec?.providerID ?? node.spec?.providerID;
    const body = { metadata: { labels }, ...(providerID !== undefined && { spec: { providerID } }) };
    return client.patch(kinds.node, keyOf(node), { type: 'merge', body });
  }

  async #renewLease(kubelet: Kubelet, now: Instant): Promise<void> {
    if (kubelet.leaseRenewedAt !== undefined && now < kubelet.leaseRenewedAt + leaseRenewalMs) return;
    const { client } = this.#options;
    const { name } = kubelet.node;
    const spec = { holderIdentity: name, leaseDurationSeconds, renewTime: microTimestamp(now) };
    const key = { namespace: leaseNamespace, name };
    try {
      await client.patch(kinds.lease, key, { type: 'merge', body: { spec } });
    } catch (error) {
      const node = this.#options.nodeOf(name);
      if (!isNotFound(error)) throw error;
      if (node !== undefined) await create(() => client.create(kinds.lease, leaseObject(node, now)));
    }
    kubelet.leaseRenewedAt = now;
  }

  async #reportStatus(kubelet: Kubelet, now: Instant): Promise<void> {
    const state = kubelet.stateAt(now);
    const isNews = JSON.stringify(state) !== JSON.stringify(kubelet.reported);
    const isDue = kubelet.statusReportedAt === undefined || now >= kubelet.statusReportedAt + statusReportMs;
    const node = this.#options.nodeOf(kubelet.node.name);
    const isDoubted = node?.status?.conditions?.some(({ status }) => status === 'Unknown') ?? false;
    if (!isNews && !isDue && !isDoubted) return;
    const status = nodeStatus(kubelet.node, state, node?.status?.conditions, now);
    const patch = { type: 'strategic', body: { status } } as const;
    try {
      await this.#options.client.patch(kinds.node, { name: kubelet.node.name }, patch, {
        subresource: 'status',
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    if (state.isReady && !state.hasFailed && kubelet.reported?.isReady !== true) this.#announce(node);
    kubelet.reported = state;
    kubelet.statusReportedAt = now;
  }

  #announce(node: Node | undefined): void {
    if (node === undefined) return;
    const message = `Node ${node.metadata?.name ?? ''} status is now: NodeReady`;
    this.#options.events.publish(kinds.node, node, { type: 'Normal', reason: 'NodeReady', message });
  }

  async #clearTaints(kubelet: Kubelet, now: Instant): Promise<void> {
    const node = this.#options.nodeOf(kubelet.node.name);
    const taints = node?.spec?.taints ?? [];
    const kept = taints.filter((taint) => !kubelet.isToClear(taint, now));
    if (node === undefined || kept.length === taints.length) return;
    const metadata = { resourceVersion: node.metadata?.resourceVersion };
    const patch = { type: 'merge', body: { metadata, spec: { taints: kept } } } as const;
    await this.#options.client.patch(kinds.node, keyOf(node), patch);
  }
}

/** What is there already is as good. Whether it was not there. */
async function create(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return false;
  }
}
