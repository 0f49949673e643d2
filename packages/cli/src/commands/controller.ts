import { awsServices, callMetrics, discoverRegion } from '@karpenter/aws';
import { JsonLog, MetricRegistry } from '@karpenter/controllers';
import { parseSettings, renderSettingsHelp } from '@karpenter/core/api';
import type { DecisionLog } from '@karpenter/core/decisions';
import { CodedError } from '@karpenter/core/errors';
import type { ClusterConfig } from '@karpenter/kube/client';
import { loadConfig } from '@karpenter/kube/config';
import { systemClock } from '@karpenter/kube/runtime';
import { type Command, Option } from 'commander';
import {
  decisionLog,
  logOutput,
  type ProcessSettings,
  processSettings,
  runControllerProcess,
  simulatedSettings,
} from '../controller/index.ts';
import type { SimulatedRun, SimulatedRunOptions } from '../simulated-account/index.ts';
import type { Terminal } from '../terminal.ts';
import { version } from '../version.ts';
import type { StopRequest } from './dev.ts';

interface ControllerFlags {
  readonly cloud: 'aws' | 'simulated';
  readonly kubeconfig?: string;
}

export type StartSimulatedRun = (options: SimulatedRunOptions) => Promise<SimulatedRun>;

export interface ControllerWiring {
  readonly stopRequest: StopRequest;
  /** Absent from installations without the simulator. */
  readonly startSimulatedRun?: StartSimulatedRun;
  /** Where the built page is; defaults to where this installation has it. */
  readonly pageDirectory?: string;
}

export function addControllerCommand(program: Command, terminal: Terminal, wiring: ControllerWiring): void {
  defineController(program.command('controller'), terminal, wiring);
}

/** Turns a command, or a whole program, into the one that runs the controllers. */
export function defineController(command: Command, terminal: Terminal, wiring: ControllerWiring): void {
  command
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
    .action((flags: ControllerFlags, { args }: Command) =>
      runController({ ...flags, args }, terminal, wiring),
    );
}

async function runController(
  { cloud, kubeconfig, args }: ControllerFlags & { readonly args: readonly string[] },
  terminal: Terminal,
  { stopRequest, startSimulatedRun, pageDirectory }: ControllerWiring,
): Promise<void> {
  // Before anything slow: a SIGTERM while the process starts must still end it cleanly.
  const stopped = stopRequest();
  const { settings, warnings } =
    cloud === 'aws'
      ? parseSettings(processSettings, args, process.env)
      : simulatedSettings({ args, env: process.env });
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
    cloud === 'aws'
      ? await realAccount(registry)
      : await simulatedAccount(startSimulatedRun, { config, settings, log });
  void stopped.then(() => ended.abort());
  const decisions = decisionLog({ settings, clock: systemClock });
  const page = servePage({ settings, kubeconfig, log, decisions, signal: ended.signal }, pageDirectory);
  try {
    await runControllerProcess({
      config,
      settings,
      decisions,
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
    ended.abort();
    await page;
    await cloudRun.stop();
  }
}

interface PageParts {
  readonly settings: ProcessSettings;
  readonly kubeconfig: string | undefined;
  readonly log: JsonLog;
  readonly decisions: DecisionLog;
  readonly signal: AbortSignal;
}

/** Loads the page only where it is asked for. */
async function servePage(
  { settings, kubeconfig, log, decisions, signal }: PageParts,
  directory: string | undefined,
): Promise<void> {
  if (settings.uiPort === 0) return;
  const { loggedDecisions, pageDirectory, runControllerPage } = await import('../page-server/index.ts');
  const choice = kubeconfig === undefined ? {} : { kubeconfig };
  await runControllerPage({
    settings,
    choice,
    directory: directory ?? pageDirectory(),
    clock: systemClock,
    log,
    decisions: loggedDecisions(decisions, `http://127.0.0.1:${settings.metricsPort}`),
    signal,
  });
}

async function realAccount(registry: MetricRegistry) {
  const region = await discoverRegion({ env: process.env, fetch });
  const services = awsServices({ region, version, observer: callMetrics(registry) });
  return { account: { services, region }, stop: async () => undefined };
}

interface SimulatedParts {
  readonly config: ClusterConfig;
  readonly settings: ProcessSettings;
  readonly log: JsonLog;
}

async function simulatedAccount(
  start: StartSimulatedRun | undefined,
  { config, settings: { clusterName }, log }: SimulatedParts,
): Promise<SimulatedRun> {
  if (start !== undefined) return start({ config, clusterName, clock: systemClock, log });
  throw new CodedError(
    'no-simulator',
    'this installation has no simulated cloud; run it from a checkout, or use --cloud aws',
  );
}
