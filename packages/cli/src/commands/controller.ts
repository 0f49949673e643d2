import { awsServices, callMetrics, discoverRegion } from '@karpenter/aws';
import { JsonLog, MetricRegistry } from '@karpenter/controllers';
import { parseSettings, renderSettingsHelp } from '@karpenter/core/api';
import { CodedError } from '@karpenter/core/errors';
import type { ClusterConfig } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import { systemClock } from '@karpenter/kube/runtime';
import { type Command, Option } from 'commander';
import { runControllerProcess } from '../controller/controller-process.ts';
import { keepHeapSmall } from '../controller/heap-growth.ts';
import { logOutput } from '../controller/log-output.ts';
import { type ProcessSettings, processSettings } from '../controller/process-settings.ts';
import type { Terminal } from '../terminal.ts';
import { version } from '../version.ts';
import type { StopRequest } from './dev.ts';

interface ControllerFlags {
  readonly cloud: 'aws' | 'simulated';
  readonly kubeconfig?: string;
}

export function addControllerCommand(program: Command, terminal: Terminal, stopRequest: StopRequest): void {
  program
    .command('controller')
    .description('run the controllers on the cluster of KUBECONFIG or of the pod')
    .addOption(
      new Option('--cloud <cloud>', 'where instances come from').choices(['aws', 'simulated']).default('aws'),
    )
    .option('--kubeconfig <file>', 'the cluster; defaults to KUBECONFIG, then the account of the pod')
    // Settings are flags too, but `parseSettings` reads them: it also knows their environment variables and defaults.
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText(
      'after',
      () => `\nSettings, each also an environment variable:\n${renderSettingsHelp(processSettings)}\n`,
    )
    .action((flags: ControllerFlags, command: Command) =>
      runController(flags, command.args, terminal, stopRequest),
    );
}

async function runController(
  { cloud, kubeconfig }: ControllerFlags,
  args: readonly string[],
  terminal: Terminal,
  stopRequest: StopRequest,
): Promise<void> {
  // Before anything slow: a SIGTERM while the process starts must still end it cleanly.
  const stopped = stopRequest();
  keepHeapSmall();
  const { settings, warnings } = parseSettings(processSettings, args, environmentFor(cloud));
  const log = new JsonLog({
    level: settings.logLevel,
    now: () => systemClock.now(),
    write: logOutput(settings.logOutputPaths, terminal),
  });
  for (const warning of warnings) log.info('setting ignored', { warning });
  const config = await loadConfig(kubeconfig === undefined ? {} : { kubeconfig });
  const ended = new AbortController();
  const registry = new MetricRegistry();
  const cloudRun =
    cloud === 'aws' ? await realAccount(registry) : await simulatedAccount(config, settings, log);
  void stopped.then(() => ended.abort());
  try {
    await runControllerProcess({
      config,
      settings,
      account: cloudRun.account,
      clock: systemClock,
      log,
      registry,
      signal: ended.signal,
      onListening: ({ metricsPort, healthPort }) => {
        log.info('Serving metrics server', { bindAddress: `:${metricsPort}`, secure: false });
        log.info('starting server', { name: 'health probe', addr: `[::]:${healthPort}` });
      },
    });
  } finally {
    await cloudRun.stop();
  }
}

/** The simulated account creates its interruption queue under the cluster name, so both settings default to it. */
function environmentFor(cloud: ControllerFlags['cloud']): NodeJS.ProcessEnv {
  if (cloud === 'aws') return process.env;
  const { CLUSTER_NAME: clusterName = 'dev' } = process.env;
  return { INTERRUPTION_QUEUE: clusterName, ...process.env, CLUSTER_NAME: clusterName };
}

async function realAccount(registry: MetricRegistry) {
  const region = await discoverRegion({ env: process.env, fetch });
  const services = awsServices({ region, version, observer: callMetrics(registry) });
  return { account: { services, region }, stop: async () => undefined };
}

/** Imports the simulator on demand. The image for real clusters does not contain it; the error then says so. */
async function simulatedAccount(config: ClusterConfig, { clusterName }: ProcessSettings, log: JsonLog) {
  try {
    const { startSimulatedRun } = await import('../controller/simulated-run.ts');
    return startSimulatedRun({ config, clusterName, clock: systemClock, log });
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')) throw cause;
    throw new CodedError(
      'no-simulator',
      'this installation has no simulated cloud; run it from a checkout, or use --cloud aws',
      { cause },
    );
  }
}
