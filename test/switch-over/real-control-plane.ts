import {
  installDefinitions,
  runControllerProcess,
  settingsWith,
  startSimulatedRun,
} from '@karpenter/cli/embedded';
import { durationMs } from '@karpenter/core/values';
import { connect, tokenCredentials } from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { startControlPlane } from '@karpenter/testkit/control-plane';
import { expect } from 'vitest';
import {
  clusterWorld,
  collectingLog,
  controllerFlags,
  type LogLine,
  type World,
} from '../walkthroughs/world.ts';
import type { KarpenterCluster } from './karpenter-cluster.ts';

/** A real control plane with a simulated account, whose controllers start when a test says so. Time is real. */
export interface RealSwitchOver extends World, KarpenterCluster {
  /** Starts the controllers with leader election; the result stops them. */
  startControllers(): () => Promise<void>;
}

/** A machine that is busy with other tests may hold this process up for longer than the default of 10 s. */
const patientElection = { leaseDuration: durationMs(120_000), renewDeadline: durationMs(110_000) };
const pass = (milliseconds: number): Promise<void> => systemClock.sleep(durationMs(milliseconds));

export async function realSwitchOver(): Promise<RealSwitchOver> {
  const plane = await startControlPlane();
  const config = { server: plane.url, ca: plane.caPem, credentials: tokenCredentials(plane.token) };
  const client = connect(config, { qps: 1_000, burst: 1_000 });
  const log: LogLine[] = [];
  const now = () => Date.now();
  await installDefinitions(client);
  const simulation = startSimulatedRun({
    config,
    clusterName: 'dev',
    clock: systemClock,
    log: collectingLog([], now),
  });
  return {
    ...clusterWorld(client),
    cluster: { account: simulation.account, config },
    clock: { now, advance: pass },
    log,
    now,
    pass,
    eventually: (probe) => expect.poll(probe, { timeout: 90_000, interval: 250 }),
    startControllers() {
      const ended = new AbortController();
      const running = runControllerProcess({
        config,
        settings: settingsWith({ ...controllerFlags, 'disable-leader-election': 'false' }),
        account: simulation.account,
        clock: systemClock,
        election: patientElection,
        log: collectingLog(log, now),
        signal: ended.signal,
      });
      return async () => {
        ended.abort();
        await running;
      };
    },
    async stop() {
      await simulation.stop();
      await client.close();
      await plane.stop();
    },
  };
}
