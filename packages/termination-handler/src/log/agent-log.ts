import type { Log, LogFields } from '@karpenter/core/ports';

export interface AgentLogOptions {
  readonly level: 'debug' | 'info' | 'error';
  readonly isJson: boolean;
  readonly now: () => number;
  readonly write: (line: string) => void;
}

const levels = ['debug', 'info', 'error'] as const;
type Level = (typeof levels)[number];
const shortNames: Readonly<Record<Level, string>> = { debug: 'DBG', info: 'INF', error: 'ERR' };

/** Log lines as aws-node-termination-handler writes them: `time level message key=value`, or JSON. */
export class AgentLog implements Log {
  readonly #options: AgentLogOptions;

  constructor(options: AgentLogOptions) {
    this.#options = options;
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('debug', message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#write('info', message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#write('error', message, fields);
  }

  #write(level: Level, message: string, fields: LogFields = {}): void {
    const { level: least, isJson, now, write } = this.#options;
    if (levels.indexOf(level) < levels.indexOf(least)) return;
    const time = new Date(now()).toISOString();
    const line = isJson
      ? JSON.stringify({ level, ...fields, time, message })
      : [time, shortNames[level], message, ...pairs(fields)].join(' ');
    write(`${line}\n`);
  }
}

function pairs(fields: LogFields): readonly string[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    if (value === undefined) return [];
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return [`${key}=${/[\s"]/.test(text) ? JSON.stringify(text) : text}`];
  });
}

/** The field of an error for log lines. */
export function errorField(error: unknown): LogFields {
  return { error: error instanceof Error ? error.message : String(error) };
}
