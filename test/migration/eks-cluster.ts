import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { controllerPolicies, migrationPolicy, policyScope } from '@karpenter/aws/iam-policies';
import type { AwsServices } from '@karpenter/aws/ports';
import {
  addMigrateCommand,
  newProgram,
  runControllerProcess,
  runProgram,
  settingsWith,
  simulateWiring,
  startEmbeddedCluster,
} from '@karpenter/cli/embedded';
import { JsonLog } from '@karpenter/controllers';
import { durationMs } from '@karpenter/core/values';
import { connect, type KubeClient, kinds } from '@karpenter/kube/client';
import { noFaults, type SimulatedCloud } from '@karpenter/sim/cloud';
import { VirtualClock } from '@karpenter/testkit/clock';
import { controllerFlags } from '../walkthroughs/world.ts';
import { createGroups, fiveGroups, type TestGroup } from './node-groups.ts';
import { deploy, deployAutoscaler, limitDisruption, type TestWorkload, workloads } from './workloads.ts';

/** An EKS cluster with node groups and Cluster Autoscaler, and the controllers running beside it. */
export interface EksCluster {
  readonly client: KubeClient;
  readonly cloud: SimulatedCloud;
  readonly services: AwsServices;
  readonly clock: VirtualClock;
  /** Runs a command line of `karpenter migrate` while time passes. */
  migrate(...args: readonly string[]): Promise<CommandResult>;
  /** Lets time pass until the work is done, calling the observer every second. */
  during<T>(work: Promise<T>, observe?: () => Promise<void>): Promise<T>;
  until(probe: () => Promise<boolean>): Promise<void>;
  stop(): Promise<void>;
}

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface EksClusterOptions {
  readonly groups?: readonly TestGroup[];
  readonly workloads?: readonly TestWorkload[];
  /** Called every virtual second of a command. */
  readonly observe?: () => Promise<void>;
}

const clusterName = 'dev';
const stepMs = 1_000;
const turns = 25;
const maxSteps = 20_000;

export async function startEksCluster(options: EksClusterOptions = {}): Promise<EksCluster> {
  const clock = new VirtualClock();
  const directory = mkdtempSync(join(tmpdir(), 'karpenter-migration-'));
  const kubeconfig = join(directory, 'kubeconfig');
  const embedded = await startEmbeddedCluster({
    kubeconfig,
    clock,
    bootDelay: durationMs(5_000),
    faults: { throttling: 'off', boots: { ...noFaults.boots, delay: 5_000, jitter: 0 } },
  });
  const { cloud, services, region } = embedded.account;
  cloud.enforcePolicies(undefined);
  await createGroups(cloud, services, options.groups ?? fiveGroups);
  // From here on, only what the documented policies allow: those of the controller and that of the migration.
  const scope = policyScope({ partition: 'aws', region, accountId: cloud.world.accountId, clusterName });
  cloud.enforcePolicies([
    ...controllerPolicies(scope).map(({ document }) => document),
    migrationPolicy(scope),
  ]);
  const client = connect(embedded.config, { qps: 5_000, burst: 5_000 });
  const ended = new AbortController();
  const running = runControllerProcess({
    config: embedded.config,
    settings: settingsWith({ ...controllerFlags, 'feature-gates': 'StaticCapacity=true' }),
    account: { services, region },
    clock,
    log: new JsonLog({ level: 'error', now: () => clock.now(), write: () => undefined }),
    signal: ended.signal,
  });
  const during = <T>(work: Promise<T>, observe?: () => Promise<void>) => passing(clock, work, observe);
  const until = async (probe: () => Promise<boolean>) => {
    for (let step = 0; step < maxSteps; step += 1) {
      if (await probe()) return;
      await pass(clock);
    }
    throw new Error('what was waited for did not happen');
  };
  const cluster: EksCluster = {
    client,
    cloud,
    services,
    clock,
    during,
    until,
    migrate: (...args) => during(commandResult(args, { kubeconfig, services, clock }), options.observe),
    async stop() {
      ended.abort();
      await during(running);
      await client.close();
      await embedded.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
  await populate(cluster, options);
  return cluster;
}

async function populate(cluster: EksCluster, options: EksClusterOptions): Promise<void> {
  const { client, cloud, until } = cluster;
  await deployAutoscaler(client);
  const wanted = [...cloud.world.autoScalingGroups.values()].reduce((sum, { desired }) => sum + desired, 0);
  await until(async () => {
    const { items } = await client.list(kinds.node);
    const ready = items.filter(({ status }) =>
      (status?.conditions ?? []).some(({ type, status: value }) => type === 'Ready' && value === 'True'),
    );
    return ready.length >= wanted + 2;
  });
  for (const workload of options.workloads ?? workloads) await deploy(client, workload);
  if ((options.workloads ?? workloads).some(({ name }) => name === 'web'))
    await limitDisruption(client, 'web', 1);
  await until(() => areAllReady(client));
}

export async function areAllReady(client: KubeClient): Promise<boolean> {
  const { items } = await client.list(kinds.deployment);
  return items.every(({ spec, status }) => (status?.readyReplicas ?? 0) === (spec?.replicas ?? 1));
}

interface CommandWorld {
  readonly kubeconfig: string;
  readonly services: AwsServices;
  readonly clock: VirtualClock;
}

async function commandResult(
  args: readonly string[],
  { kubeconfig, services, clock }: CommandWorld,
): Promise<CommandResult> {
  const written = { out: [] as string[], err: [] as string[] };
  const terminal = {
    out: (text: string) => void written.out.push(text),
    err: (text: string) => void written.err.push(text),
  };
  const program = newProgram('karpenter', terminal);
  addMigrateCommand(program, terminal, {
    accountOf: () => services,
    clock,
    planning: { ...simulateWiring, clock: { now: () => clock.now(), monotonic: () => clock.monotonic() } },
    readStdin: async () => '',
    stopRequest: () => new Promise(() => undefined),
  });
  const [step = '', ...rest] = args;
  const flags = ['--cluster-name', clusterName, '--region', 'us-west-2', '--kubeconfig', kubeconfig];
  const code = await runProgram(program, ['migrate', step, ...flags, ...rest], terminal);
  return { code, out: written.out.join(''), err: written.err.join('') };
}

async function passing<T>(clock: VirtualClock, work: Promise<T>, observe?: () => Promise<void>): Promise<T> {
  let isDone = false;
  const finish = () => {
    isDone = true;
  };
  void work.then(finish, finish);
  for (let step = 0; !isDone && step < maxSteps; step += 1) {
    await pass(clock);
    await observe?.();
  }
  if (!isDone) throw new Error('the work did not end');
  return work;
}

/** Requests take real time: turns of the event loop pass before the clock moves on. */
async function pass(clock: VirtualClock): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
  await clock.advance(stepMs);
}
