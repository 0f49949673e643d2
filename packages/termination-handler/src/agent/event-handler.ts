import { durationMs } from '@karpenter/core/values';
import { kinds } from '@karpenter/kube/client';
import { type AgentPod, NodeDrain, podsToEvict, podText } from '../drain/index.ts';
import { monitorNames, type TerminationEvent } from '../events/index.ts';
import { agentEvents } from '../kubernetes-events/index.ts';
import { errorField } from '../log/index.ts';
import { agentMetrics } from '../metrics/index.ts';
import {
  type AgentNode,
  cordonChange,
  type GuardedNode,
  hasPreDrainTask,
  isOwnedByKarpenter,
  outOfServiceChange,
  rebootMarks,
  taintChange,
} from '../node/index.ts';
import { eventFields, reported } from './action-report.ts';
import type { AgentParts } from './agent-parts.ts';

/** Takes the node out of use for an event. */
export class EventHandler {
  readonly #parts: AgentParts;
  readonly #writer: GuardedNode;
  /** Events that the webhook knows of: a drain that fails is tried again, but announced once. */
  readonly #notified = new Set<string>();
  /** Several events can be due at the same time; they wait for one drain. */
  #drain: Promise<void> | undefined;

  constructor(parts: AgentParts, writer: GuardedNode) {
    this.#parts = parts;
    this.#writer = writer;
  }

  /** Rejects if the node could not be taken out of use; the caller tries again. */
  async handle(event: TerminationEvent, signal: AbortSignal): Promise<void> {
    const node = await this.#writer.read();
    const pods = await this.#pods(node);
    try {
      if (await this.#isLeftToKarpenter(node, event)) return;
      await this.#preDrain(node, event);
      await this.#takeOut(node, event, signal);
    } finally {
      await this.#notify(event, node, pods);
    }
  }

  async #isLeftToKarpenter(node: AgentNode, event: TerminationEvent): Promise<boolean> {
    const { client, log, recorder, settings } = this.#parts;
    if (settings.manageKarpenterNodes || !(await isOwnedByKarpenter(node, client))) return false;
    log.info('leaving the node to the controller of Karpenter, which owns it', {
      node_name: node.metadata?.name,
      ...eventFields(this.#parts, event),
    });
    const message = `${event.description}. The node belongs to Karpenter, whose controller decides what to do`;
    recorder?.publish({ definition: agentEvents.leftToKarpenter, kind: kinds.node, object: node, message });
    return true;
  }

  /** A failed mark must not keep the pods from being evicted in time. */
  async #preDrain(node: AgentNode, event: TerminationEvent): Promise<void> {
    const { clock, settings, meters } = this.#parts;
    if (!hasPreDrainTask(event)) return;
    const mark = async () => {
      await this.#writer.change('mark the node', (now) => rebootMarks(now, event, clock.now()));
      if (!settings.taintNode) return;
      await this.#writer.change('taint the node', (now) => taintChange(now, event, settings.taintEffect));
    };
    await reported(this.#parts, { action: 'pre-drain', node, eventId: event.id }, mark).catch(() => {
      meters.increment(agentMetrics.errors, { event_error_where: 'pre-drain' });
    });
  }

  async #takeOut(node: AgentNode, event: TerminationEvent, signal: AbortSignal): Promise<void> {
    const subject = { node, eventId: event.id };
    if (this.#cordonsOnly(event)) {
      await reported(this.#parts, { action: 'cordon', ...subject }, () => this.#cordon(event));
      return;
    }
    await reported(this.#parts, { action: 'cordon-and-drain', ...subject }, async () => {
      await this.#cordon(event);
      await this.#sharedDrain(node, signal);
    });
    if (!this.#parts.settings.enableOutOfServiceTaint) return;
    await this.#writer.change('add the out-of-service taint', outOfServiceChange);
  }

  #cordonsOnly({ monitor }: TerminationEvent): boolean {
    const { cordonOnly, enableRebalanceDraining } = this.#parts.settings;
    return cordonOnly || (monitor === monitorNames.rebalance && !enableRebalanceDraining);
  }

  async #cordon(event: TerminationEvent): Promise<void> {
    const { clock, settings } = this.#parts;
    const options = { excludesFromLoadBalancers: settings.excludeFromLoadBalancers, now: clock.now() };
    await this.#writer.change('cordon the node', (node) => cordonChange(node, event, options));
  }

  #sharedDrain(node: AgentNode, signal: AbortSignal): Promise<void> {
    this.#drain ??= this.#startDrain(node, signal).finally(() => {
      this.#drain = undefined;
    });
    return this.#drain;
  }

  async #startDrain(node: AgentNode, signal: AbortSignal): Promise<void> {
    const { settings, log, clock, client, recorder } = this.#parts;
    if (settings.dryRun) {
      log.info('would drain the node if this were no dry run', { node: node.metadata?.name });
      return;
    }
    const onEvicted = (pod: AgentPod) => {
      log.info('evicted pod', { pod: podText(pod) });
      const message = `Evicted by the termination handler of node ${node.metadata?.name}`;
      recorder?.publish({ definition: agentEvents.podEviction, kind: kinds.pod, object: pod, message });
    };
    const { podTerminationGracePeriod: seconds } = settings;
    await new NodeDrain(
      { client, clock, onEvicted },
      {
        ...this.#podChoice(node),
        deletesLocalData: settings.deleteLocalData,
        gracePeriodSeconds: seconds < 0 ? undefined : seconds,
        timeout: durationMs(settings.nodeTerminationGracePeriod * 1000),
        signal,
      },
    ).run();
  }

  #podChoice({ metadata }: AgentNode) {
    const { settings } = this.#parts;
    return {
      nodeName: metadata?.name ?? '',
      ownPod: { namespace: settings.podNamespace, name: settings.podName },
      ignoresDaemonSets: settings.ignoreDaemonSets,
      usesCache: settings.useApiserverCache,
    };
  }

  /** Only the webhook shows the pods. */
  async #pods(node: AgentNode): Promise<readonly string[]> {
    if (this.#parts.notify === undefined) return [];
    const pods = await podsToEvict(this.#parts.client, this.#podChoice(node));
    return pods.map(({ metadata }) => metadata.name);
  }

  /** A webhook that fails is reported; the node is out of use all the same. */
  async #notify(event: TerminationEvent, node: AgentNode, pods: readonly string[]): Promise<void> {
    const { notify, identity, log, meters } = this.#parts;
    if (notify === undefined || this.#notified.has(event.id)) return;
    this.#notified.add(event.id);
    try {
      await notify({ event, identity, node, pods });
    } catch (error) {
      meters.increment(agentMetrics.errors, { event_error_where: 'webhook' });
      log.error('the webhook failed', errorField(error));
    }
  }
}
