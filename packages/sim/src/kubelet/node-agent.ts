import { isAlreadyExists, isNotFound, type KubeClient, keyOf, kinds } from '@karpenter/kube/client';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import type { Node } from 'kubernetes-types/core/v1.js';
import type { ComponentEventRecorder } from '../objects/event-recorder.ts';
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
  readonly events: ComponentEventRecorder;
  /** The Node in the cache, which may be behind. */
  readonly nodeOf: (name: string) => Node | undefined;
}

/** Writes for kubelets what is about the node itself: the Node, its Lease, its CSINode and its status. */
export class NodeAgent {
  readonly #options: NodeAgentOptions;

  constructor(options: NodeAgentOptions) {
    this.#options = options;
  }

  /**
   * Writes what is due. Returns when to call again; undefined if a later event must trigger it. Rejects on
   * API errors; the caller retries.
   */
  async sync(kubelet: Kubelet): Promise<Instant | undefined> {
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
    // Set before the requests, because the delays of readiness count from it; a failure resets it.
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

  /**
   * An existing Node keeps its taints and gets the labels it lacks: adding the startup taints again would
   * undo their removal.
   */
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
    const isChanged = JSON.stringify(state) !== JSON.stringify(kubelet.reported);
    const isDue = kubelet.statusReportedAt === undefined || now >= kubelet.statusReportedAt + statusReportMs;
    const node = this.#options.nodeOf(kubelet.node.name);
    const isUnknown = node?.status?.conditions?.some(({ status }) => status === 'Unknown') ?? false;
    if (!isChanged && !isDue && !isUnknown) return;
    const status = nodeStatus(kubelet.node, state, { known: node?.status?.conditions, now });
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
    const kept = taints.filter((taint) => !kubelet.shouldClear(taint, now));
    if (node === undefined || kept.length === taints.length) return;
    // A merge patch replaces all taints, so it must not overwrite those that others add at the same time.
    const metadata = { resourceVersion: node.metadata?.resourceVersion };
    const patch = { type: 'merge', body: { metadata, spec: { taints: kept } } } as const;
    await this.#options.client.patch(kinds.node, keyOf(node), patch);
  }
}

/** Creates an object; returns false if it exists already. */
async function create(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return false;
  }
}
