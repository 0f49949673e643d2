import type { LogLevel } from '@karpenter/controllers';
import type { LogFields } from '@karpenter/core/ports';

/** One line of the JSON log, with the facts that the line does not contain. */
export interface LogRecord {
  readonly level: LogLevel;
  readonly time: Date;
  readonly message: string;
  readonly fields: LogFields;
  readonly facts: LogFields;
}

/** The keys that every line has. They are no fields of the message. */
const frame: ReadonlySet<string> = new Set(['level', 'time', 'logger', 'message', 'commit']);

/** Reads a line that `JsonLog` wrote. */
export function recordOf(line: string, facts: LogFields): LogRecord {
  const parsed: Readonly<Record<string, LogFields[string]>> = JSON.parse(line);
  return {
    level: String(parsed['level']).toLowerCase() as LogLevel,
    time: new Date(String(parsed['time'])),
    message: String(parsed['message']),
    fields: Object.fromEntries(Object.entries(parsed).filter(([key]) => !frame.has(key))),
    facts,
  };
}

/** The name in a field such as `"NodeClaim":{"name":"default-x7k"}`; undefined without one. */
export function nameIn(fields: LogFields, key: string): string | undefined {
  const value = fields[key];
  if (typeof value !== 'object' || !('name' in value)) return undefined;
  const { name, namespace } = value;
  if (typeof name !== 'string' || name === '') return undefined;
  return typeof namespace === 'string' && namespace !== '' ? `${namespace}/${name}` : name;
}

export function textIn(fields: LogFields, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function numberIn(fields: LogFields, key: string): number | undefined {
  const value = fields[key];
  return typeof value === 'number' ? value : undefined;
}
