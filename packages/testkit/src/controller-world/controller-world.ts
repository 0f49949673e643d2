import { setMaxListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { Cluster, ClusterPlanning, type ControllerContext, MemoryClusters } from '@karpenter/controllers';
import { workloadTrim } from '@karpenter/controllers/planning';
import {
  type CoreFeatureGate,
  type CoreSettings,
  capacityBufferKind,
  coreLabelPolicy,
  coreSettings,
  type DefaultSpreadConstraint,
  extendLabelPolicy,
  nodeClaimKind,
  nodeOverlayKind,
  nodePoolKind,
  parseSettings,
} from '@karpenter/core/api';
import { DecisionLog } from '@karpenter/core/decisions';
import type { InstanceType } from '@karpenter/core/ports';
import { requirementPolicy } from '@karpenter/core/requirements';
import { stateKinds } from '@karpenter/core/state';
import { CacheSet } from '@karpenter/kube/cache';
import { connect, type KubeClient, kinds, tokenCredentials } from '@karpenter/kube/client';
import {
  type Reconciled,
  type Runnable,
  runController,
  runSingleton,
  systemClock,
} from '@karpenter/kube/runtime';
import { startApiServer } from '@karpenter/sim/apiserver';
import { VirtualClock } from '../clock/index.ts';
import { MemoryCloud, testNodeClassKind } from '../fake-cloud/index.ts';
import { RecordedEvents, RecordedLog, RecordedMeters } from './recordings.ts';

export interface WorldOptions {
  readonly types?: readonly InstanceType[];
  readonly gates?: Partial<Record<CoreFeatureGate, boolean>>;
  readonly settings?: Partial<CoreSettings>;
  readonly defaultSpread?: readonly DefaultSpreadConstraint[];
  /** Labels that instance types define, besides those of every cloud. */
  readonly wellKnownLabels?: readonly string[];
  /** Label that names the reservation of an offering. */
  readonly reservationIdLabel?: string;
  /** Defaults to an embedded server in this process, which stops with the world. */
  readonly server?: RunningServer;
}

/** Address of an API server, and how to stop it. */
interface RunningServer {
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
  stop(): Promise<void>;
}

const usualReservationLabel = 'karpenter.test.sh/reservation-id';

/**
 * The dependencies of controllers around an API server in this process: state and caches as in production, a
 * cloud in memory, a clock that tests advance, and recorded logs, events and metrics.
 */
export interface ControllerWorld extends ControllerContext {
  readonly clock: VirtualClock;
  readonly cloud: MemoryCloud;
  readonly log: RecordedLog;
  readonly recorder: RecordedEvents;
  readonly meters: RecordedMeters;
  readonly planning: ClusterPlanning;
  /** With the clusters of all decisions. */
  readonly decisions: DecisionLog;
  /** Reconciles that failed. */
  readonly errors: readonly Reconciled[];
  /** Runs controllers until the world stops. */
  run(...runnables: readonly Runnable[]): void;
  /**
   * Advances the clock step by step until the probe returns something other than undefined or false. Requests
   * take real time.
   */
  until<T>(probe: () => T | Promise<T>, stepMs?: number): Promise<NonNullable<T>>;
  stop(): Promise<void>;
}

const definitions = [
  nodePoolKind([]),
  nodeClaimKind([]),
  nodeOverlayKind([]),
  capacityBufferKind,
  testNodeClassKind,
].map(({ definition }) => definition);

export async function startControllerWorld(options: WorldOptions = {}): Promise<ControllerWorld> {
  const clock = options.server === undefined ? new VirtualClock() : new VirtualClock(Date.now());
  const server = options.server ?? (await startApiServer({ clock }));
  const credentials = tokenCredentials(server.token);
  const client = connect({ server: server.url, ca: server.caPem, credentials }, { qps: 5_000, burst: 5_000 });
  await installKinds(client);
  const ended = new AbortController();
  setMaxListeners(0, ended.signal);
  const context = contextOf(options, { clock, client, signal: ended.signal });
  await context.cluster.follow(ended.signal);
  const running: Promise<void>[] = [];
  const errors: Reconciled[] = [];
  const runOptions = {
    clock,
    signal: ended.signal,
    onReconciled: (outcome: Reconciled) => {
      if (outcome.result === 'error') errors.push(outcome);
    },
  };
  return {
    ...context,
    errors,
    run: (...runnables) => {
      for (const runnable of runnables) running.push(start(runnable, runOptions));
    },
    until: (probe, stepMs = 500) => until(clock, probe, stepMs),
    async stop() {
      ended.abort();
      await Promise.all(running);
      await client.close();
      await server.stop();
    },
  };
}

/** Resolves when the server serves the definitions, which takes a real server a moment. */
async function installKinds(client: KubeClient): Promise<void> {
  for (const definition of definitions) {
    await client.request('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition);
  }
  const { customResourceDefinition } = kinds;
  for (const { metadata } of definitions) {
    for (let isServed = false; !isServed; ) {
      const { status } = await client.get(customResourceDefinition, { name: metadata.name });
      isServed = (status?.conditions ?? []).some(
        (each) => each.type === 'Established' && each.status === 'True',
      );
    }
  }
}

interface Foundations {
  readonly clock: VirtualClock;
  readonly client: KubeClient;
  readonly signal: AbortSignal;
}

function contextOf(options: WorldOptions, { clock, client, signal }: Foundations) {
  const settings = settingsOf(options);
  const caches = new CacheSet({ client, clock: systemClock, signal, trim: workloadTrim(settings) });
  const { reservationIdLabel = usualReservationLabel } = options;
  const policy = requirementPolicy(
    extendLabelPolicy(coreLabelPolicy, {
      wellKnown: new Set([reservationIdLabel, ...(options.wellKnownLabels ?? [])]),
    }),
  );
  const base = {
    client,
    caches,
    clock,
    cluster: new Cluster({ caches, clock, kinds: stateKinds }),
    cloud: new MemoryCloud({ clock, types: options.types ?? [] }),
    recorder: new RecordedEvents(),
    meters: new RecordedMeters(() => clock.now()),
    log: new RecordedLog(),
    settings,
    vocabulary: {
      wellKnownLabels: policy.wellKnown,
      labelAliases: policy.aliases,
      reservationIdLabel,
      policy,
    },
    defaultSpread: options.defaultSpread ?? [],
    decisions: new DecisionLog({
      size: 1_000,
      clusters: new MemoryClusters(1_000),
      now: () => clock.now(),
      processName: 'world',
    }),
  };
  const planning = new ClusterPlanning(base);
  planning.start();
  return { ...base, planning };
}

function settingsOf({ gates, settings }: WorldOptions): CoreSettings {
  const defaults = parseSettings(coreSettings, [], {}).settings;
  return { ...defaults, featureGates: { ...defaults.featureGates, ...gates }, ...settings };
}

function start(runnable: Runnable, options: Parameters<typeof runController>[1]): Promise<void> {
  const sources = runnable.sources ?? [];
  return 'controller' in runnable
    ? runController(runnable.controller, { ...options, sources })
    : runSingleton(runnable.singleton, { ...options, sources });
}

/** Event-loop turns between two steps of the clock, for requests in progress. */
const turnsPerStep = 60;
const maxSteps = 20_000;

async function until<T>(
  clock: VirtualClock,
  probe: () => T | Promise<T>,
  stepMs: number,
): Promise<NonNullable<T>> {
  for (let step = 0; step < maxSteps; step += 1) {
    const found = await probe();
    if (found !== undefined && found !== null && found !== false) return found;
    for (let turn = 0; turn < turnsPerStep; turn += 1) await setImmediate();
    await clock.advance(stepMs);
  }
  throw new Error('what was waited for did not happen');
}
