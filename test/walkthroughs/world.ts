import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AwsServices } from '@karpenter/aws/ports';
import { runControllerProcess, settingsWith, startEmbeddedCluster } from '@karpenter/cli/embedded';
import { JsonLog, type MetricRegistry, nodeClaims, nodePools } from '@karpenter/controllers';
import type { NodeClaim, NodePool } from '@karpenter/core/api';
import type { DecisionLog } from '@karpenter/core/decisions';
import { type DurationMs, durationMs } from '@karpenter/core/values';
import { connect, type KubeClient, kinds } from '@karpenter/kube/client';
import { noFaults, type SimulatedCloud } from '@karpenter/sim/cloud';
import { VirtualClock } from '@karpenter/testkit/clock';
import type { Event, Node, Pod } from 'kubernetes-types/core/v1.js';
import { expect } from 'vitest';
import { applyFile } from './manifests.ts';

/** A cluster with the controllers running, on any API server and clock. */
export interface World {
  readonly client: KubeClient;
  /** Log of the controllers, oldest first. */
  readonly log: readonly LogLine[];
  now(): number;
  /** Applies a file under docs/walkthroughs. */
  apply(file: string): Promise<void>;
  scale(deployment: string, replicas: number): Promise<void>;
  /** Nodes of Karpenter. */
  nodes(): Promise<readonly Node[]>;
  nodeClaims(): Promise<readonly NodeClaim[]>;
  nodePool(name: string): Promise<NodePool>;
  /** Pods of an app, by its label. */
  pods(app: string): Promise<readonly Pod[]>;
  events(reason: string): Promise<readonly Event[]>;
  /** Waits so long: virtual time on a virtual clock. */
  pass(milliseconds: number): Promise<void>;
  /** Polls until the expectation holds, and advances the clock if it is virtual. */
  eventually<T>(probe: () => Promise<T>): ReturnType<typeof expect.poll<T>>;
  stop(): Promise<void>;
}

/** Runs lines of a page as they are written. */
export interface PageShell {
  /** What the line prints; rejects if it fails. A line that watches goes on until the shell is closed. */
  run(line: string): Promise<string>;
  close(): void;
}

/** A world in which the commands of a page can run. */
export interface PageWorld extends World {
  /** The path of the kubeconfig. */
  readonly kubeconfig: string;
  /** Absent on a virtual clock, where commands become requests, so that time does not pass meanwhile. */
  readonly shell?: PageShell;
}

/** A world whose cloud the test can control. */
export interface CloudWorld extends PageWorld {
  readonly cloud: SimulatedCloud;
}

export interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly [key: string]: unknown;
}

export interface WorldOptions {
  readonly flags?: Readonly<Record<string, string>>;
  /** The registry for metrics; defaults to a new one. */
  readonly registry?: MetricRegistry;
  /** The log of decisions for a clock; defaults to one in memory. */
  readonly decisions?: (now: () => number) => DecisionLog;
  readonly seed?: number;
  /** Boot time of instances; defaults to 5 s. */
  readonly bootDelay?: DurationMs;
  /** Maximum additional boot time of an instance; defaults to 0. */
  readonly bootJitter?: DurationMs;
  /** Directory for the state of the cluster and the account; without it the state is in memory. */
  readonly dataDir?: string;
  /** The initial time. */
  readonly startAt?: number;
  /** Changes the view that the controllers have of the account. */
  readonly seenAs?: (services: AwsServices) => AwsServices;
}

/** Starts everything in this process on a virtual clock. */
export async function embeddedWorld({
  flags = {},
  registry,
  decisions,
  seed = 1,
  bootDelay = durationMs(5_000),
  bootJitter = durationMs(0),
  dataDir,
  startAt = shortlyBeforeNine,
  seenAs = (services) => services,
}: WorldOptions = {}): Promise<CloudWorld> {
  const clock = new VirtualClock(startAt);
  const directory = mkdtempSync(join(tmpdir(), 'karpenter-walkthrough-'));
  const log: LogLine[] = [];
  const kubeconfig = join(directory, 'kubeconfig');
  const cluster = await startEmbeddedCluster({
    kubeconfig,
    seed,
    bootDelay,
    ...(dataDir !== undefined && { dataDir }),
    faults: { throttling: 'off', boots: { ...noFaults.boots, delay: bootDelay, jitter: bootJitter } },
    clock,
  });
  const ended = new AbortController();
  const running = runControllerProcess({
    config: cluster.config,
    settings: settingsWith({ ...controllerFlags, ...flags }),
    account: { services: seenAs(cluster.account.services), region: cluster.account.region },
    clock,
    log: collectingLog(log, () => clock.now()),
    ...(registry && { registry }),
    ...(decisions && { decisions: decisions(() => clock.now()) }),
    signal: ended.signal,
  });
  const client = connect(cluster.config);
  const advance = (milliseconds: number) => clock.advance(durationMs(milliseconds));
  return {
    ...clusterWorld(client),
    kubeconfig,
    cloud: cluster.account.cloud,
    log,
    now: () => clock.now(),
    pass: async (milliseconds) => {
      const step = Math.max(stepMs, milliseconds / maxSteps);
      for (let passed = 0; passed < milliseconds; passed += step) await advance(step);
    },
    eventually: (probe) =>
      expect.poll(
        async () => {
          await advance(stepMs);
          return probe();
        },
        { timeout: 50_000, interval: 1 },
      ),
    async stop() {
      ended.abort();
      await clock.advanceUntil(running, stepMs);
      await client.close();
      await cluster.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** On a Thursday, because one walkthrough depends on the time of day. */
const shortlyBeforeNine = Date.UTC(2026, 0, 1, 8, 55);
const stepMs = 500;
/** Long periods pass in longer steps: requests take real time, and little happens in an hour. */
const maxSteps = 600;

export const controllerFlags = {
  'cluster-name': 'dev',
  'interruption-queue': 'dev',
  'disable-leader-election': 'true',
  'metrics-port': '0',
  'health-probe-port': '0',
} as const;

export function collectingLog(lines: LogLine[], now: () => number): JsonLog {
  return new JsonLog({ level: 'debug', now, write: (line) => lines.push(JSON.parse(line)) });
}

type ClusterWorld = Omit<World, 'log' | 'now' | 'pass' | 'eventually' | 'stop'>;

/** The part that is the same for every cluster. */
export function clusterWorld(client: KubeClient): ClusterWorld {
  return {
    client,
    apply: (file) => applyFile(client, file),
    async scale(deployment, replicas) {
      await client.patch(
        kinds.deployment,
        { namespace: 'default', name: deployment },
        { type: 'merge', body: { spec: { replicas } } },
      );
    },
    nodes: async () => (await client.list(kinds.node, { labelSelector: 'karpenter.sh/nodepool' })).items,
    nodeClaims: async () => (await client.list(nodeClaims)).items,
    nodePool: (name) => client.get(nodePools, { name }),
    pods: async (app) =>
      (await client.list(kinds.pod, { namespace: 'default', labelSelector: `app=${app}` })).items,
    events: async (reason) => (await client.list(kinds.event, { fieldSelector: `reason=${reason}` })).items,
  };
}
