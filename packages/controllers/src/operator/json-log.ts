import type { Log, LogFields } from '@karpenter/core/ports';
import { cutText, cutValues } from './cut-values.ts';
import { LineSampling } from './line-sampling.ts';
import { currentScope } from './reconcile-scope.ts';
import { RepeatedLines } from './repeated-lines.ts';

const logLevels = ['debug', 'info', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface JsonLogOptions {
  /** The lowest level that is written. */
  readonly level: LogLevel;
  readonly now: () => number;
  /**
   * Writes a line. `facts` are further values for readers of a terminal; the JSON line leaves them out, because it
   * has exactly Karpenter's fields.
   */
  readonly write: (line: string, facts: LogFields) => void;
  readonly logger?: string;
  readonly commit?: string;
}

interface LineContent {
  readonly fields: LogFields | undefined;
  readonly facts?: LogFields | undefined;
}

/**
 * Writes log lines as JSON. The keys are in the order of Karpenter's log, which users parse: level, time, logger and
 * message, then the fields of the reconcile, then those of the message (ADR 0027). Long values are cut; errors that
 * repeat are counted and summarized once a minute.
 */
export class JsonLog implements Log {
  readonly #options: JsonLogOptions;
  readonly #sampling: LineSampling;
  readonly #repeats: RepeatedLines;
  readonly #minLevel: number;

  constructor(options: JsonLogOptions) {
    this.#options = options;
    this.#sampling = new LineSampling(options.now);
    this.#repeats = new RepeatedLines(options.now);
    this.#minLevel = logLevels.indexOf(options.level);
  }

  debug(message: string, fields?: LogFields): void {
    this.#write('debug', message, { fields });
  }

  info(message: string, fields?: LogFields, facts?: LogFields): void {
    this.#write('info', message, { fields, facts });
  }

  error(message: string, fields?: LogFields): void {
    this.#write('error', message, { fields });
  }

  #write(level: LogLevel, message: string, { fields, facts = {} }: LineContent): void {
    if (logLevels.indexOf(level) < this.#minLevel || !this.#sampling.allows(level, message)) return;
    const { now, logger = 'controller', commit } = this.#options;
    for (const summary of this.#repeats.takeSummaries()) this.#writeLine(summary);
    const line = {
      level: level.toUpperCase(),
      time: new Date(now()).toISOString(),
      logger,
      message: cutText(message),
      commit,
      ...cutValues({ ...currentScope()?.fields, ...fields }),
    };
    if (level !== 'error' || this.#repeats.admits(line)) this.#writeLine(line, facts);
  }

  #writeLine(line: LogFields, facts: LogFields = {}): void {
    this.#options.write(`${JSON.stringify(line)}\n`, facts);
  }
}
