import type { LogLevel } from '@karpenter/controllers';
import type { LogFields } from '@karpenter/core/ports';
import type { PricedOffering } from './event-texts.ts';
import { type LogRecord, nameIn, numberIn, recordOf } from './log-record.ts';
import { readableLine } from './readable-line.ts';
import { UnschedulablePods } from './unschedulable-pods.ts';

export interface LogReaderOptions {
  readonly level: LogLevel;
  readonly isColoured: boolean;
  /** Dollars per hour; undefined if unknown. */
  readonly priceOf: (offering: PricedOffering) => number | undefined;
  readonly write: (text: string) => void;
}

/**
 * Turns the lines of a JSON log into readable ones. It remembers for how many pods each NodeClaim was created until the
 * NodeClaim is deleted, because the record of the launch does not say. A pod that stays unschedulable has one line.
 */
export class LogReader {
  readonly #options: LogReaderOptions;
  readonly #pods = new Map<string, number>();
  readonly #unschedulable = new UnschedulablePods();

  constructor(options: LogReaderOptions) {
    this.#options = options;
  }

  read(line: string, facts: LogFields): void {
    const record = recordOf(line, facts);
    this.#remember(record);
    if (this.#options.level !== 'debug' && this.#unschedulable.isRepeat(record)) return;
    const readable = readableLine(record, { ...this.#options, podsOf: (claim) => this.#pods.get(claim) });
    if (readable !== undefined) this.#options.write(`${readable}\n`);
  }

  #remember({ message, fields, facts }: LogRecord): void {
    const claim = nameIn(fields, 'NodeClaim');
    if (claim === undefined) return;
    const pods = numberIn(facts, 'pods');
    if (message === 'created nodeclaim' && pods !== undefined) this.#pods.set(claim, pods);
    if (message === 'deleted nodeclaim') this.#pods.delete(claim);
  }
}
