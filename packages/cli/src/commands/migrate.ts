import { awsServices, discoverRegion } from '@karpenter/aws';
import type { AwsServices } from '@karpenter/aws/ports';
import type { Clock } from '@karpenter/kube/runtime';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ClusterChoice } from '../cluster-view/index.ts';
import {
  type MigrateContext,
  printManifests,
  printReport,
  printSimulation,
  rollBackGroups,
  runGroups,
} from '../migrate/index.ts';
import { type DataFormat, outputOption } from '../output/index.ts';
import type { SimulationPorts } from '../simulate/index.ts';
import type { Terminal } from '../terminal.ts';
import { version } from '../version.ts';

/** What the command needs from outside: AWS, a clock and the planner in production. */
export interface MigrateWiring {
  readonly accountOf: (region: string) => AwsServices;
  readonly clock: Clock;
  readonly planning: Omit<SimulationPorts, 'note'>;
  readonly readStdin: () => Promise<string>;
  /** Resolves when the user interrupts the command. */
  readonly stopRequest: () => Promise<unknown>;
}

export const accountOfAws: MigrateWiring['accountOf'] = (region) => awsServices({ region, version });

interface SharedFlags extends ClusterChoice {
  readonly clusterName: string;
  readonly region?: string;
}

interface SourceFlags extends SharedFlags {
  readonly filename?: string;
  readonly autoscaler?: string;
  readonly group?: readonly string[];
  readonly widen?: boolean;
}

interface RunFlags extends SourceFlags {
  readonly yes?: boolean;
  readonly keep?: readonly string[];
  readonly parallel: number;
  readonly timeout: number;
  readonly force?: boolean;
}

const help = `
Moves a cluster from Cluster Autoscaler to Karpenter. Run the steps in this order:
  report     what of node groups, their tags, Cluster Autoscaler and annotations maps, and what does not
  manifests  NodePools and EC2NodeClasses that take the place of the groups; review and apply them
  simulate   plans all pods of the groups against them: pods without a place, price before and after
  run        moves group by group: stops Cluster Autoscaler, then per group cordons its nodes, drains them
             one by one through the Eviction API and terminates each instance once its pods run elsewhere
  rollback   uncordons, restores sizes, resumes AZ rebalance and restarts Cluster Autoscaler

Dry run is the default: without --yes, run and rollback only print their steps. Progress is recorded in the ConfigMap
kube-system/karpenter-migration: a run that stopped or was killed goes on when it is started again.

Exit codes: 0 done, 1 stopped or failed with a reason, 2 wrong usage.

Example:
  karpenter migrate report --cluster-name prod --region eu-west-1
  karpenter migrate manifests --cluster-name prod > pools.yaml && kubectl apply -f pools.yaml
  karpenter migrate simulate --cluster-name prod
  karpenter migrate run --cluster-name prod --yes
`;

export function addMigrateCommand(program: Command, terminal: Terminal, wiring: MigrateWiring): void {
  const migrate = program
    .command('migrate')
    .description('move a cluster from Cluster Autoscaler to Karpenter, group by group')
    .addHelpText('after', help);
  const context = (flags: SourceFlags) => contextOf(flags, terminal, wiring);
  withSource(migrate.command('report').description('print what maps and what does not'))
    .addOption(outputOption(['text', 'json', 'jsonl', 'yaml']))
    .action(async (flags: SourceFlags & { readonly output: 'text' | DataFormat }) =>
      printReport(await context(flags), flags.output),
    );
  withSource(
    migrate.command('manifests').description('print NodePools and EC2NodeClasses for the groups'),
  ).action(async (flags: SourceFlags) => printManifests(await context(flags)));
  withSource(migrate.command('simulate').description('plan the pods of the groups against the manifests'))
    .option('--keep <group=nodes...>', 'nodes that stay in a group')
    .addOption(outputOption(['text', 'json', 'yaml']))
    .action(
      async (
        flags: SourceFlags & { readonly output: 'text' | DataFormat; readonly keep?: readonly string[] },
      ) => printSimulation(await context(flags), { output: flags.output, keep: flags.keep ?? [] }),
    );
  addRun(migrate, context);
  confirmed(
    shared(migrate.command('rollback').description('restore the groups and Cluster Autoscaler')),
  ).action(async (flags: SharedFlags & { readonly yes?: boolean }) =>
    rollBackGroups(await context(flags), flags.yes === true),
  );
}

function addRun(migrate: Command, context: (flags: SourceFlags) => Promise<MigrateContext>): void {
  const run = migrate.command('run').description('drain and shrink the groups; goes on where a run stopped');
  confirmed(withSource(run))
    .option(
      '--keep <group=nodes...>',
      'nodes that stay in a group; a group that hosts the controller keeps 2, or 1 in one zone',
    )
    .option('--parallel <nodes>', 'nodes of a zone that are drained at a time', positive, 1)
    .option('--timeout <minutes>', 'how long a drain, and pods that became pending, may take', positive, 15)
    .option('--force', 'evict pods without a controller and pods that ask not to be disrupted too')
    .action(async (flags: RunFlags) =>
      runGroups(await context(flags), {
        isConfirmed: flags.yes === true,
        keep: flags.keep ?? [],
        options: { parallel: flags.parallel, timeoutMs: flags.timeout * 60_000, force: flags.force === true },
      }),
    );
}

/** The steps are only printed unless the user agrees to them. */
function confirmed(command: Command): Command {
  return command
    .option('--yes', 'make the changes')
    .addOption(new Option('--dry-run', 'only print the changes; so it is without --yes').conflicts('yes'));
}

function shared(command: Command): Command {
  return command
    .requiredOption('--cluster-name <name>', 'name of the EKS cluster')
    .option('--region <region>', 'its region; defaults to AWS_REGION')
    .option('--kubeconfig <files>', 'the cluster; defaults to KUBECONFIG, then ~/.kube/config')
    .option('--context <name>', 'context of the kubeconfig; defaults to the current one');
}

function withSource(command: Command): Command {
  return shared(command)
    .option('-f, --filename <file>', 'an eksctl file to read the groups from; - is standard input')
    .option('--group <name...>', 'only these groups (default: all)')
    .option(
      '--autoscaler <namespace/name>',
      'Deployment of Cluster Autoscaler (default: found by its program)',
    )
    .option('--widen', 'allow instance types that are similar to those of the groups');
}

function positive(text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a whole number of at least 1.');
}

async function contextOf(
  flags: SourceFlags,
  terminal: Terminal,
  wiring: MigrateWiring,
): Promise<MigrateContext> {
  const region = flags.region ?? (await discoverRegion({ env: process.env, fetch }));
  const { clusterName, filename, autoscaler, group = [], widen = false } = flags;
  return {
    choice: flags,
    terminal,
    clock: wiring.clock,
    services: wiring.accountOf(region),
    region,
    planning: wiring.planning,
    readStdin: wiring.readStdin,
    stopRequest: wiring.stopRequest,
    source: { clusterName, filename, autoscaler, onlyGroups: group, widen },
  };
}
