import { awsServices, discoverRegion } from '@karpenter/aws';
import { nodeRoleName } from '@karpenter/aws/iam-policies';
import type { AwsServices } from '@karpenter/aws/ports';
import { type CheckResult, preflight } from '@karpenter/aws/preflight';
import { CodedError } from '@karpenter/core/errors';
import { type Command, InvalidArgumentError } from 'commander';
import { type ClusterChoice, connectTo } from '../cluster-view/index.ts';
import { type DataFormat, isDataFormat, listText, outputOption, screenText } from '../output/index.ts';
import { inspectedCluster, preflightText } from '../preflight/index.ts';
import type { Terminal } from '../terminal.ts';
import { version } from '../version.ts';

interface PreflightFlags extends ClusterChoice {
  readonly clusterName: string;
  readonly region?: string;
  readonly nodeRole?: string;
  readonly interruptionQueue?: string;
  readonly output: 'text' | DataFormat;
}

/** The account that the command checks: AWS in production, a simulated one in tests. */
export type AccountOf = (region: string) => AwsServices;

const help = `
Checks what the controller needs before it is installed: credentials, permissions (by dry runs), tagged subnets and
security groups, the node role and whether its instances may join, the service-linked role for spot, the
interruption queue, the CustomResourceDefinitions, nodes to run on and the metadata hop limit. Each problem comes with
the command that fixes it. Run it with the credentials that the controller will have, or with your own to check the
rest. Exits with 1 if a check failed.

Example:
  karpenter preflight --cluster-name prod --region eu-west-1 --interruption-queue prod
`;

export function addPreflightCommand(
  program: Command,
  terminal: Terminal,
  accountOf: AccountOf = (region) => awsServices({ region, version }),
): void {
  program
    .command('preflight')
    .description('check a cluster and an AWS account before installing')
    .requiredOption('--cluster-name <name>', 'name of the EKS cluster', parseClusterName)
    .option('--region <region>', 'its region; defaults to AWS_REGION')
    .option('--node-role <name>', 'role of the nodes; defaults to KarpenterNodeRole-CLUSTER')
    .option('--interruption-queue <name>', 'queue for interruptions; defaults to the cluster name')
    .option('--kubeconfig <files>', 'the cluster; defaults to KUBECONFIG, then ~/.kube/config')
    .option('--context <name>', 'context of the kubeconfig; defaults to the current one')
    .addOption(outputOption(['text', 'json', 'jsonl', 'yaml']))
    .addHelpText('after', help)
    .action((flags: PreflightFlags) => run(flags, terminal, accountOf));
}

/** The names that EKS accepts. Others would end up in the commands that fix what is missing. */
function parseClusterName(text: string): string {
  if (/^[0-9A-Za-z][\w-]{0,99}$/.test(text)) return text;
  throw new InvalidArgumentError('It is 1 to 100 letters, digits, dashes and underscores.');
}

async function run(flags: PreflightFlags, terminal: Terminal, accountOf: AccountOf): Promise<void> {
  const { clusterName, output } = flags;
  const region = flags.region ?? (await discoverRegion({ env: process.env, fetch }));
  const connection = await connectTo(flags);
  try {
    const results = await preflight({
      services: accountOf(region),
      region,
      clusterName,
      nodeRole: flags.nodeRole ?? nodeRoleName(clusterName),
      queue: flags.interruptionQueue ?? clusterName,
      cluster: await inspectedCluster(connection),
    });
    terminal.out(
      isDataFormat(output) ? listText(results, output) : screenText(preflightText(results), terminal),
    );
    checkPassed(results, clusterName);
  } finally {
    await connection.client.close();
  }
}

/** Scripts read the exit code. */
function checkPassed(results: readonly CheckResult[], clusterName: string): void {
  const failed = results.filter(({ verdict }) => verdict === 'failed');
  if (failed.length === 0) return;
  throw new CodedError(
    'preflight-failed',
    `${failed.length} ${failed.length === 1 ? 'check' : 'checks'} of cluster ${clusterName} failed; make the fixes above and run it again`,
    { details: { cluster: clusterName, checks: failed.map(({ check }) => check).join(', ') } },
  );
}
