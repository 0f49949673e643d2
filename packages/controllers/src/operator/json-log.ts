import type { Log, LogFields } from '@karpenter/core/ports';
import { LineSampling } from './line-sampling.ts';
import { currentScope } from './reconcile-scope.ts';

export const logLevels = ['debug', 'info', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface JsonLogOptions {
  /** The least serious lines that are written. */
  readonly level: LogLevel;
  readonly now: () => number;
  readonly write: (line: string) => void;
  readonly logger?: string;
  readonly commit?: string;
}

/**
 * Log lines as JSON, with their keys in the order that people and their tools are used to: what and when, then which
 * reconcile, then what differs.
 */
export class JsonLog implements Log {
  readonly #options: JsonLogOptions;
  readonly #sampling: LineSampling;
  readonly #least: number;

  constructor(options: JsonLogOptions) {
    this.#options = options;
    this.#sampling = new LineSampling(options.now);
    this.#least = logLevels.indexOf(options.level);
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

  #write(level: LogLevel, message: string, fields: LogFields = {}): void {
    if (logLevels.indexOf(level) < this.#least || !this.#sampling.lets(level, message)) return;
    const { now, write, logger = 'controller', commit } = this.#options;
    const line = {
      level: level.toUpperCase(),
      time: new Date(now()).toISOString(),
      logger,
      message,
      commit,
      ...currentScope()?.fields,
      ...fields,
    };
    write(`${JSON.stringify(line)}\n`);
  }
}
