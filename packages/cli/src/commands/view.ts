import { homedir } from 'node:os';
import { join } from 'node:path';
import { keptReason, type NodeRow, type PriceOf } from '@karpenter/core/cluster-view';
import type { Clock } from '@karpenter/kube/runtime';
import { type Command, Option } from 'commander';
import { connectTo, listedCluster, liveCluster, noPrice, priceWithoutAws } from '../cluster-view/index.ts';
import type { Terminal } from '../terminal.ts';
import { version } from '../version.ts';
import {
  colourDepth,
  columnNames,
  type OneShotFormat,
  oneShotWriters,
  parseViewSettings,
  readConfigFile,
  runSession,
  thirdPartyNotices,
  type ViewSettings,
  type ViewTerminal,
  viewModel,
} from '../view/index.ts';
import type { StopRequest } from './dev.ts';

/** What the command needs from outside. */
export interface ViewWiring {
  readonly clock: Clock;
  readonly stopRequest: StopRequest;
  /** Undefined where no screen can be shown; the nodes are then printed once. */
  readonly screen: () => ViewTerminal | undefined;
}

type ViewFlags = Readonly<Record<string, string | boolean | undefined>>;

/** Flags that the config file and Go's single dash know. */
export const viewFlagNames: ReadonlySet<string> = new Set([
  'attribution',
  'context',
  'disable-pricing',
  'extra-labels',
  'kubeconfig',
  'node-selector',
  'node-sort',
  'resources',
  'style',
  'version',
  'columns',
  'group-by',
  'output',
  'help',
]);

const help = `
Keys: right, l, PageDown next page; left, h, PageUp previous page; / search; g group by NodePool;
      c choose columns; q, Esc, Ctrl-C quit

Columns: ${columnNames.join(', ')}
  kept is why Karpenter keeps a node: do-not-disrupt annotations, else its last event about the node

Computed labels for --extra-labels and --node-sort:
  eks-node-viewer/node-age, eks-node-viewer/node-<resource>-usage

Prices come from the label eks-node-viewer/instance-price, else from the built-in catalogue; ~ marks an
estimate. docs/viewing.md says how. Without a terminal, or with -o, the nodes are printed once.

The file ~/.eks-node-viewer may set flags, as lines of name=value. Flags may have one dash or two.
`;

export function addViewCommand(program: Command, terminal: Terminal, wiring: ViewWiring): void {
  program
    .command('view')
    .description('show nodes with what their pods request of them, and their prices, live')
    .option('--kubeconfig <files>', 'the cluster; defaults to KUBECONFIG, then ~/.kube/config')
    .option('--context <name>', 'context of the kubeconfig; defaults to the current one')
    .option('--resources <names>', 'resources to show (default: cpu)')
    .option('--node-selector <selector>', 'only nodes with these labels')
    .option('--node-sort <order>', 'creation or a label key, with =asc or =dsc (default: creation=dsc)')
    .option('--extra-labels <keys>', 'labels to show as further columns')
    .option('--columns <names>', 'the columns to show, in this order')
    .option(
      '--group-by <label>',
      'nodepool, zone, capacity-type, instance-type or a label key, with subtotals',
    )
    .option('--disable-pricing [bool]', 'show no prices')
    .option('--style <colours>', 'colours for good, ok and bad (default: #04B575,#FFFF00,#FF0000)')
    .addOption(
      new Option('-o, --output <format>', 'print once').choices([
        'table',
        'wide',
        'csv',
        'json',
        'jsonl',
        'yaml',
      ]),
    )
    .option('--attribution', 'print third-party notices')
    .option('-v', 'print the version')
    .addHelpText('after', help)
    .action((flags: ViewFlags) => run(flags, terminal, wiring));
}

async function run(flags: ViewFlags, terminal: Terminal, wiring: ViewWiring): Promise<void> {
  if (flags['v'] === true) return terminal.out(`version: ${version}\n`);
  if (flags['attribution'] === true) return terminal.out(thirdPartyNotices());
  const file = await readConfigFile(join(homedir(), '.eks-node-viewer'));
  const settings = parseViewSettings(flagTexts(flags), file, process.env);
  const screen = flags['output'] === undefined ? wiring.screen() : undefined;
  const format = (flags['output'] ?? 'table') as OneShotFormat;
  if (screen === undefined) await printOnce(format, settings, { terminal, clock: wiring.clock });
  else await showLive(settings, screen, wiring);
}

/** Flags by their name on the command line; a flag without a value is true. */
function flagTexts(flags: ViewFlags): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(flags).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), String(value)]],
    ),
  );
}

async function printOnce(
  format: OneShotFormat,
  settings: ViewSettings,
  { terminal, clock }: { readonly terminal: Terminal; readonly clock: Clock },
): Promise<void> {
  const connection = await connectTo(settings);
  try {
    const { view, events } = await listedCluster(connection, {
      priceOf: pricesOf(settings),
      withEvents: format !== 'table' || settings.columns.includes('kept'),
      note: (text) => terminal.err(`karpenter: note: ${text}\n`),
    });
    const now = clock.now();
    const context = {
      now,
      keptReason: (node: NodeRow) => keptReason(node, { pods: view.pods, events, now }),
    };
    terminal.out(oneShotWriters[format]({ model: viewModel(view, settings), settings, context }));
  } finally {
    await connection.client.close();
  }
}

async function showLive(
  settings: ViewSettings,
  screen: ViewTerminal,
  { clock, stopRequest }: ViewWiring,
): Promise<void> {
  const ended = new AbortController();
  void stopRequest().then(() => ended.abort());
  const { signal } = ended;
  const cluster = await liveCluster({ choice: settings, priceOf: pricesOf(settings), clock, signal });
  try {
    const paint = { palette: settings.palette, depth: colourDepth(process.env) };
    await runSession({ cluster, settings, terminal: screen, paint, clock, signal });
  } finally {
    ended.abort();
    await cluster.close();
  }
}

function pricesOf({ isPricing }: ViewSettings): PriceOf {
  return isPricing ? priceWithoutAws : noPrice;
}
