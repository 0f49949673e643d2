import { writeFile } from 'node:fs/promises';
import { CodedError } from '@karpenter/core/errors';
import { savedClusterText } from '@karpenter/core/saved-cluster';
import { type Command, CommanderError, Option } from 'commander';
import type { ClusterChoice } from '../cluster-view/index.ts';
import { unwritable } from '../file-errors.ts';
import { documentText, outputOption, widthOf } from '../output/index.ts';
import { regionHelp } from '../region/index.ts';
import {
  type Choices,
  comparedSimulations,
  comparisonWriters,
  defaultConstraintsOf,
  type InputFile,
  type PlanSimulation,
  type Policies,
  planDocument,
  planTable,
  planYaml,
  readInput,
  type Simulated,
  type SimulationPorts,
  simulate,
  simulationsOf,
  unplacedPods,
} from '../simulate/index.ts';
import type { Terminal } from '../terminal.ts';

type OutputFormat = 'table' | 'wide' | 'json' | 'jsonl' | 'yaml';

interface SimulateFlags extends Policies, ClusterChoice {
  readonly filename?: readonly string[];
  readonly add?: readonly string[];
  readonly set?: readonly string[];
  readonly removeNode?: readonly string[];
  readonly consolidate?: boolean;
  readonly against?: readonly string[];
  readonly region?: string;
  readonly exitCode?: boolean;
  readonly output: OutputFormat;
  readonly save?: string;
  readonly schedulerConfig?: string;
}

/** What the command needs from outside. Notes are left out, because the command writes them to its terminal. */
export interface SimulateWiring extends Omit<SimulationPorts, 'note'> {
  readonly readStdin: () => Promise<string>;
}

type Writer = (simulated: Simulated, width: number | undefined) => string;

const writers: Readonly<Record<OutputFormat, Writer>> = {
  table: (simulated, width) => planTable(simulated, { width }),
  wide: (simulated, width) => planTable(simulated, { width, isWide: true }),
  // Of a scenario always one line, which benchmarks read.
  json: (simulated) =>
    documentText(planDocument(simulated), simulated.kind === 'scenario' ? 'jsonl' : 'json'),
  jsonl: (simulated) => documentText(planDocument(simulated), 'jsonl'),
  yaml: (simulated) => planYaml(simulated),
};

const exitCodeOfUnplacedPods = 2;

const help = `
Without -f, the live cluster of the kubeconfig is planned: it is read once and nothing is written to it.
  --add          applies manifests to the copy; a workload that exists is scaled, its pods stay as they are
  --set          sets a field of a NodePool, such as nodepool/default:spec.limits.cpu=100; null removes it
  --remove-node  takes a node away; its pods need another place, and pods that cannot be evicted are named
  --consolidate  shows what consolidation would do afterwards if no budget limited it
  Instance types are those of the built-in catalogue that the EC2NodeClasses allow. Capacity reservations
  count as used up. The output adds the price of the cluster before and after and every pod that moves.

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
  wide   the same with the zones of new nodes and the number of their types
  json   pods, placed, failed, onExisting, nodes, hourlyPrice, seconds and errors by pod; ignored, held,
         buffers and overlays where there are any; but for scenarios, which get one line each, also every
         new node with why it was chosen
  jsonl  the same, one line for each cluster
  yaml   the whole plan: every node with its requirements, types and pods, every reason

Manifests are checked as an API server checks them: unknown fields, wrong types and unusable values are
refused. Objects with a uid were accepted by an API server already.

--against plans the manifests of -f a second time, with its objects in place of all objects of their kinds,
and compares: nodes, price and every pod that moves to another NodePool, type or node.

Exit codes: 0 planned; 1 the input cannot be planned; 2 a wrong flag, or with --exit-code pods without a
place (with --against: in the second plan).

Examples:
  karpenter simulate --remove-node ip-10-0-1-7.ec2.internal
  karpenter simulate --add deployment.yaml --set nodepool/default:spec.limits.cpu=100 -o json
  karpenter simulate --consolidate
  karpenter simulate -f nodepool.yaml -f deployment.yaml --exit-code
  karpenter simulate -f nodepool.yaml -f deployment.yaml --against other-nodepool.yaml
  kubectl get nodepools,nodeclaims,nodes,pods,pvc,pv,sc,csinodes,pdb -A -o json | karpenter simulate -f -
  karpenter simulate -f cluster.yaml -o yaml --save cluster.json
  karpenter simulate -f scenario-a.json scenario-b.json -o json
`;

export function addSimulateCommand(program: Command, terminal: Terminal, wiring: SimulateWiring): void {
  program
    .command('simulate')
    .description('plan nodes for the pods of files or of a live cluster; nothing is changed anywhere')
    .option('-f, --filename <file...>', 'what to plan for; - is standard input (default: the live cluster)')
    .option('--kubeconfig <files>', 'the live cluster; defaults to KUBECONFIG, then ~/.kube/config')
    .option('--context <name>', 'context of the kubeconfig; defaults to the current one')
    .option(
      '--add <file...>',
      'what if these manifests were applied to the live cluster; - is standard input',
    )
    .option('--set <nodepool/NAME:spec.FIELD=VALUE...>', 'what if a NodePool had this field')
    .option('--remove-node <name...>', 'what if this node went away')
    .option('--consolidate', 'show what consolidation would do, without budgets')
    .option('--against <file...>', 'compare with a plan that has these objects, such as other NodePools')
    .option('--region <region>', regionHelp)
    .option('--exit-code', `exit with ${exitCodeOfUnplacedPods} when pods have no place`)
    .addOption(outputOption(['table', 'wide', 'json', 'jsonl', 'yaml'], 'how to print the plan'))
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
    .action((flags: SimulateFlags) => run(flags, { terminal, wiring }));
}

interface SimulateContext {
  readonly terminal: Terminal;
  readonly wiring: SimulateWiring;
}

async function run(flags: SimulateFlags, context: SimulateContext): Promise<void> {
  const unplaced = await planned(flags, context);
  if (flags.exitCode === true && unplaced > 0)
    throw new CommanderError(exitCodeOfUnplacedPods, 'karpenter.unplaced', 'pods have no place');
}

/** Plans and prints, and returns how many pods have no place. */
async function planned(flags: SimulateFlags, context: SimulateContext): Promise<number> {
  const { filename, against } = flags;
  if (against !== undefined) return runComparison(against, flags, context);
  return filename === undefined ? runLive(flags, context) : runFiles(filename, flags, context);
}

async function runComparison(
  against: readonly string[],
  flags: SimulateFlags,
  { terminal, wiring }: SimulateContext,
): Promise<number> {
  if (flags.filename === undefined)
    throw unusableAgainst('compares manifests; name those of the first plan with -f');
  if (flags.save !== undefined)
    throw unusableAgainst('makes two plans, and --save keeps one; leave out one of the two');
  refuseLiveFlags(flags);
  const files = await readInputs(flags.filename, wiring);
  const others = await readInputs(against, wiring);
  const ports = portsOf({ terminal, wiring });
  const compared = await comparedSimulations({ files, against: others }, ports, choicesOf(flags));
  terminal.out(comparisonWriters[flags.output](compared, widthOf(terminal)));
  return unplacedPods(compared.after);
}

function unusableAgainst(why: string): CodedError {
  return new CodedError('invalid-setting', `--against ${why}`, { details: { flag: '--against' } });
}

function portsOf({ terminal, wiring }: SimulateContext): SimulationPorts {
  return { ...wiring, note: (text: string) => terminal.err(`karpenter: note: ${text}\n`) };
}

async function readInputs(
  paths: readonly string[],
  { readStdin }: SimulateWiring,
): Promise<readonly InputFile[]> {
  const files = [];
  for (const path of paths) files.push(await readInput(path, readStdin));
  return files;
}

/** Imports what reads a cluster only here: files are planned without waiting for it to load. */
async function runLive(flags: SimulateFlags, context: SimulateContext): Promise<number> {
  const { liveSimulation, liveWriters } = await import('../what-if/index.ts');
  const { add = [], set = [], removeNode: removeNodes = [], consolidate = false } = flags;
  const ports = portsOf(context);
  const whatIf = { add: await readInputs(add, context.wiring), set, removeNodes, consolidate };
  const inputs = { ports, choices: choicesOf(flags) };
  const { simulation, facts } = await liveSimulation(flags, whatIf, inputs);
  if (flags.save !== undefined) await save(flags.save, simulation);
  const simulated = simulate(simulation, ports);
  const { terminal } = context;
  terminal.out(liveWriters[flags.output](simulated, facts, { width: widthOf(terminal) }));
  return unplacedPods(simulated);
}

const liveFlags = {
  add: '--add',
  set: '--set',
  removeNode: '--remove-node',
  consolidate: '--consolidate',
  kubeconfig: '--kubeconfig',
  context: '--context',
} as const;

function refuseLiveFlags(flags: SimulateFlags): void {
  const found = (Object.keys(liveFlags) as (keyof typeof liveFlags)[]).find(
    (name) => flags[name] !== undefined,
  );
  if (found === undefined) return;
  throw new CodedError(
    'invalid-setting',
    `${liveFlags[found]} is about the live cluster, which --filename replaces; leave out one of the two`,
    { details: { flag: liveFlags[found] } },
  );
}

/**
 * Reads and checks all files first, then builds, plans and prints one cluster at a time: the snapshot of a large
 * benchmark scenario takes much memory, and the output of the first need not wait for the last.
 */
async function runFiles(
  filenames: readonly string[],
  flags: SimulateFlags,
  { terminal, wiring }: SimulateContext,
): Promise<number> {
  refuseLiveFlags(flags);
  const ports = portsOf({ terminal, wiring });
  const files = await readInputs(filenames, wiring);
  const pending = simulationsOf(files, ports, choicesOf(flags));
  if (flags.save !== undefined && pending.length > 1) throw severalToSave(flags.save, pending.length);
  let unplaced = 0;
  for (const [index, prepare] of pending.entries()) {
    const simulation = await prepare();
    if (flags.save !== undefined) await save(flags.save, simulation);
    const isFollowing = index > 0 && (flags.output === 'table' || flags.output === 'wide');
    const simulated = simulate(simulation, ports);
    terminal.out(`${isFollowing ? '\n' : ''}${writers[flags.output](simulated, widthOf(terminal))}`);
    unplaced += unplacedPods(simulated);
  }
  return unplaced;
}

/** Leaves out absent flags, so that the input (a scenario or a saved cluster) decides where the user does not. */
function choicesOf({ preferencePolicy, minValuesPolicy, schedulerConfig, region }: SimulateFlags): Choices {
  return {
    policies: {
      ...(preferencePolicy !== undefined && { preferencePolicy }),
      ...(minValuesPolicy !== undefined && { minValuesPolicy }),
    },
    defaultConstraints: schedulerConfig === undefined ? [] : defaultConstraintsOf(schedulerConfig),
    ...(region !== undefined && { region }),
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
    throw unwritable(path, error);
  }
}
