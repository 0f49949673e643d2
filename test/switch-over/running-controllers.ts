import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type EmbeddedCluster,
  runControllerProcess,
  settingsWith,
  startEmbeddedCluster,
} from '@karpenter/cli/embedded';
import { durationMs } from '@karpenter/core/values';
import { connect } from '@karpenter/kube/client';
import { noFaults } from '@karpenter/sim/cloud';
import { VirtualClock } from '@karpenter/testkit/clock';
import { expect } from 'vitest';
import {
  clusterWorld,
  collectingLog,
  controllerFlags,
  type LogLine,
  type World,
} from '../walkthroughs/world.ts';
import { inSmallRegion } from '../workspace/crash/small-region.ts';

const bootDelay = durationMs(5_000);
const stepMs = 500;

/** An embedded cluster on a virtual clock, whose controllers start when a test says so. */
export interface SwitchOverCluster extends World {
  readonly clock: VirtualClock;
  readonly cluster: EmbeddedCluster;
  /** Starts the controllers, with leader election unless flags say otherwise; the result stops them. */
  startControllers(flags?: Readonly<Record<string, string>>): () => Promise<void>;
}

export async function switchOverCluster(): Promise<SwitchOverCluster> {
  const clock = new VirtualClock();
  const directory = mkdtempSync(join(tmpdir(), 'karpenter-switch-over-'));
  const cluster = await startEmbeddedCluster({
    kubeconfig: join(directory, 'kubeconfig'),
    bootDelay,
    faults: { throttling: 'off', boots: { ...noFaults.boots, delay: bootDelay, jitter: 0 } },
    clock,
  });
  const client = connect(cluster.config, { qps: 10_000, burst: 10_000 });
  const log: LogLine[] = [];
  return {
    ...clusterWorld(client),
    clock,
    cluster,
    log,
    now: () => clock.now(),
    startControllers(flags = {}) {
      const ended = new AbortController();
      const running = runControllerProcess({
        config: cluster.config,
        settings: settingsWith({ ...controllerFlags, 'disable-leader-election': 'false', ...flags }),
        account: { services: inSmallRegion(cluster.account.services), region: cluster.account.region },
        clock,
        log: collectingLog(log, () => clock.now()),
        signal: ended.signal,
      });
      return async () => {
        ended.abort();
        await clock.advanceUntil(running, stepMs);
      };
    },
    eventually: (probe) =>
      expect.poll(
        async () => {
          await clock.advance(stepMs);
          return probe();
        },
        { timeout: 50_000, interval: 5 },
      ),
    async pass(milliseconds) {
      for (let passed = 0; passed < milliseconds; passed += 5_000) await clock.advance(5_000);
    },
    async stop() {
      await client.close();
      await cluster.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
