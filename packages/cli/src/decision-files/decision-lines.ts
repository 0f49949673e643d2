import { appendFile, mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Decision, decisionKinds, isDecisionId } from '@karpenter/core/decisions';

/** The files hold names of pods and nodes. */
export const ownerOnly = { directory: 0o700, file: 0o600 } as const;

export interface LineBounds {
  /** A file that has this many bytes is followed by a new one. */
  readonly fileBytes: number;
  /** The oldest files go when all have more. */
  readonly totalBytes: number;
}

const namePattern = /^decisions-(\d{6,})\.jsonl$/;

interface LineFile {
  readonly path: string;
  bytes: number;
}

/**
 * Decisions as lines of JSON, in numbered files. Files are only appended to, and a process begins its own: a line
 * that a crash has cut off stays the last of its file.
 */
export class DecisionLines {
  readonly #directory: string;
  readonly #bounds: LineBounds;
  /** The oldest first; the last is open if this process has written it. */
  readonly #files: LineFile[] = [];
  #isOpen = false;

  private constructor(directory: string, bounds: LineBounds) {
    this.#directory = directory;
    this.#bounds = bounds;
  }

  static async open(directory: string, bounds: LineBounds): Promise<DecisionLines> {
    const lines = new DecisionLines(directory, bounds);
    await mkdir(directory, { recursive: true, mode: ownerOnly.directory });
    for (const name of (await readdir(directory)).filter((each) => namePattern.test(each)).sort()) {
      const path = join(directory, name);
      lines.#files.push({ path, bytes: (await stat(path)).size });
    }
    return lines;
  }

  /** All decisions that can be read, the oldest first, and how many lines cannot. */
  async read(): Promise<{ readonly decisions: readonly Decision[]; readonly damaged: number }> {
    const texts = await Promise.all(this.#files.map(({ path }) => readFile(path, 'utf8')));
    const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line !== '');
    const decisions = lines.flatMap((line) => decisionOf(line) ?? []);
    return { decisions, damaged: lines.length - decisions.length };
  }

  async append(decision: Decision): Promise<void> {
    const line = `${JSON.stringify(decision)}\n`;
    const file = this.#current();
    await appendFile(file.path, line, { mode: ownerOnly.file });
    file.bytes += Buffer.byteLength(line);
    await this.#removeOldest();
  }

  #current(): LineFile {
    const last = this.#files.at(-1);
    if (this.#isOpen && last !== undefined && last.bytes < this.#bounds.fileBytes) return last;
    this.#isOpen = true;
    const file = { path: join(this.#directory, fileName(numberOf(last) + 1)), bytes: 0 };
    this.#files.push(file);
    return file;
  }

  async #removeOldest(): Promise<void> {
    const total = () => this.#files.reduce((sum, { bytes }) => sum + bytes, 0);
    while (this.#files.length > 1 && total() > this.#bounds.totalBytes) {
      const oldest = this.#files.shift();
      if (oldest !== undefined) await rm(oldest.path, { force: true });
    }
  }
}

function fileName(number: number): string {
  return `decisions-${String(number).padStart(6, '0')}.jsonl`;
}

function numberOf(file: LineFile | undefined): number {
  return Number(namePattern.exec(basename(file?.path ?? ''))?.[1] ?? 0);
}

/** Undefined for a line that breaks off or is no decision. */
function decisionOf(line: string): Decision | undefined {
  try {
    const value = JSON.parse(line) as Partial<Decision> | null;
    const isDecision =
      typeof value === 'object' &&
      value !== null &&
      isDecisionId(String(value.id)) &&
      Number.isFinite(value.at) &&
      typeof value.summary === 'string' &&
      decisionKinds.some((kind) => kind === value.kind);
    return isDecision ? (value as Decision) : undefined;
  } catch {
    return undefined;
  }
}
