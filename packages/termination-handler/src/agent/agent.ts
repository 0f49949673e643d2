import { durationMs } from '@karpenter/core/values';
import { kinds } from '@karpenter/kube/client';
import { EventStore, type MonitorName, monitorNames, type TerminationEvent } from '../events/index.ts';
import { agentEvents, receivedEvents } from '../kubernetes-events/index.ts';
import { errorField } from '../log/index.ts';
import { agentMetrics } from '../metrics/index.ts';
import {
  asgLifecycleMonitor,
  type Monitor,
  rebalanceMonitor,
  runMonitor,
  scheduledEventMonitor,
  spotInterruptionMonitor,
} from '../monitors/index.ts';
import { type AgentNode, GuardedNode } from '../node/index.ts';
import { eventFields } from './action-report.ts';
import type { AgentParts } from './agent-parts.ts';
import { EventHandler } from './event-handler.ts';
import { NodeRestoration } from './node-restoration.ts';
import { RebalanceCooldown } from './rebalance-cooldown.ts';

const tick = durationMs(1_000);

/** Guards one node: monitors fill the store, a loop handles what is due and undoes what has passed. */
export class Agent {
  readonly #parts: AgentParts;
  readonly #store = new EventStore();
  readonly #handler: EventHandler;
  readonly #restoration: NodeRestoration;
  readonly #writer: GuardedNode;
  readonly #cooldown: RebalanceCooldown;
  readonly #monitors: readonly Monitor[];
  /** Monitors that have not answered yet: what they will show is unknown, so nothing is undone. */
  readonly #unheard: Set<MonitorName>;
  readonly #running = new Set<Promise<void>>();
  #node: AgentNode = {};

  constructor(parts: AgentParts) {
    const { client, log, settings } = parts;
    this.#parts = parts;
    this.#writer = new GuardedNode({
      client,
      log,
      nodeName: settings.nodeName,
      isDryRun: settings.dryRun,
      usesCache: settings.useApiserverCache,
    });
    this.#handler = new EventHandler(parts, this.#writer);
    this.#restoration = new NodeRestoration(parts, this.#writer, this.#store);
    this.#cooldown = new RebalanceCooldown(settings.rebalanceCooldown);
    this.#monitors = enabledMonitors(parts);
    this.#unheard = new Set(this.#monitors.map(({ name }) => name));
  }

  /** Runs until the signal aborts. Rejects if the node does not exist or a monitor keeps failing. */
  async run(signal: AbortSignal): Promise<void> {
    const { log } = this.#parts;
    this.#node = await this.#writer.read();
    this.#cooldown.nodeCreated(this.#node.metadata?.creationTimestamp);
    await this.#restoration.afterStart(signal);
    const ended = new AbortController();
    const stop = () => ended.abort();
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    log.info('started monitoring for events', { monitors: this.#monitors.map(({ name }) => name) });
    try {
      await Promise.all([
        this.#loop(ended.signal),
        ...this.#monitors.map((monitor) => this.#follow(monitor, ended.signal)),
      ]);
    } finally {
      stop();
      signal.removeEventListener('abort', stop);
      await Promise.all(this.#running);
    }
  }

  #follow(monitor: Monitor, signal: AbortSignal): Promise<void> {
    const { clock, metadata, log, meters, recorder } = this.#parts;
    return runMonitor({
      monitor,
      metadata,
      clock,
      signal,
      onEvents: (events) => this.#observe(monitor.name, events),
      onError: (error) => {
        meters.increment(agentMetrics.errors, { event_error_where: monitor.name });
        log.error('there was a problem monitoring for events', {
          monitor: monitor.name,
          ...errorField(error),
        });
        const message = String(errorField(error)['error']);
        recorder?.publish({
          definition: agentEvents.monitorError,
          kind: kinds.node,
          object: this.#node,
          message,
        });
      },
    });
  }

  #observe(monitor: MonitorName, events: readonly TerminationEvent[]): void {
    const { log, recorder } = this.#parts;
    this.#unheard.delete(monitor);
    const added = this.#store.observe(
      monitor,
      events.map((event) => this.#cooldown.delayed(event)),
    );
    for (const event of added) {
      log.info('received an event', eventFields(this.#parts, event));
      const { description: message } = event;
      recorder?.publish({
        definition: receivedEvents[event.monitor],
        kind: kinds.node,
        object: this.#node,
        message,
      });
    }
  }

  async #loop(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#startDue(signal);
      await this.#undoPassed();
      await this.#parts.clock.sleep(tick, signal);
    }
  }

  #startDue(signal: AbortSignal): void {
    const { clock, settings } = this.#parts;
    const free = settings.workers - this.#store.inProgress;
    for (const event of this.#store.due(clock.now(), this.#grace).slice(0, Math.max(0, free))) {
      this.#store.begin(event);
      const handling = this.#handle(event, signal).finally(() => this.#running.delete(handling));
      this.#running.add(handling);
    }
  }

  async #handle(event: TerminationEvent, signal: AbortSignal): Promise<void> {
    const { log, meters } = this.#parts;
    try {
      await this.#handler.handle(event, signal);
      this.#store.finish(event);
    } catch (error) {
      this.#store.retry(event);
      if (signal.aborted) return;
      meters.increment(agentMetrics.errors, { event_error_where: 'handling' });
      log.error('cannot handle the event yet', { ...eventFields(this.#parts, event), ...errorField(error) });
    }
  }

  /** A failure is tried again at the next tick. */
  async #undoPassed(): Promise<void> {
    const { clock, log } = this.#parts;
    if (this.#unheard.size > 0) return;
    for (const event of this.#store.passed()) {
      try {
        if (!this.#store.needsNodeOutOfUse(clock.now(), this.#grace)) {
          await this.#restoration.undo(event.id);
          if (event.monitor === monitorNames.rebalance) this.#cooldown.begin(clock.now());
        }
        this.#store.remove(event);
      } catch (error) {
        log.error('cannot bring the node back into use yet', errorField(error));
      }
    }
  }

  get #grace() {
    return durationMs(this.#parts.settings.nodeTerminationGracePeriod * 1000);
  }
}

function enabledMonitors({ settings, clock }: AgentParts): readonly Monitor[] {
  return [
    ...(settings.enableSpotInterruptionDraining ? [spotInterruptionMonitor] : []),
    ...(settings.enableScheduledEventDraining ? [scheduledEventMonitor] : []),
    ...(settings.enableRebalanceMonitoring || settings.enableRebalanceDraining ? [rebalanceMonitor] : []),
    ...(settings.enableAsgLifecycleDraining ? [asgLifecycleMonitor(() => clock.now())] : []),
  ];
}
