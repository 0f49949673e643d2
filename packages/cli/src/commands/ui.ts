import { spawn } from 'node:child_process';
import { CodedError } from '@karpenter/core/errors';
import type { Clock } from '@karpenter/kube/runtime';
import type { Command } from 'commander';
import { type ClusterChoice, type LiveCluster, liveCluster, priceWithoutAws } from '../cluster-view/index.ts';
import { eventDecisions, type PageServer, polledDecisions, startPage } from '../page-server/index.ts';
import { simulateWiring } from '../simulate-wiring.ts';
import type { Terminal } from '../terminal.ts';
import type { StopRequest } from './dev.ts';

/** What the command needs from outside. */
export interface UiWiring {
  readonly clock: Clock;
  readonly stopRequest: StopRequest;
  /** Where the built page is. */
  readonly pageDirectory: () => string;
}

interface UiFlags extends ClusterChoice {
  readonly port: string;
  readonly host: string;
  readonly allowedHost?: readonly string[];
  readonly decisionsUrl?: string;
  readonly open?: boolean;
}

const help = `
The page shows nodes, pods, NodePools, cost and decisions of any cluster, live. It writes nothing to the cluster and
needs the rights that karpenter view needs; docs/page.md has more.

It has no login: whoever reaches the address can read what it shows. It listens on this machine alone by default.

Examples:
  karpenter ui --open
  karpenter ui --context production --port 0
  kubectl -n kube-system port-forward deployment/karpenter 8080 &
  karpenter ui --decisions-url http://127.0.0.1:8080
`;

export function addUiCommand(program: Command, terminal: Terminal, wiring: UiWiring): void {
  program
    .command('ui')
    .description('serve the web page of any cluster')
    .option('--kubeconfig <files>', 'the cluster; defaults to KUBECONFIG, then ~/.kube/config')
    .option('--context <name>', 'context of the kubeconfig; defaults to the current one')
    .option('--port <port>', 'where to listen; 0 for any free port', '8090')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option(
      '--allowed-host <names...>',
      'further names under which the page answers, such as that of a proxy',
    )
    .option(
      '--decisions-url <url>',
      'metrics port of the controller, for its decisions; without it they are read from events',
    )
    .option('--open', 'open the page in a browser')
    .addHelpText('after', help)
    .action((flags: UiFlags) => run(flags, terminal, wiring));
}

async function run(flags: UiFlags, terminal: Terminal, wiring: UiWiring): Promise<void> {
  const port = portOf(flags.port);
  refuseOtherUrls(flags.decisionsUrl);
  const ended = new AbortController();
  const stopped = wiring.stopRequest().then(() => ended.abort());
  const { signal } = ended;
  const { clock } = wiring;
  const cluster = await liveCluster({ choice: flags, priceOf: priceWithoutAws, clock, signal });
  try {
    const page = await serve({ flags, port, cluster, signal }, wiring);
    announce(page, flags, terminal);
    await stopped;
    await page.stop();
  } finally {
    ended.abort();
    await cluster.close();
  }
}

interface Served {
  readonly flags: UiFlags;
  readonly port: number;
  readonly cluster: LiveCluster;
  readonly signal: AbortSignal;
}

function serve(
  { flags, port, cluster, signal }: Served,
  { clock, pageDirectory }: UiWiring,
): Promise<PageServer> {
  const { host, allowedHost = [], decisionsUrl: url, kubeconfig, context } = flags;
  const choice = {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
  };
  return startPage({
    host,
    port,
    allowedHosts: allowedHost,
    portFlag: '--port',
    directory: pageDirectory(),
    clusterName: context ?? cluster.server,
    cluster,
    decisions: url === undefined ? eventDecisions(cluster) : polledDecisions({ url, clock, signal }),
    clock,
    explain: async (subject) => {
      const { answeredSubject } = await import('../explain/index.ts');
      return answeredSubject(choice, subject, clock);
    },
    whatIf: async (question) => {
      const { answeredQuestion } = await import('../what-if/index.ts');
      return answeredQuestion(choice, question, simulateWiring);
    },
  });
}

function announce({ url }: PageServer, { host, open }: UiFlags, terminal: Terminal): void {
  terminal.out(`The page is at ${url}\nCtrl-C stops it.\n`);
  if (!isLoopback(host))
    terminal.err(
      `karpenter: note: the page has no login: whoever reaches ${host} can read the nodes, pods and events of this cluster\n`,
    );
  if (open === true) openBrowser(url, terminal);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** The page is served all the same where no browser can be opened. */
function openBrowser(url: string, { err }: Terminal): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open'];
  const browser = spawn(command, [...args, url], { detached: true, stdio: 'ignore' });
  browser.on('error', ({ message }) => err(`karpenter: note: cannot open a browser: ${message}\n`));
  browser.unref();
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new CodedError('invalid-setting', `--port ${JSON.stringify(text)} is not a number from 0 to 65535`, {
    details: { flag: '--port', value: text },
  });
}

function refuseOtherUrls(text: string | undefined): void {
  if (text === undefined || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))) return;
  throw new CodedError(
    'invalid-setting',
    `--decisions-url ${JSON.stringify(text)} is not an address; write it as http://127.0.0.1:8080`,
    { details: { flag: '--decisions-url', value: text } },
  );
}
