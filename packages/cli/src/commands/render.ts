import type { NodePool } from '@karpenter/core/api';
import type { InstanceType } from '@karpenter/core/ports';
import { type Command, Option } from 'commander';
import {
  allowedBy,
  defaultSettings,
  emptyPool,
  namedTypes,
  nodeClassOf,
  nodePoolOf,
  placedObjects,
  typeList,
} from '../instance-types/index.ts';
import { documentText, outputOption } from '../output/index.ts';
import { type ClusterPlace, clusterPlace, regionHelp, regionOfZone } from '../region/index.ts';
import {
  anyNodePool,
  cheapestLaunch,
  claimOf,
  completeClass,
  type GivenFacts,
  type RenderedLaunch,
  renderLaunch,
  templateRequests,
  userDataText,
} from '../render/index.ts';
import { type InputFile, readInput } from '../simulate/index.ts';
import type { Terminal } from '../terminal.ts';

type OutputFormat = 'userdata' | 'launchtemplate' | 'fleet';

interface RenderFlags extends Omit<GivenFacts, 'place'> {
  readonly region?: string;
  readonly nodeclass: string;
  readonly nodepool?: string;
  readonly instanceType?: readonly string[];
  readonly clusterEndpoint?: string;
  readonly clusterCaBundle: string;
  readonly clusterCidr: string;
  readonly clusterDns: string;
  readonly output: OutputFormat;
  readonly format: 'json' | 'yaml';
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
    .option('--region <region>', regionHelp)
    .option('--cluster-name <name>', 'the cluster that nodes join', 'dev')
    .option('--cluster-endpoint <url>', 'its API server (default: https://NAME.example)')
    .option('--cluster-ca-bundle <base64>', 'what nodes verify it by', 'UExBQ0VIT0xERVI=')
    .option('--cluster-cidr <range>', 'the addresses of its services', '10.100.0.0/16')
    .option('--cluster-dns <address>', 'the address of its DNS service', '10.100.0.10')
    .option('--ami <image...>', 'images, as ami-0abc or amd64=ami-0abc')
    .option('--subnet <zone=id...>', 'subnets, one or more for each zone')
    .option('--security-group <id...>', 'security groups')
    .option('--instance-profile <name>', 'the instance profile')
    .addOption(outputOption(['userdata', 'launchtemplate', 'fleet'], 'what to print'))
    .addOption(
      new Option('--format <format>', 'how to print requests').choices(['json', 'yaml']).default('json'),
    )
    .addHelpText('after', help)
    .action(async (flags: RenderFlags) => {
      const note = (text: string) => terminal.err(`karpenter: note: ${text}\n`);
      const rendered = await render(flags, (path) => readInput(path, readStdin), note);
      terminal.out(textOf(rendered, flags, note));
    });
}

type Read = (path: string) => Promise<InputFile>;
type Note = (text: string) => void;

/**
 * Builds the requests of one launch from files alone. Values that only AWS knows come from flags or the status of the
 * NodeClass; the rest are placeholders, listed in a note so that nobody mistakes them for real ids.
 */
async function render(flags: RenderFlags, read: Read, note: Note): Promise<RenderedLaunch> {
  const classFile = await read(flags.nodeclass);
  const poolFile = flags.nodepool === undefined ? undefined : await read(flags.nodepool);
  const place = placeFor(flags, [classFile, poolFile]);
  const { clusterName } = flags;
  const { nodeClass, placeholders } = completeClass(nodeClassOf(classFile), { ...flags, place });
  if (placeholders.length > 0) note(`made up, since only AWS knows them: ${placeholders.join(', ')}`);
  const nodePool = poolFile === undefined ? anyNodePool(nodeClass) : nodePoolOf(poolFile);
  const { name: referenced } = nodePool.spec.template.spec.nodeClassRef;
  if (referenced !== nodeClass.metadata.name) {
    note(
      `NodePool ${nodePool.metadata.name} refers to EC2NodeClass ${referenced}, not ${nodeClass.metadata.name}`,
    );
  }
  const { region } = place;
  const types = typeList({ nodeClass, region, settings: defaultSettings });
  const instanceTypes = namedTypes(
    { all: types, allowed: types, isCatalogue: true },
    flags.instanceType ?? [],
  );
  if (poolFile !== undefined) noteEmptyPool(nodePoolOf(poolFile), instanceTypes, { region, note });
  return renderLaunch({
    nodeClass,
    nodePool: nodePool.metadata.name,
    nodeClaim: claimOf(nodePool),
    instanceTypes,
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

/** The launch itself fails with Karpenter's sentence, which does not say why no type is left. */
function noteEmptyPool(
  nodePool: NodePool,
  types: readonly InstanceType[],
  { region, note }: { readonly region: string; readonly note: Note },
): void {
  if (allowedBy(nodePool, types).length === 0) note(emptyPool(nodePool, types, region).message);
}

/** Subnets of the command line say where the cluster is, before files do. */
function placeFor(
  { region, subnet = [] }: RenderFlags,
  files: readonly (InputFile | undefined)[],
): ClusterPlace {
  const [ofSubnet] = subnet.flatMap((text) => regionOfZone(text.split('=')[0] ?? '') ?? []);
  return clusterPlace(
    files.flatMap((file) => (file === undefined ? [] : placedObjects(file))),
    region ?? ofSubnet,
  );
}

/** The text to print. For user data that of the cheapest type, with a note when other types need another one. */
function textOf(
  rendered: RenderedLaunch,
  { output, format }: Pick<RenderFlags, 'output' | 'format'>,
  note: Note,
): string {
  noteIgnored(rendered, note);
  if (output === 'fleet') return documentText(rendered.fleet, format);
  if (output === 'launchtemplate') return documentText(templateRequests(rendered.templates), format);
  const cheapest = cheapestLaunch(rendered);
  if (cheapest === undefined) return '';
  const texts = new Set(rendered.templates.map((template) => userDataText(template)));
  if (texts.size > 1) note(severalTexts(cheapest.type, texts.size));
  return userDataText(cheapest.template);
}

/** All templates have the settings of the class, so one of them is enough. */
function noteIgnored({ templates }: RenderedLaunch, note: Note): void {
  const unknown = new Set<string>();
  for (const template of templates.slice(0, 1)) userDataText(template, (path) => void unknown.add(path));
  for (const path of unknown)
    note(`spec.userData: ${path} is ignored: it is not a setting that nodes get; check its name`);
}

function severalTexts(type: string, count: number): string {
  return `there are ${count} different user data, by the most pods that a node runs; this is that of ${type}; name another type with --instance-type`;
}
