import { homedir } from 'node:os';
import { join } from 'node:path';
import { CodedError } from '@karpenter/core/errors';
import { type DurationMs, nsToDurationMs, parseDuration } from '@karpenter/core/values';
import { type Command, Option } from 'commander';
import { addSettingOptions, settingArguments } from '../controller/index.ts';
import type { DevCluster, DevPagePlace, LogFormat } from '../dev/dev-cluster.ts';
import { devSettingDefinitions, devSettings } from '../dev/dev-settings.ts';
import { heldOutput, type Terminal } from '../terminal.ts';

const defaultPort = 8443;
const defaultPagePort = 8080;

interface DevFlags {
  readonly port: string;
  readonly uiPort?: string;
  /** False with `--no-ui`. */
  readonly ui: boolean;
  readonly dataDir?: string;
  readonly kubeconfig?: string;
  readonly region?: string;
  readonly seed: string;
  readonly bootDelay: string;
  readonly faults?: string;
  readonly logFormat?: LogFormat;
  readonly metadataPort?: string;
  readonly awsPort?: string;
  readonly empty?: boolean;
  readonly repair?: boolean;
}

/** Resolves when the process should stop: on a signal in production, on demand in tests. */
export type StopRequest = () => Promise<unknown>;

/** What the command needs from outside. */
export interface DevWiring {
  readonly stopRequest: StopRequest;
  /** Where the built page is. */
  readonly pageDirectory: () => string;
}

export function addDevCommand(program: Command, terminal: Terminal, wiring: DevWiring): void {
  const command = program
    .command('dev')
    .description('run a cluster and a simulated AWS account in this process, with the controllers on them')
    .option(
      '--port <port>',
      'where the API server listens on 127.0.0.1; 0 for any free port',
      String(defaultPort),
    )
    .addOption(
      new Option(
        '--ui-port <port>',
        `where the web page is served; 0 for any free port (default: ${defaultPagePort}, or any if that is in use)`,
      ).env('UI_PORT'),
    )
    .option('--no-ui', 'no web page')
    .option('--data-dir <directory>', 'keep the state there; without it the cluster is gone with the process')
    .option(
      '--repair',
      'keep what can be read of a damaged --data-dir, and the damaged files under another name',
    )
    .option('--kubeconfig <file>', 'where to write the kubeconfig')
    .option(
      '--region <region>',
      'AWS region of the simulated account (default: us-west-2, or that of --data-dir)',
    )
    .option('--seed <number>', 'makes what is left to chance repeatable', '1')
    .option('--boot-delay <duration>', 'how long an instance takes from its launch to a ready node', '5s')
    .option('--faults <file>', 'what goes wrong in the simulated cloud; docs/simulated-cloud.md describes it')
    .option(
      '--metadata-port <port>',
      'serve the metadata of each simulated instance on 127.0.0.1, for a termination handler; 0 for any free port',
    )
    .option(
      '--aws-port <port>',
      'serve the simulated AWS account on 127.0.0.1 for the AWS CLI and any SDK; 0 for any free port. Any credentials are accepted: signatures are not verified',
    )
    .addOption(
      new Option(
        '--log-format <format>',
        'text: a line for each event; json: the log of the controllers (default: text on a terminal, else json)',
      ).choices(['text', 'json']),
    )
    .option('--empty', 'no sample objects')
    .addHelpText('after', '\nStops cleanly on Ctrl-C. The state in --data-dir survives even kill -9.\n')
    .action((flags: DevFlags) => {
      const settings = settingArguments(command, devSettingDefinitions);
      return runDev({ ...flags, settings }, terminal, wiring);
    });
  addSettingOptions(command, devSettingDefinitions);
}

async function runDev(
  flags: DevFlags & { readonly settings: readonly string[] },
  terminal: Terminal,
  { stopRequest, pageDirectory }: DevWiring,
): Promise<void> {
  if (flags.repair === true && flags.dataDir === undefined)
    throw new CodedError(
      'invalid-setting',
      '--repair needs the directory to repair; name it with --data-dir',
      {
        details: { flag: '--repair' },
      },
    );
  const { settings, warnings } = devSettings(flags.settings, process.env);
  const { clusterName } = settings;
  const options = {
    settings,
    warnings,
    port: portOf('--port', flags.port),
    dataDir: flags.dataDir,
    kubeconfig: flags.kubeconfig ?? defaultKubeconfig(flags.dataDir, clusterName),
    clusterName,
    region: flags.region,
    seed: integerOf('--seed', flags.seed, { least: 0, most: Number.MAX_SAFE_INTEGER }),
    bootDelay: durationOf(flags.bootDelay),
    faultsFile: flags.faults,
    logFormat: flags.logFormat ?? (terminal.isScreen === true ? 'text' : 'json'),
    isEmpty: flags.empty === true,
    repair: flags.repair === true,
    ...(flags.metadataPort !== undefined && { metadataPort: portOf('--metadata-port', flags.metadataPort) }),
    ...(flags.awsPort !== undefined && { awsPort: portOf('--aws-port', flags.awsPort) }),
  };
  // Installs the signal handlers before the cluster starts, so that Ctrl-C during startup stops it cleanly too.
  const stopped = stopRequest();
  // Imported only here: no other command needs the simulator, and the image for real clusters does not contain it.
  const { startDevCluster } = await import('../dev/dev-cluster.ts');
  const held = heldOutput(terminal);
  const page = flags.ui ? { page: { ...pagePortOf(flags.uiPort), directory: pageDirectory() } } : {};
  const cluster = await startDevCluster({ ...options, ...page }, held.terminal).catch((error: unknown) => {
    held.release();
    throw error;
  });
  terminal.out(`${pageLine(cluster, flags)}${welcome(cluster, options)}`);
  held.release();
  try {
    // `failed` only ever rejects, so the race ends normally on a stop request and throws when the controllers fail.
    await Promise.race([stopped, cluster.failed]);
  } finally {
    await stop(cluster, terminal);
  }
}

/** Also after a failure, so that the data directory is complete and its lock released. */
async function stop(cluster: DevCluster, terminal: Terminal): Promise<void> {
  terminal.out('\nstopping …');
  await cluster.stop().catch((error: unknown) => {
    terminal.out('\n');
    throw error;
  });
  terminal.out(' done\n');
}

/** A file of its own, never `~/.kube/config`: the command must not change the clusters that kubectl already knows. */
function defaultKubeconfig(dataDir: string | undefined, clusterName: string): string {
  return dataDir === undefined
    ? join(homedir(), '.kube', `karpenter-${clusterName}`)
    : join(dataDir, 'kubeconfig');
}

/** A port that was asked for has to be free; the usual one need not be. */
function pagePortOf(text: string | undefined): Pick<DevPagePlace, 'port' | 'orAnyPort'> {
  return text === undefined
    ? { port: defaultPagePort, orAnyPort: true }
    : { port: portOf('--ui-port', text), orAnyPort: false };
}

function pageLine({ page }: DevCluster, { uiPort }: DevFlags): string {
  if (page === undefined) return '';
  if ('problem' in page) return `${page.problem}\n\n`;
  const isMoved = uiPort === undefined && new URL(page.url).port !== String(defaultPagePort);
  const moved = isMoved ? ` (port ${defaultPagePort} is in use)` : '';
  return `The page is at ${page.url}${moved}\n\n`;
}

function portOf(flag: string, text: string): number {
  return integerOf(flag, text, { least: 0, most: 65_535 });
}

interface IntegerRange {
  readonly least: number;
  readonly most: number;
}

function integerOf(flag: string, text: string, { least, most }: IntegerRange): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new CodedError(
    'invalid-setting',
    `${flag} ${JSON.stringify(text)} is not a number from ${least} to ${most}`,
    {
      details: { flag, value: text },
    },
  );
}

function durationOf(text: string): DurationMs {
  const details = { flag: '--boot-delay', value: text };
  try {
    const delay = nsToDurationMs(parseDuration(text));
    if (delay >= 0) return delay;
  } catch (cause) {
    const sentence = `--boot-delay ${JSON.stringify(text)} is not a duration; write 5s or 1m30s`;
    throw new CodedError('invalid-setting', sentence, { details, cause });
  }
  throw new CodedError(
    'invalid-setting',
    `--boot-delay ${JSON.stringify(text)} is negative; write 0s for no delay`,
    { details },
  );
}

function welcome(
  { url, metricsUrl, metadataUrl, aws }: DevCluster,
  { kubeconfig, dataDir, isEmpty }: WelcomeFacts,
): string {
  const state = dataDir === undefined ? 'its state in memory' : `its state in ${dataDir}`;
  const lines = [
    `A Kubernetes cluster runs at ${url}, with two nodes, a simulated AWS account for more, and ${state}.`,
    '',
    `  export KUBECONFIG=${kubeconfig}`,
    '  kubectl get nodepools',
    ...(isEmpty
      ? []
      : ['  kubectl scale deployment inflate --replicas 5', '  kubectl get nodeclaims --watch']),
    '',
    ...(metadataUrl === undefined ? [] : [`Metadata of each instance is at ${metadataUrl}INSTANCE-ID.`]),
    ...awsLines(aws),
    `Metrics are at ${metricsUrl}. Ctrl-C stops it. The log follows.`,
    '',
  ];
  return `${lines.join('\n')}\n`;
}

/** The CLI refuses to start without a region and credentials, which may be any. */
function awsLines(aws: DevCluster['aws']): readonly string[] {
  if (aws === undefined) return [];
  return [
    'The simulated AWS account answers the AWS CLI and any SDK:',
    '',
    `  export AWS_ENDPOINT_URL=${aws.url} AWS_REGION=${aws.region} AWS_DEFAULT_REGION=${aws.region}`,
    '  export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any',
    '  aws ec2 describe-instances',
    // Version 1 of the CLI ignores the variable for SQS.
    `  aws --endpoint-url ${aws.url} sqs list-queues`,
    '',
  ];
}

interface WelcomeFacts {
  readonly kubeconfig: string;
  readonly dataDir: string | undefined;
  readonly isEmpty: boolean;
}
