import { type ProcessSettings, processSettings, runControllerProcess } from '@karpenter/cli/controller';
import { startSimulatedRun } from '@karpenter/cli/embedded';
import { parseSettings } from '@karpenter/core/api';
import { durationMs } from '@karpenter/core/values';
import {
  type ClusterConfig,
  connect,
  type KubeClient,
  kinds,
  tokenCredentials,
} from '@karpenter/kube/client';
import { systemClock } from '@karpenter/kube/runtime';
import { type ControlPlane, startControlPlane } from '@karpenter/testkit/control-plane';
import { type ExpectStatic, expect as vitestExpect } from 'vitest';
import { type CloudWorld, clusterWorld, collectingLog, type LogLine } from '../walkthroughs/world.ts';
import { type AuditedRequest, auditedRequests } from './audited-requests.ts';
import { chartPaths } from './charts.ts';
import { helmFor } from './helm.ts';
import { withValuesFile } from './rendered-chart.ts';

const namespace = 'kube-system';
const account = 'karpenter';

/** A real control plane with the controllers as the chart installs them. */
export interface ChartWorld extends CloudWorld {
  /** What the controllers requested of the API server so far. */
  requests(): Promise<readonly AuditedRequest[]>;
  /** How a pod of the Deployment reaches the API server. */
  readonly podConfig: ClusterConfig;
  /** Stops the controllers and leaves the cluster as it is. */
  stopControllers(): Promise<void>;
}

interface ChartWorldOptions {
  /** Prepares the cluster that the chart is installed on. */
  readonly before?: (plane: ControlPlane) => Promise<void>;
  /** That of the test, if it runs beside others. */
  readonly expect?: ExpectStatic;
}

/**
 * Installs the chart on a real control plane and runs the controllers with the variables of its Deployment and a token
 * of its service account. Nothing can run the image here, so the Deployment has no replicas and the controllers run in
 * this process; the account of AWS and the kubelets are simulated, as an administrator. Time is real.
 */
export async function chartWorld(
  values: object = {},
  { before, expect = vitestExpect }: ChartWorldOptions = {},
): Promise<ChartWorld> {
  const plane = await startControlPlane({ auditedUser: `system:serviceaccount:${namespace}:${account}` });
  try {
    await before?.(plane);
    await installChart(plane, values);
    return await worldOn(plane, expect);
  } catch (error) {
    await plane.stop();
    throw error;
  }
}

async function worldOn(plane: ControlPlane, expect: ExpectStatic): Promise<ChartWorld> {
  const admin = { server: plane.url, ca: plane.caPem, credentials: tokenCredentials(plane.token) };
  const client = connect(admin, { qps: 1_000, burst: 1_000 });
  const settings = parseSettings(processSettings, [], await environment(client)).settings;
  const pod = await podConfig(plane);
  const controllers = startControllers({ admin, pod, settings });
  return {
    ...clusterWorld(client),
    kubeconfig: plane.kubeconfigPath,
    cloud: controllers.cloud,
    log: controllers.log,
    now: () => Date.now(),
    pass: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    eventually: (probe) => expect.poll(probe, { timeout: 600_000, interval: 500 }),
    requests: () => auditedRequests(plane.directory),
    podConfig: pod,
    stopControllers: controllers.stop,
    async stop() {
      await controllers.stop();
      await client.close();
      await plane.stop();
    },
  };
}

interface Start {
  readonly admin: ClusterConfig;
  readonly pod: ClusterConfig;
  readonly settings: ProcessSettings;
}

/** A machine that is busy with other tests may hold this process up for longer than the default of 10 s. */
const patientElection = { leaseDuration: durationMs(120_000), renewDeadline: durationMs(110_000) };

function startControllers({ admin, pod, settings }: Start) {
  const log: LogLine[] = [];
  const simulation = startSimulatedRun({
    config: admin,
    clusterName: settings.clusterName,
    clock: systemClock,
    log: collectingLog([], () => Date.now()),
  });
  const ended = new AbortController();
  const running = runControllerProcess({
    config: pod,
    settings: { ...settings, metricsPort: 0, healthProbePort: 0 },
    account: simulation.account,
    clock: systemClock,
    election: patientElection,
    log: collectingLog(log, () => Date.now()),
    signal: ended.signal,
  });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    ended.abort();
    await running;
    await simulation.stop();
  };
  return {
    log,
    cloud: simulation.account.cloud,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function installChart({ kubeconfigPath }: ControlPlane, values: object): Promise<void> {
  const helm = await helmFor(kubeconfigPath);
  const set = ['settings.clusterName=dev', 'settings.interruptionQueue=dev', 'replicas=0'].join(',');
  await withValuesFile(values, (file) =>
    helm(
      'install',
      'karpenter',
      chartPaths.karpenter,
      `--namespace=${namespace}`,
      '--set',
      set,
      '--values',
      file,
    ),
  );
  await helm.close();
}

/** The variables of the container that the chart gives a value to. */
async function environment(client: KubeClient): Promise<Readonly<Record<string, string>>> {
  const { spec } = await client.get(kinds.deployment, { namespace, name: 'karpenter' });
  const variables = spec?.template.spec?.containers[0]?.env ?? [];
  return Object.fromEntries(
    variables.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])),
  );
}

/** How a pod of the Deployment reaches the API server: with a token of its account, in its namespace. */
async function podConfig({ url, caPem, kubectl }: ControlPlane): Promise<ClusterConfig> {
  const { code, stdout, stderr } = await kubectl(['create', 'token', account, `--namespace=${namespace}`]);
  if (code !== 0) throw new Error(`no token for ${account}: ${stderr}`);
  return { server: url, ca: caPem, credentials: tokenCredentials(stdout.trim()), namespace };
}
