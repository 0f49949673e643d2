import type { LogLevel } from '@karpenter/controllers';
import { type EventKnowledge, eventTexts, type LineText, type Tone } from './event-texts.ts';
import type { LogRecord } from './log-record.ts';
import { isProblem, problemText } from './problem-text.ts';
import { oneLine } from './words.ts';

export interface LineOptions extends EventKnowledge {
  readonly level: LogLevel;
  readonly isColoured: boolean;
}

/**
 * The line for a record, without its end; undefined if a newcomer has no use for the record. With level debug every
 * record has a line.
 */
export function readableLine(record: LogRecord, options: LineOptions): string | undefined {
  const text = textOf(record, options);
  if (text === undefined) return undefined;
  const verb = painted(text.verb, colours[text.tone], options);
  return `${painted(clockTime(record.time), dim, options)} ${verb} ${oneLine(text.rest)}`.trimEnd();
}

function textOf(record: LogRecord, options: LineOptions): LineText | undefined {
  if (isProblem(record)) return problemText(record);
  const describe = record.level === 'info' ? eventTexts.get(record.message) : undefined;
  if (describe !== undefined) return describe(record, options);
  // Records outside of a reconcile come from the development cluster itself, such as changed faults.
  if (options.level !== 'debug' && record.fields['controller'] !== undefined) return undefined;
  return { tone: 'plain', verb: record.level, rest: anyRecord(record) };
}

/** Fields of every reconcile; the controller alone says enough. */
const scopeKeys: ReadonlySet<string> = new Set([
  'controllerGroup',
  'controllerKind',
  'namespace',
  'name',
  'reconcileID',
]);

function anyRecord({ message, fields }: LogRecord): string {
  const shown = Object.entries(fields).filter(([key]) => !scopeKeys.has(key));
  return [message, ...shown.map(([key, value]) => `${key}=${valueText(value)}`)].join(' ');
}

function valueText(value: unknown): string {
  return typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
}

const dim = '2';
const colours: Readonly<Record<Tone, string>> = { good: '32', change: '33', bad: '31', plain: '' };

function painted(text: string, colour: string, { isColoured }: LineOptions): string {
  return isColoured && colour !== '' ? `\u001b[${colour}m${text}\u001b[0m` : text;
}

/** Local time, as the reader's own clock shows it. */
function clockTime(time: Date): string {
  const parts = [time.getHours(), time.getMinutes(), time.getSeconds()];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
