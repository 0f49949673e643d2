import type { NamedTemplate } from '@karpenter/aws';
import { CodedError } from '@karpenter/core/errors';
import type { InstanceType } from '@karpenter/core/ports';
import { type Command, Option } from 'commander';
import { defaultSettings, nodeClassOf, nodePoolOf, typeList } from '../instance-types/index.ts';
import {
  anyNodePool,
  claimOf,
  completeClass,
  fleetJson,
  type GivenFacts,
  type RenderedLaunch,
  renderLaunch,
  templateJson,
  userDataText,
} from '../render/index.ts';
import { type InputFile, readInput } from '../simulate/index.ts';
import type { Terminal } from '../terminal.ts';

type OutputFormat = 'userdata' | 'launchtemplate' | 'fleet';

interface RenderFlags extends GivenFacts {
  readonly nodeclass: string;
  readonly nodepool?: string;
  readonly instanceType?: readonly string[];
  readonly clusterEndpoint?: string;
  readonly clusterCaBundle: string;
  readonly clusterCidr: string;
  readonly clusterDns: string;
  readonly output: OutputFormat;
}

const help = `
Files may be -, which is standard input.
  --nodeclass  an EC2NodeClass, YAML or JSON. What its status says (images, subnets, security groups,
               profile) is used unless a flag says otherwise; what neither says is a placeholder.
  --nodepool   a NodePool; its requirements, labels and taints count

Instance types and prices are those of the built-in catalogue, and spot is taken to cost 35 % of on-demand.

Output:
  userdata        the user data, decoded. It may differ between types (the most pods a node runs); then
                  that of the cheapest is printed. Name another with --instance-type.
  launchtemplate  the CreateLaunchTemplate requests as a list: types that differ in image, pods or EFA
                  have templates of their own
  fleet           the CreateFleet request of one NodeClaim

Examples:
  karpenter render --nodeclass nodeclass.yaml
  karpenter render --nodeclass nodeclass.yaml --nodepool nodepool.yaml --instance-type m7g.large -o launchtemplate
  kubectl get ec2nodeclass default -o yaml | karpenter render --nodeclass - -o fleet --cluster-name prod
`;

export function addRenderCommand(
  program: Command,
  terminal: Terminal,
  readStdin: () => Promise<string>,
): void {
  program
    .command('render')
    .description('print what would be sent to EC2 to launch a node; nothing is sent')
    .requiredOption('--nodeclass <file>', 'how nodes are set up')
    .option('--nodepool <file>', 'which nodes may be launched (default: a pool that asks for nothing)')
    .option('--instance-type <name...>', 'only these types')
    .option('--region <region>', 'where nodes are', 'us-east-1')
    .option('--cluster-name <name>', 'the cluster that nodes join', 'dev')
    .option('--cluster-endpoint <url>', 'its API server (default: https://NAME.example)')
    .option('--cluster-ca-bundle <base64>', 'what nodes verify it by', 'UExBQ0VIT0xERVI=')
    .option('--cluster-cidr <range>', 'the addresses of its services', '10.100.0.0/16')
    .option('--cluster-dns <address>', 'the address of its DNS service', '10.100.0.10')
    .option('--ami <image...>', 'images, as ami-0abc or amd64=ami-0abc')
    .option('--subnet <zone=id...>', 'subnets, one or more for each zone')
    .option('--security-group <id...>', 'security groups')
    .option('--instance-profile <name>', 'the instance profile')
    .addOption(
      new Option('-o, --output <format>', 'what to print')
        .choices(['userdata', 'launchtemplate', 'fleet'])
        .default('userdata'),
    )
    .addHelpText('after', help)
    .action(async (flags: RenderFlags) => {
      const note = (text: string) => terminal.err(`karpenter: note: ${text}\n`);
      const rendered = await render(flags, (path) => readInput(path, readStdin), note);
      terminal.out(textOf(rendered, flags.output, note));
    });
}

type Read = (path: string) => Promise<InputFile>;
type Note = (text: string) => void;

/**
 * Builds the requests of one launch from files alone. Values that only AWS knows come from flags or the status of the
 * NodeClass; the rest are placeholders, listed in a note so that nobody mistakes them for real ids.
 */
async function render(flags: RenderFlags, read: Read, note: Note): Promise<RenderedLaunch> {
  const { region, clusterName } = flags;
  const { nodeClass, placeholders } = completeClass(nodeClassOf(await read(flags.nodeclass)), flags);
  if (placeholders.length > 0) note(`made up, since only AWS knows them: ${placeholders.join(', ')}`);
  const nodePool =
    flags.nodepool === undefined ? anyNodePool(nodeClass) : nodePoolOf(await read(flags.nodepool));
  const { name: referenced } = nodePool.spec.template.spec.nodeClassRef;
  if (referenced !== nodeClass.metadata.name) {
    note(
      `NodePool ${nodePool.metadata.name} refers to EC2NodeClass ${referenced}, not ${nodeClass.metadata.name}`,
    );
  }
  const types = typeList({ nodeClass, region, settings: defaultSettings });
  return renderLaunch({
    nodeClass,
    nodePool: nodePool.metadata.name,
    nodeClaim: claimOf(nodePool),
    instanceTypes: flags.instanceType === undefined ? types : namedTypes(types, flags.instanceType),
    region,
    cluster: {
      name: clusterName,
      endpoint: flags.clusterEndpoint ?? `https://${clusterName}.example`,
      caBundle: flags.clusterCaBundle,
      cidr: flags.clusterCidr,
      dnsIp: flags.clusterDns,
    },
  });
}

function namedTypes(types: readonly InstanceType[], names: readonly string[]): readonly InstanceType[] {
  return names.map((name) => {
    const found = types.find((type) => type.name === name);
    if (found !== undefined) return found;
    throw new CodedError(
      'no-instance-types',
      `there is no instance type ${JSON.stringify(name)} in the built-in catalogue; see karpenter instance-types`,
      { details: { name } },
    );
  });
}

/** The text to print. For user data that of the cheapest type, with a note when other types need another one. */
function textOf(rendered: RenderedLaunch, output: OutputFormat, note: Note): string {
  if (output === 'fleet') return fleetJson(rendered);
  if (output === 'launchtemplate') return templateJson(rendered.templates);
  const texts = new Map(rendered.templates.map((template) => [userDataText(template), template]));
  const [first] = texts;
  if (first === undefined) return '';
  const [text, template] = first;
  if (texts.size > 1) note(severalTexts(template, texts.size));
  return text;
}

function severalTexts({ types }: NamedTemplate, count: number): string {
  return `there are ${count} different user data, by the most pods that a node runs; this is that of ${types[0]?.name}; name another type with --instance-type`;
}
