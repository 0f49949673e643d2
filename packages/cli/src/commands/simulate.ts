import { writeFile } from 'node:fs/promises';
import { CodedError } from '@karpenter/core/errors';
import { savedClusterText } from '@karpenter/core/saved-cluster';
import { type Command, Option } from 'commander';
import {
  type Choices,
  defaultConstraintsOf,
  jsonLine,
  type PlanSimulation,
  type Policies,
  planTable,
  planYaml,
  readInput,
  type Simulated,
  type SimulationPorts,
  simulate,
  simulationsOf,
} from '../simulate/index.ts';
import type { Terminal } from '../terminal.ts';

type OutputFormat = 'table' | 'json' | 'yaml';

interface SimulateFlags extends Policies {
  readonly filename: readonly string[];
  readonly output: OutputFormat;
  readonly save?: string;
  readonly schedulerConfig?: string;
}

/** What the command needs from outside. Notes are left out, because the command writes them to its terminal. */
export interface SimulateWiring extends Omit<SimulationPorts, 'note'> {
  readonly readStdin: () => Promise<string>;
}

const writers: Readonly<Record<OutputFormat, (simulated: Simulated) => string>> = {
  table: planTable,
  json: jsonLine,
  yaml: planYaml,
};

const help = `
Files, in YAML or JSON:
  Kubernetes manifests  NodePools, NodeClaims, Nodes, Pods, Deployments, ReplicaSets, StatefulSets,
                        Jobs, ReplicationControllers, DaemonSets, NodeOverlays, CapacityBuffers and
                        their PodTemplates, Services, PersistentVolumeClaims, PersistentVolumes,
                        StorageClasses, CSINodes, PodDisruptionBudgets, Namespaces, and Lists of them;
                        all files together are one cluster. Pods with spec.nodeName run already.
                        Overlays and buffers count as if their feature gates were on. Instance types
                        are those of the built-in EC2 catalogue, at its on-demand prices and spot at
                        35 % of them.
  saved clusters        written by --save; give the same plan again
  benchmark scenarios   each its own cluster with its own instance types

Output:
  table  new nodes by NodePool and cheapest type, how full they are, why the most expensive were
         chosen, and what has no place or is ignored and why
  json   one line for each cluster: pods, placed, failed, onExisting, nodes, hourlyPrice, seconds and
         errors by pod; ignored, held, buffers and overlays where there are any; but for scenarios also
         every new node with why it was chosen
  yaml   the whole plan: every node with its requirements, types and pods, every reason

Examples:
  karpenter simulate -f nodepool.yaml -f deployment.yaml
  kubectl get nodepools,nodeclaims,nodes,pods,pvc,pv,sc,csinodes,pdb -A -o json | karpenter simulate -f -
  karpenter simulate -f cluster.yaml -o yaml --save cluster.json
  karpenter simulate -f scenario-a.json scenario-b.json -o json
`;

export function addSimulateCommand(program: Command, terminal: Terminal, wiring: SimulateWiring): void {
  program
    .command('simulate')
    .description('plan nodes for the pods of files; nothing is changed anywhere')
    .requiredOption('-f, --filename <file...>', 'what to plan for; - is standard input')
    .addOption(
      new Option('-o, --output <format>', 'how to print the plan')
        .choices(['table', 'json', 'yaml'])
        .default('table'),
    )
    .addOption(
      new Option(
        '--preference-policy <policy>',
        'whether preferences of pods are followed (default: as the input says, else Respect)',
      ).choices(['Respect', 'Ignore']),
    )
    .addOption(
      new Option(
        '--min-values-policy <policy>',
        'whether minValues of NodePools must be met (default: as the input says, else Strict)',
      ).choices(['Strict', 'BestEffort']),
    )
    .option(
      '--scheduler-config <yaml>',
      'default topology spread of pods in manifests, as the setting of the controller',
    )
    .option('--save <file>', 'write the cluster that was planned, without secrets, to plan it again later')
    .addHelpText('after', help)
    .action((flags: SimulateFlags) => run(flags, terminal, wiring));
}

/**
 * Reads and checks all files first, then builds, plans and prints one cluster at a time: the snapshot of a large
 * benchmark scenario takes much memory, and the output of the first need not wait for the last.
 */
async function run(flags: SimulateFlags, terminal: Terminal, wiring: SimulateWiring): Promise<void> {
  const ports = { ...wiring, note: (text: string) => terminal.err(`karpenter: note: ${text}\n`) };
  const files = [];
  for (const path of flags.filename) files.push(await readInput(path, wiring.readStdin));
  const pending = simulationsOf(files, ports, choicesOf(flags));
  if (flags.save !== undefined && pending.length > 1) throw severalToSave(flags.save, pending.length);
  for (const [index, prepare] of pending.entries()) {
    const simulation = await prepare();
    if (flags.save !== undefined) await save(flags.save, simulation);
    const isFollowing = index > 0 && flags.output === 'table';
    terminal.out(`${isFollowing ? '\n' : ''}${writers[flags.output](simulate(simulation, ports))}`);
  }
}

/** Leaves out absent flags, so that the input (a scenario or a saved cluster) decides where the user does not. */
function choicesOf({ preferencePolicy, minValuesPolicy, schedulerConfig }: SimulateFlags): Choices {
  return {
    policies: {
      ...(preferencePolicy !== undefined && { preferencePolicy }),
      ...(minValuesPolicy !== undefined && { minValuesPolicy }),
    },
    defaultConstraints: schedulerConfig === undefined ? [] : defaultConstraintsOf(schedulerConfig),
  };
}

function severalToSave(path: string, clusters: number): CodedError {
  return new CodedError(
    'unwritable-file',
    `cannot write ${path}: --save keeps one cluster and the files hold ${clusters}; name one of them`,
  );
}

function scenarioToSave(path: string, source: string): CodedError {
  return new CodedError(
    'unwritable-file',
    `cannot write ${path}: ${source} is a benchmark scenario, which gives the same plan each time; keep that file instead`,
  );
}

async function save(path: string, { captured, source }: PlanSimulation): Promise<void> {
  if (captured === undefined) throw scenarioToSave(path, source);
  try {
    await writeFile(path, savedClusterText(captured));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CodedError('unwritable-file', `cannot write ${path}: ${reason}`, {
      details: { path },
      cause: error,
    });
  }
}
