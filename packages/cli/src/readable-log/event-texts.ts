import type { LogFields } from '@karpenter/core/ports';
import { type LogRecord, nameIn, numberIn, textIn } from './log-record.ts';
import { counted, hourly, joined } from './words.ts';

/** Good and bad news, and what lies between: Karpenter or EC2 takes a node away. */
export type Tone = 'good' | 'change' | 'bad' | 'plain';

export interface LineText {
  readonly tone: Tone;
  /** The first word, which is coloured. */
  readonly verb: string;
  readonly rest: string;
}

export interface PricedOffering {
  readonly instanceType: string;
  readonly capacityType: string;
  readonly zone: string;
}

/** What lines say beyond their own record. */
export interface EventKnowledge {
  /** Dollars per hour; undefined if unknown. */
  readonly priceOf: (offering: PricedOffering) => number | undefined;
  /** For how many pods a NodeClaim was created; undefined if unknown. */
  readonly podsOf: (nodeClaim: string) => number | undefined;
}

type Describe = (record: LogRecord, knowledge: EventKnowledge) => LineText;

/** The events that a newcomer follows, by the message of their record. */
export const eventTexts: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  ['created nodeclaim', (record) => created(record)],
  ['launched nodeclaim', launched],
  ['registered nodeclaim', ({ fields }) => good('registered', claimIn(fields), as(nodeIn(fields)))],
  ['initialized nodeclaim', ({ fields }) => good('ready', claimIn(fields))],
  ['disrupting node(s)', disrupting],
  ['initiating delete from interruption message', interrupted],
  [
    'initiating delete for capacity block expiration',
    ({ fields }) => change('interrupted', claimIn(fields), '(its capacity block ends)'),
  ],
  [
    'launching replacement for nodeclaim',
    ({ fields }) =>
      change('replacing', claimIn(fields), 'by', textIn(fields, 'replacement'), because(fields)),
  ],
  [
    'giving up replacement for nodeclaim',
    ({ fields }) => change('keeping', claimIn(fields), 'and not', textIn(fields, 'replacement')),
  ],
  [
    'detected unhealthy instance owned by cluster',
    ({ fields }) =>
      change('unhealthy', textIn(fields, 'instance-id'), inBrackets(textIn(fields, 'category'))),
  ],
  [
    'deleting unhealthy node',
    ({ fields }) => change('repairing', claimIn(fields), '(its node is unhealthy)'),
  ],
  ['tainted node', ({ fields }) => change('draining', claimIn(fields), inBrackets(nodeIn(fields)))],
  ['deleted nodeclaim', deleted],
  ['provisioning nodeclaims to satisfy replica count', (record) => scaling(record, 'provision-count')],
  ['deprovisioning nodeclaims to satisfy replica count', (record) => scaling(record, 'deprovision-count')],
]);

const good = (verb: string, ...rest: readonly (string | undefined)[]): LineText => ({
  tone: 'good',
  verb,
  rest: joined(...rest),
});

const change = (verb: string, ...rest: readonly (string | undefined)[]): LineText => ({
  ...good(verb, ...rest),
  tone: 'change',
});

const claimIn = (fields: LogFields) => nameIn(fields, 'NodeClaim');
const nodeIn = (fields: LogFields) => nameIn(fields, 'Node');
const as = (node: string | undefined) => (node === undefined ? undefined : `as ${node}`);
const inBrackets = (text: string | undefined) => (text === undefined ? undefined : `(${text})`);

function because(fields: LogFields): string | undefined {
  return inBrackets(textIn(fields, 'reason')?.replaceAll('_', ' '));
}

function forPods(pods: number | undefined): string | undefined {
  return pods === undefined ? undefined : `for ${counted(pods, 'pod')}`;
}

function created({ fields, facts }: LogRecord): LineText {
  const pool = nameIn(fields, 'NodePool');
  const text = good(
    'created',
    claimIn(fields),
    pool === undefined ? undefined : `of NodePool ${pool}`,
    forPods(numberIn(facts, 'pods')),
  );
  return { ...text, tone: 'plain' };
}

function launched({ fields }: LogRecord, { priceOf, podsOf }: EventKnowledge): LineText {
  const name = claimIn(fields);
  const instanceType = textIn(fields, 'instance-type') ?? '';
  const capacityType = textIn(fields, 'capacity-type') ?? '';
  const zone = textIn(fields, 'zone') ?? '';
  const price = priceOf({ instanceType, capacityType, zone });
  return good(
    'launched',
    ...[name, instanceType, capacityType, zone],
    price === undefined ? undefined : hourly(price),
    name === undefined ? undefined : forPods(podsOf(name)),
  );
}

function interrupted({ fields }: LogRecord): LineText {
  return change('interrupted', claimIn(fields), because(fields));
}

/** A NodeClaim that could not be launched has no instance to terminate. */
function deleted({ fields }: LogRecord): LineText {
  const hadInstance = textIn(fields, 'provider-id') !== undefined;
  return hadInstance
    ? change('terminated', claimIn(fields), inBrackets(nodeIn(fields)))
    : change('deleted', claimIn(fields), '(it had no instance)');
}

function scaling({ fields }: LogRecord, countKey: string): LineText {
  const count = numberIn(fields, countKey) ?? 0;
  const verb = countKey === 'provision-count' ? 'adding' : 'removing';
  const nodes = `${counted(count, 'node')} of NodePool ${nameIn(fields, 'NodePool') ?? ''}`.trim();
  return change(
    verb,
    nodes,
    `(has ${numberIn(fields, 'current') ?? 0}, wants ${numberIn(fields, 'desired') ?? 0})`,
  );
}

function disrupting({ fields, facts }: LogRecord): LineText {
  const nodes = listIn(fields, 'disrupted-nodes');
  const reason = textIn(facts, 'reason')?.toLowerCase();
  return change(
    'disrupting',
    `${counted(nodes.length, 'node')}${reason === undefined ? '' : ` (${reason})`}:`,
    `${nodes.map(disruptedNode).join(', ')},`,
    [replacements(numberIn(fields, 'replacement-node-count') ?? 0), savings(numberIn(facts, 'savings'))]
      .filter((part) => part !== undefined)
      .join(', '),
  );
}

function listIn(fields: LogFields, key: string): readonly LogFields[] {
  const value = fields[key];
  return Array.isArray(value) ? value : [];
}

function disruptedNode(node: LogFields): string {
  return joined(claimIn(node) ?? nodeIn(node), textIn(node, 'instance-type'), textIn(node, 'capacity-type'));
}

function replacements(count: number): string {
  return count === 0 ? 'no replacement' : counted(count, 'replacement');
}

/** Savings that round to nothing are left out: drift replaces a node by an equal one. */
function savings(dollars: number | undefined): string | undefined {
  if (dollars === undefined || Math.abs(dollars) < 0.00005) return undefined;
  return dollars > 0 ? `saves ${hourly(dollars)}` : `costs ${hourly(-dollars)} more`;
}
