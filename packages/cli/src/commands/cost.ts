import { type CostGrouping, costReport, type NodeRow } from '@karpenter/core/cluster-view';
import { CodedError } from '@karpenter/core/errors';
import { compileLabelSelector, nearestName, parseLabelSelector } from '@karpenter/core/values';
import type { Clock } from '@karpenter/kube/runtime';
import type { Command } from 'commander';
import {
  type ClusterChoice,
  connectTo,
  listedCluster,
  priceWithoutAws,
  type ViewedCluster,
} from '../cluster-view/index.ts';
import {
  allGroupings,
  type CostResult,
  consolidationSavings,
  costCsv,
  costDocument,
  costText,
  isNodeGrouping,
  type SavingsInputs,
} from '../cost/index.ts';
import { documentText, isDataFormat, outputOption, screenText } from '../output/index.ts';
import type { Terminal } from '../terminal.ts';

interface CostFlags extends ClusterChoice {
  readonly by?: readonly string[];
  readonly namespace?: string;
  readonly nodeSelector?: string;
  readonly consolidation: boolean;
  readonly output: 'table' | 'csv' | 'json' | 'yaml';
}

function printed(result: CostResult, output: CostFlags['output'], terminal: Terminal): string {
  if (isDataFormat(output)) return documentText(costDocument(result), output);
  return output === 'csv' ? costCsv(result) : screenText(costText(result), terminal);
}

const help = `
The price of a node goes to its pods by the share of cpu, memory and accelerators that they request;
what no pod requests is waste. docs/viewing.md has the rule, and where prices come from. A month has 730
hours. Figures add up as printed.

Examples:
  karpenter cost
  karpenter cost --by namespace --by nodepool
  karpenter cost --namespace shop
  karpenter cost -o csv --no-consolidation
`;

export function addCostCommand(program: Command, terminal: Terminal, clock: Clock): void {
  program
    .command('cost')
    .description('show what the nodes of a cluster cost, for which workloads, and what is wasted')
    .option('--kubeconfig <files>', 'the cluster; defaults to KUBECONFIG, then ~/.kube/config')
    .option('--context <name>', 'context of the kubeconfig; defaults to the current one')
    .option(
      '--by <grouping...>',
      `${allGroupings.join(', ')}; several are allowed (default: a summary of all)`,
    )
    .option('--namespace <name>', 'only the workloads of this namespace')
    .option('--node-selector <selector>', 'only nodes with these labels')
    .option('--no-consolidation', 'do not look for what consolidation could still save')
    .addOption(outputOption(['table', 'csv', 'json', 'yaml']))
    .addHelpText('after', help)
    .action((flags: CostFlags) => run(flags, terminal, clock));
}

async function run(flags: CostFlags, terminal: Terminal, clock: Clock): Promise<void> {
  const groupings = groupingsOf(flags);
  const { nodeSelector = '', namespace } = flags;
  const isSelected = compileLabelSelector(
    parseLabelSelector(nodeSelector, '--node-selector'),
    '--node-selector',
  );
  const connection = await connectTo(flags);
  try {
    const note = (text: string) => terminal.err(`karpenter: note: ${text}\n`);
    const cluster = await listedCluster(connection, { priceOf: priceWithoutAws, note });
    if (namespace !== undefined) checkNamespace(cluster, namespace);
    const nodes = [...cluster.view.nodes.values()].filter(({ labels }) => isSelected(labels));
    const report = costReport(cluster.view, nodes);
    const consolidation = await savingsFor(flags, nodes, { connection, clock, note });
    const result = { report, groupings, ...(namespace !== undefined && { namespace }), consolidation };
    terminal.out(printed(result, flags.output, terminal));
  } finally {
    await connection.client.close();
  }
}

/** A reason in place of the savings where they would not fit the rest of the report or cannot be found. */
async function savingsFor(flags: CostFlags, nodes: readonly NodeRow[], inputs: SavingsInputs) {
  if (!flags.consolidation) return '--no-consolidation is set';
  if (flags.namespace !== undefined || flags.nodeSelector !== undefined)
    return 'it is a question about all nodes, and only some are selected';
  if (nodes.every(({ nodePool }) => nodePool === undefined)) return 'no node belongs to a NodePool';
  return consolidationSavings(inputs);
}

function groupingsOf({ by = [], namespace }: CostFlags): readonly CostGrouping[] {
  const groupings = by
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '')
    .map(groupingOf);
  const ofNodes = groupings.find(isNodeGrouping);
  if (namespace !== undefined && ofNodes !== undefined)
    throw invalid(
      '--by',
      ofNodes,
      'a grouping of nodes, which belong to no namespace; leave out --namespace',
    );
  return [...new Set(groupings)];
}

function groupingOf(text: string): CostGrouping {
  const known = allGroupings.find((grouping) => grouping === text);
  if (known !== undefined) return known;
  const nearest = nearestName(text, allGroupings);
  const advice =
    nearest === undefined ? `choose from ${allGroupings.join(', ')}` : `did you mean ${nearest}?`;
  throw invalid('--by', text, `not a grouping; ${advice}`);
}

/** A namespace without pods costs nothing; a mistyped one should not look like one. */
function checkNamespace({ view }: ViewedCluster, namespace: string): void {
  const known = new Set([...view.pods.values()].map((pod) => pod.namespace));
  if (known.has(namespace)) return;
  const nearest = nearestName(namespace, known);
  const advice =
    nearest === undefined
      ? `pods are in ${[...known].sort().join(', ') || 'none'}`
      : `did you mean ${nearest}?`;
  throw invalid('--namespace', namespace, `a namespace without pods; ${advice}`);
}

function invalid(flag: string, value: string, problem: string): CodedError {
  return new CodedError('invalid-setting', `${flag} ${JSON.stringify(value)} is ${problem}`, {
    details: { flag, value },
  });
}
