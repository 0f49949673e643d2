import type { Log, LogFields } from '@karpenter/core/ports';
import { LineSampling } from './line-sampling.ts';
import { currentScope } from './reconcile-scope.ts';

export const logLevels = ['debug', 'info', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface JsonLogOptions {
  /** The lowest level that is written. */
  readonly level: LogLevel;
  readonly now: () => number;
  readonly write: (line: string) => void;
  readonly logger?: string;
  readonly commit?: string;
}

/**
 * Writes log lines as JSON. The keys come in the order of Karpenter's log: level, time, logger and message,
 * then the fields of the reconcile that the line belongs to, then those of the message.
 */
export class JsonLog implements Log {
  readonly #options: JsonLogOptions;
  readonly #sampling: LineSampling;
  readonly #minLevel: number;

  constructor(options: JsonLogOptions) {
    this.#options = options;
    this.#sampling = new LineSampling(options.now);
    this.#minLevel = logLevels.indexOf(options.level);
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
    if (logLevels.indexOf(level) < this.#minLevel || !this.#sampling.allows(level, message)) return;
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
