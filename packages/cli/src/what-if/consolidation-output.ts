import { type Command, decisionOf, isPlanned, type NewNode } from '@karpenter/core/disruption';
import type { FoundConsolidation } from '../consolidation/index.ts';
import { columnLines, type OutputColumn } from '../output/index.ts';
import { counted, dollars, rounded, savedBy } from './price-output.ts';

/** What consolidation would do, as data. */
export function consolidationDocument({ commands, candidates }: FoundConsolidation): object {
  return {
    candidates,
    hourlySavings: rounded(savedBy(commands)),
    commands: commands.map((command) => ({
      reason: command.reason,
      decision: decisionOf(command),
      nodes: namesOf(command),
      replacements: command.replacements.map(replacementDocument),
      hourlySavings: rounded(command.savings),
    })),
  };
}

function replacementDocument(node: NewNode): object {
  const { nodePool } = node;
  return isPlanned(node)
    ? { nodePool, instanceTypes: node.instanceTypes, price: node.price, pods: node.pods.length }
    : { nodePool };
}

const columns: readonly OutputColumn[] = [
  { title: 'CONSOLIDATION', align: 'left' },
  { title: 'NODES', align: 'left', maxWidth: 45 },
  { title: 'REPLACED BY', align: 'left', maxWidth: 30 },
  { title: 'SAVES $/H', align: 'right' },
];

export function consolidationLines({ commands, candidates }: FoundConsolidation): readonly string[] {
  const considered = `${counted(candidates, 'node')} can be disrupted`;
  if (commands.length === 0) return [`Consolidation finds nothing to save: ${considered}.`];
  const rows = commands.map((command) => [
    command.reason,
    namesOf(command).join(', '),
    command.replacements.map(replacementText).join(', ') || '-',
    command.savings.toFixed(4),
  ]);
  const nodes = commands.reduce((sum, command) => sum + command.candidates.length, 0);
  return [
    ...columnLines(columns, rows),
    `Consolidation without budgets disrupts ${counted(nodes, 'node')} and saves ${dollars(savedBy(commands))} an hour: ${considered}.`,
  ];
}

function namesOf({ candidates }: Command): readonly string[] {
  return candidates.map(({ name }) => name);
}

function replacementText(node: NewNode): string {
  return isPlanned(node) ? `${node.nodePool} ${node.instanceTypes[0] ?? ''}` : `${node.nodePool} replica`;
}
