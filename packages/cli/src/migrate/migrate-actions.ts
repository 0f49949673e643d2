import {
  continued,
  type DrainOptions,
  type MigrationProgress,
  movingNodes,
  newProgress,
  observe,
  ProgressStore,
  plannedRollback,
  plannedSteps,
  rollBack,
  rollbackText,
  runMigration,
  stepText,
} from '@karpenter/aws/migration';
import type { AwsServices } from '@karpenter/aws/ports';
import { CodedError } from '@karpenter/core/errors';
import type { Clock } from '@karpenter/kube/runtime';
import { type ClusterChoice, type ConnectedCluster, connectTo } from '../cluster-view/index.ts';
import { type DataFormat, documentText, isDataFormat, listText, widthOf } from '../output/index.ts';
import { readInput, type SimulationPorts } from '../simulate/index.ts';
import type { Terminal } from '../terminal.ts';
import { nodesOfFile } from './file-nodes.ts';
import { poolsOf, simulateGroups } from './group-simulation.ts';
import { keptNodes } from './kept-nodes.ts';
import { checkManifests, migrationManifests } from './manifest-text.ts';
import { type MigrationSource, readSource } from './migration-source.ts';
import { reportText } from './report-text.ts';
import { simulationDocument, simulationText } from './simulation-text.ts';
import { StepPrinter } from './step-printer.ts';

/** What every step of the command works with. */
export interface MigrateContext {
  readonly choice: ClusterChoice;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly services: AwsServices;
  readonly region: string;
  readonly planning: Omit<SimulationPorts, 'note'>;
  readonly readStdin: () => Promise<string>;
  readonly stopRequest: () => Promise<unknown>;
  readonly source: {
    readonly clusterName: string;
    readonly filename: string | undefined;
    readonly autoscaler: string | undefined;
    readonly onlyGroups: readonly string[];
    readonly widen: boolean;
  };
}

export async function printReport(context: MigrateContext, output: 'text' | DataFormat): Promise<void> {
  await connected(context, async (connection) => {
    const { findings } = await sourceOf(context, connection);
    const { terminal } = context;
    terminal.out(isDataFormat(output) ? listText(findings, output) : reportText(findings, widthOf(terminal)));
  });
}

export async function printManifests(context: MigrateContext): Promise<void> {
  await connected(context, async (connection) => {
    const { mapped } = await sourceOf(context, connection);
    checkManifests(mapped);
    context.terminal.out(migrationManifests(mapped));
  });
}

interface SimulationRequest {
  readonly output: 'text' | DataFormat;
  readonly keep: readonly string[];
}

/** Exits with 1 if a pod has no place, so that scripts stop there. */
export async function printSimulation(
  context: MigrateContext,
  { output, keep }: SimulationRequest,
): Promise<void> {
  await connected(context, async (connection) => {
    const source = await sourceOf(context, connection);
    const { moving } = await progressOf(context, { connection, source, keep });
    const nodes = [...moving, ...(await nodesOfFile(connection.client, source.groups))];
    const request = { nodes, nodePools: poolsOf(source.mapped), region: context.region };
    const simulation = await simulateGroups(context.choice, request, portsOf(context));
    const { terminal } = context;
    terminal.out(
      isDataFormat(output)
        ? documentText(simulationDocument(simulation), output)
        : simulationText(simulation, widthOf(terminal)),
    );
    const { misfits } = simulation;
    if (misfits.length === 0) return;
    throw new CodedError(
      'pods-without-place',
      `${misfits.length} ${misfits.length === 1 ? 'pod' : 'pods'} of the groups would fit on no node, first ${misfits[0]?.pod}; change the NodePools or the pods as the output says`,
    );
  });
}

interface RunRequest {
  readonly isConfirmed: boolean;
  readonly keep: readonly string[];
  readonly options: DrainOptions;
}

export async function runGroups(
  context: MigrateContext,
  { isConfirmed, keep, options }: RunRequest,
): Promise<void> {
  const { terminal, clock, services, choice } = context;
  if (context.source.filename !== undefined)
    throw new CodedError(
      'invalid-setting',
      '--filename describes groups that may not exist, so run does not take it; leave it out to move the groups of the account',
    );
  await connected(context, async (connection) => {
    const source = await sourceOf(context, connection);
    const { progress, steps } = await progressOf(context, { connection, source, keep });
    if (!isConfirmed) return printSteps(terminal, steps);
    const printer = new StepPrinter(terminal, () => clock.now());
    const quiet = { ...portsOf(context), note: () => undefined };
    // Planned again before each group: the cluster goes on changing while groups are drained, possibly for hours.
    const misfits = async (nodes: readonly string[]) =>
      (await simulateGroups(choice, { nodes, nodePools: [] }, quiet)).misfits;
    try {
      await runMigration(
        progress,
        {
          client: connection.client,
          services,
          clock,
          misfits,
          signal: abortedBy(context.stopRequest()),
          onStep: (step, current) => {
            const text = stepText(step, current);
            if (step.kind === 'wait' || step.kind === 'evict') printer.wait(text);
            else if (step.kind !== 'problem') printer.step(text);
          },
        },
        options,
      );
    } finally {
      printer.end();
    }
  });
}

export async function rollBackGroups(context: MigrateContext, isConfirmed: boolean): Promise<void> {
  const { terminal, clock, services } = context;
  await connected(context, async ({ client }) => {
    const { progress, steps } = await plannedRollback(client, services);
    const texts = steps.map((step) => rollbackText(step, progress));
    if (!isConfirmed) return printSteps(terminal, texts);
    const printer = new StepPrinter(terminal, () => clock.now());
    await rollBack({ client, services, onStep: (step) => printer.step(rollbackText(step, progress)) });
    printer.step('rolled back; delete the NodePools when the groups are Ready, so that pods return');
  });
}

/** Between two steps: what has begun is finished. */
function abortedBy(request: Promise<unknown>): AbortSignal {
  const interruption = new AbortController();
  void request.then(() => interruption.abort());
  return interruption.signal;
}

function printSteps(terminal: Terminal, steps: readonly string[]): void {
  const numbered = steps.map((step, index) => `${String(index + 1).padStart(3)}  ${step}\n`);
  terminal.out(`${numbered.join('')}nothing was changed; --yes makes these changes\n`);
}

interface ProgressRequest {
  readonly connection: ConnectedCluster;
  readonly source: MigrationSource;
  readonly keep: readonly string[];
}

interface PlannedRun {
  readonly progress: MigrationProgress;
  readonly steps: readonly string[];
  /** Names of the nodes that go. */
  readonly moving: readonly string[];
}

/** The record to start from, or to go on from if a run has begun, and the steps that are left. */
async function progressOf(context: MigrateContext, request: ProgressRequest): Promise<PlannedRun> {
  const { connection, source } = request;
  const { client } = connection;
  const { clusterName, groups, autoscaler } = source;
  const keep = keptNodes(request.keep, groups);
  const sources = { client, services: context.services, now: () => context.clock.now() };
  const watched = {
    groups: groups.flatMap(({ autoScalingGroup }) =>
      autoScalingGroup === undefined ? [] : [{ autoScalingGroup }],
    ),
  };
  const before = await observe(sources, watched);
  const wanted = newProgress({ clusterName, groups, autoscaler, keep }, before);
  const known = await new ProgressStore(client).read();
  const progress = known === undefined ? wanted : continued(known, wanted);
  const observed = await observe(sources, progress);
  return { progress, steps: plannedSteps(progress, observed), moving: movingNodes(progress, observed) };
}

function portsOf({ planning, terminal }: MigrateContext): SimulationPorts {
  return { ...planning, note: (text) => terminal.err(`karpenter: note: ${text}\n`) };
}

async function sourceOf(context: MigrateContext, { client }: ConnectedCluster): Promise<MigrationSource> {
  const { source, services, readStdin } = context;
  const { filename, ...rest } = source;
  const file = filename === undefined ? undefined : await readInput(filename, readStdin);
  return readSource({ ...rest, client, services, file });
}

async function connected(
  { choice }: MigrateContext,
  act: (connection: ConnectedCluster) => Promise<void>,
): Promise<void> {
  const connection = await connectTo(choice);
  try {
    await act(connection);
  } finally {
    await connection.client.close();
  }
}
