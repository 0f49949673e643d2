import type { ReadClass } from '@karpenter/aws';
import { CodedError } from '@karpenter/core/errors';
import { type Command, InvalidArgumentError } from 'commander';
import {
  allowedBy,
  defaultNodeClass,
  defaultSettings,
  describedTypesOf,
  emptyPool,
  inZones,
  namedTypes,
  nodeClassOf,
  nodePoolOf,
  placedObjects,
  readZones,
  type TypeSelection,
  typeDocument,
  typeList,
  typeTable,
} from '../instance-types/index.ts';
import { type DataFormat, isDataFormat, listText, outputOption, screenText } from '../output/index.ts';
import { type ClusterPlace, clusterPlace, defaultRegion, regionHelp, regionOfZone } from '../region/index.ts';
import { type InputFile, readInput } from '../simulate/index.ts';
import type { Terminal } from '../terminal.ts';

interface InstanceTypesFlags {
  readonly nodeclass?: string;
  readonly nodepool?: string;
  readonly from?: string;
  readonly region?: string;
  readonly zones?: string;
  readonly vmMemoryOverheadPercent: number;
  readonly reservedEnis: number;
  readonly output: 'table' | 'wide' | DataFormat;
}

const help = `
Files may be -, which is standard input.
  --nodeclass  an EC2NodeClass, YAML or JSON. Its subnets are those of its status; without a status, --zones
               says where nodes may be. What has no say in instance types (role, selectors) may be missing.
  --nodepool   a NodePool; only types and offerings that it allows are shown
  --from       what aws ec2 describe-instance-types printed: the whole answer, a list of its records, or one
               record on each line; every zone is taken to sell them

Prices are those of the region in the built-in catalogue. Those marked with ~ (estimated in JSON) are estimates:
all spot prices, which are taken to be 35 % of on-demand, and types that the price list of the region did not have.

Output:
  table  available types, the cheapest first, with what is left for pods and daemons
  wide   the same with disk space and zones
  json   a list of types: name, labels (values, or an operator where there are none), capacity,
         kubeReserved, systemReserved, evictionThreshold, allocatable, offerings
  jsonl  the same with a type on each line
  yaml   the same as YAML

Examples:
  karpenter instance-types --nodeclass nodeclass.yaml --nodepool nodepool.yaml
  karpenter instance-types 'm7*.large' c7g.xlarge
  aws ec2 describe-instance-types | karpenter instance-types --from - -o json
`;

export function addInstanceTypesCommand(
  program: Command,
  terminal: Terminal,
  readStdin: () => Promise<string>,
): void {
  program
    .command('instance-types')
    .description('print the instance types that nodes can be, what is left on them and what they cost')
    .argument('[name...]', 'only these; * stands for any letters')
    .option('--nodeclass <file>', 'how nodes are set up (default: Amazon Linux 2023 with nothing changed)')
    .option('--nodepool <file>', 'which types may be used (default: all)')
    .option('--from <file>', 'types to show instead of those of the built-in catalogue')
    .option('--region <region>', regionHelp)
    .option(
      '--zones <list>',
      'zones that nodes may be in, as name:id,… (default: those of the class, else three of the region)',
    )
    .option(
      '--vm-memory-overhead-percent <share>',
      'as the setting of the controller',
      readNumber,
      defaultSettings.vmMemoryOverheadPercent,
    )
    .option(
      '--reserved-enis <count>',
      'as the setting of the controller',
      readNumber,
      defaultSettings.reservedEnis,
    )
    .addOption(outputOption(['table', 'wide', 'json', 'jsonl', 'yaml'], 'how to print them'))
    .addHelpText('after', help)
    .action(async (names: readonly string[], flags: InstanceTypesFlags) => {
      const selection = await selectedTypes(flags, (path) => readInput(path, readStdin));
      const types = namedTypes(selection, names);
      const { output } = flags;
      terminal.out(
        isDataFormat(output)
          ? listText(types.map(typeDocument), output)
          : screenText(typeTable(types, output === 'wide'), terminal),
      );
    });
}

type Read = (path: string) => Promise<InputFile>;

async function selectedTypes(flags: InstanceTypesFlags, read: Read): Promise<TypeSelection> {
  const { vmMemoryOverheadPercent, reservedEnis, from, nodeclass, nodepool } = flags;
  const classFile = nodeclass === undefined ? undefined : await read(nodeclass);
  const poolFile = nodepool === undefined ? undefined : await read(nodepool);
  const place = placeFor(flags, [classFile, poolFile]);
  const all = typeList({
    nodeClass: nodeClassIn(place, classFile, flags),
    region: place.region,
    settings: { vmMemoryOverheadPercent, reservedEnis },
    ...(from !== undefined && { types: describedTypesOf(await read(from)) }),
  });
  const isCatalogue = from === undefined;
  if (poolFile === undefined) return { all, allowed: all, isCatalogue };
  const nodePool = nodePoolOf(poolFile);
  const allowed = allowedBy(nodePool, all);
  if (allowed.length === 0) throw emptyPool(nodePool, all, place.region);
  return { all, allowed, isCatalogue };
}

/** `--zones` may name zones of a region that the catalogue does not know. */
function placeFor(
  { region, zones }: InstanceTypesFlags,
  files: readonly (InputFile | undefined)[],
): ClusterPlace {
  if (zones === undefined)
    return clusterPlace(
      files.flatMap((file) => (file === undefined ? [] : placedObjects(file))),
      region,
    );
  const [first = ''] = zones.split(/[,:]/);
  const chosen = region ?? regionOfZone(first.trim()) ?? defaultRegion;
  return { region: chosen, zones: readZones(zones, chosen) };
}

/** The NodeClass with subnets, because zones decide which offerings exist. `--zones` wins over its status. */
function nodeClassIn(
  place: ClusterPlace,
  file: InputFile | undefined,
  { zones }: InstanceTypesFlags,
): ReadClass {
  const nodeClass = file === undefined ? defaultNodeClass : nodeClassOf(file);
  const subnets = nodeClass.status?.subnets ?? [];
  if (zones !== undefined || subnets.length === 0) return inZones(nodeClass, place.zones);
  const elsewhere = subnets.map(({ zone }) => regionOfZone(zone)).find((found) => found !== place.region);
  if (elsewhere === undefined) return nodeClass;
  throw new CodedError(
    'no-instance-types',
    `no instance type of ${place.region} is in the zones of the EC2NodeClass, whose subnets are in ${elsewhere}; use --region ${elsewhere}`,
    { details: { region: place.region } },
  );
}

function readNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0))
    throw new InvalidArgumentError('write a number that is not negative');
  return value;
}
