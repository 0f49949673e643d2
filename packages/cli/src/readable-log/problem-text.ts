import type { LogFields } from '@karpenter/core/ports';
import type { LineText } from './event-texts.ts';
import { type LogRecord, nameIn, textIn } from './log-record.ts';
import { joined } from './words.ts';

/** Fields that name the object of a record, the most specific first. */
const objectKeys = ['Pod', 'NodeClaim', 'Node', 'NodePool', 'EC2NodeClass', 'Deployment'];

type Describe = (record: LogRecord) => LineText;

const knownProblems: ReadonlyMap<string, Describe> = new Map<string, Describe>([
  [
    'could not schedule pod',
    ({ fields }) => bad('unschedulable', `${objectIn(fields)}: ${firstReason(errorIn(fields))}`),
  ],
  [
    'failed launching nodeclaim',
    ({ fields }) => bad('launch failed', `${objectIn(fields)}: ${errorIn(fields)}`),
  ],
  [
    // The controllers name what failed in the error itself, so the message adds nothing.
    'Reconciler error',
    ({ fields }) =>
      bad('error', `${joined(textIn(fields, 'controller'), objectIn(fields))}: ${errorIn(fields)}`),
  ],
]);

/** A record that reports a failure: what failed, on which object, and why. */
export function problemText(record: LogRecord): LineText {
  const text = knownProblems.get(record.message)?.(record) ?? anyProblem(record);
  const { repeated } = record.fields;
  return typeof repeated === 'number'
    ? { ...text, rest: `${text.rest} (and ${repeated} more like it)` }
    : text;
}

/** Some failures that Karpenter logs at level info are problems for the reader all the same. */
export function isProblem({ level, fields }: LogRecord): boolean {
  return level === 'error' || (level === 'info' && (fields['error'] ?? fields['warning']) !== undefined);
}

function anyProblem({ level, message, fields }: LogRecord): LineText {
  const object = objectIn(fields);
  const what = object === '' ? message : `${message} (${object})`;
  const why = errorIn(fields);
  return bad(level === 'error' ? 'error' : 'warning', why === '' ? what : `${what}: ${why}`);
}

const bad = (verb: string, rest: string): LineText => ({ tone: 'bad', verb, rest });

function objectIn(fields: LogFields): string {
  for (const key of objectKeys) {
    const name = nameIn(fields, key);
    if (name !== undefined) return name;
  }
  return '';
}

/** The messages of an AggregateError's errors come after its own. */
function errorIn(fields: LogFields): string {
  const causes = fields['errorCauses'];
  const texts = [textIn(fields, 'error') ?? textIn(fields, 'warning')];
  if (Array.isArray(causes)) texts.push(...causes.map(String));
  return texts.filter((text) => text !== undefined).join('; ');
}

/**
 * Messages have a reason for each NodePool, and list all requirements, which can take up several screens. The event of
 * the pod has the whole message.
 */
function firstReason(error: string): string {
  const [first = ''] = error.split('; ');
  return first.replace(/, requirements=.*?(?=, resources=|$)/, '');
}
