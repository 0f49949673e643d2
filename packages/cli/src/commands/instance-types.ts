import type { ReadClass } from '@karpenter/aws';
import { CodedError } from '@karpenter/core/errors';
import type { InstanceType } from '@karpenter/core/ports';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  allowedBy,
  defaultNodeClass,
  defaultSettings,
  defaultZones,
  describedTypesOf,
  inZones,
  nodeClassOf,
  nodePoolOf,
  readZones,
  typeLine,
  typeList,
  typeTable,
  unknownRegion,
} from '../instance-types/index.ts';
import { type InputFile, readInput } from '../simulate/index.ts';
import type { Terminal } from '../terminal.ts';

interface InstanceTypesFlags {
  readonly nodeclass?: string;
  readonly nodepool?: string;
  readonly from?: string;
  readonly region: string;
  readonly zones?: string;
  readonly vmMemoryOverheadPercent: number;
  readonly reservedEnis: number;
  readonly output: 'table' | 'json';
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
  json   one line for each type: name, labels (values, or an operator where there are none), capacity,
         kubeReserved, systemReserved, evictionThreshold, allocatable, offerings

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
    .option('--region <region>', 'where nodes are', 'us-east-1')
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
    .addOption(
      new Option('-o, --output <format>', 'how to print them').choices(['table', 'json']).default('table'),
    )
    .addHelpText('after', help)
    .action(async (names: readonly string[], flags: InstanceTypesFlags) => {
      const types = named(await allowedTypes(flags, (path) => readInput(path, readStdin)), names);
      terminal.out(flags.output === 'json' ? types.map(typeLine).join('') : typeTable(types));
    });
}

type Read = (path: string) => Promise<InputFile>;

async function allowedTypes(flags: InstanceTypesFlags, read: Read): Promise<readonly InstanceType[]> {
  const { region, vmMemoryOverheadPercent, reservedEnis, from, nodepool } = flags;
  const types = typeList({
    nodeClass: await nodeClassFor(flags, read),
    region,
    settings: { vmMemoryOverheadPercent, reservedEnis },
    ...(from !== undefined && { types: describedTypesOf(await read(from)) }),
  });
  return nodepool === undefined ? types : allowedBy(nodePoolOf(await read(nodepool)), types);
}

/**
 * The NodeClass with subnets, because zones decide which offerings exist. `--zones` wins over the status of the class;
 * without either, the first zones of the region stand in.
 */
async function nodeClassFor(
  { nodeclass, region, zones }: InstanceTypesFlags,
  read: Read,
): Promise<ReadClass> {
  const nodeClass = nodeclass === undefined ? defaultNodeClass : nodeClassOf(await read(nodeclass));
  if (zones !== undefined) return inZones(nodeClass, readZones(zones, region));
  const found = nodeClass.status?.subnets ?? [];
  if (found.length > 0) return nodeClass;
  const chosen = defaultZones(region);
  if (chosen.length === 0) throw unknownRegion(region);
  return inZones(nodeClass, chosen);
}

function named(types: readonly InstanceType[], names: readonly string[]): readonly InstanceType[] {
  if (names.length === 0) return types;
  const patterns = names.map(patternOf);
  const found = types.filter(({ name }) => patterns.some((pattern) => pattern.test(name)));
  if (found.length > 0) return found;
  throw new CodedError(
    'no-instance-types',
    `none of ${types.length} instance types is called ${names.join(' or ')}; leave the name out to see all`,
    { details: { names: names.join() } },
  );
}

/** Only `*` is special; everything else is escaped, dots above all. */
function patternOf(name: string): RegExp {
  return new RegExp(`^${name.replace(/[^a-z0-9*-]/gi, '\\$&').replaceAll('*', '.*')}$`);
}

function readNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0))
    throw new InvalidArgumentError('write a number that is not negative');
  return value;
}
