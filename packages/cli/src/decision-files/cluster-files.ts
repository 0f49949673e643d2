import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzippedDecision } from '@karpenter/controllers';
import {
  type Decision,
  type DecisionClusters,
  isDecisionId,
  type ReplayMaterial,
} from '@karpenter/core/decisions';
import { ownerOnly } from './decision-lines.ts';

export interface ClusterBounds {
  readonly files: number;
  readonly totalBytes: number;
  /** Clusters that wait to be written; they hold objects that the caches have replaced. */
  readonly waiting: number;
}

const suffix = '.json.gz';
const partSuffix = '.part';

type Waiting = readonly [Decision, ReplayMaterial];

/** The clusters of decisions as compressed files. One is written at a time, in the background. */
export class ClusterFiles implements DecisionClusters {
  readonly isOn = true;
  readonly #directory: string;
  readonly #bounds: ClusterBounds;
  readonly #onError: (error: unknown) => void;
  /** Bytes by id, the oldest first. */
  readonly #sizes = new Map<string, number>();
  readonly #waiting = new Map<string, Waiting>();
  #writing: Promise<void> = Promise.resolve();

  private constructor(directory: string, bounds: ClusterBounds, onError: (error: unknown) => void) {
    this.#directory = directory;
    this.#bounds = bounds;
    this.#onError = onError;
  }

  static async open(
    directory: string,
    bounds: ClusterBounds,
    onError: (error: unknown) => void,
  ): Promise<ClusterFiles> {
    const files = new ClusterFiles(directory, bounds, onError);
    await mkdir(directory, { recursive: true, mode: ownerOnly.directory });
    for (const name of (await readdir(directory)).sort()) await files.#find(name);
    return files;
  }

  keep(decision: Decision, material: ReplayMaterial): void {
    this.#waiting.set(decision.id, [decision, material]);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > this.#bounds.waiting && oldest !== undefined) this.#waiting.delete(oldest);
    this.#writing = this.#writing.then(() => this.#write(decision.id)).catch(this.#onError);
  }

  has(id: string): boolean {
    return this.#waiting.has(id) || this.#sizes.has(id);
  }

  async read(id: string): Promise<Uint8Array | undefined> {
    const waiting = this.#waiting.get(id);
    if (waiting !== undefined) return gzippedDecision(...waiting);
    if (!this.#sizes.has(id)) return undefined;
    try {
      return await readFile(this.#pathOf(id));
    } catch {
      // Somebody has removed it.
      this.#sizes.delete(id);
      return undefined;
    }
  }

  /** Resolves when all clusters are written. */
  flush(): Promise<void> {
    return this.#writing;
  }

  async #write(id: string): Promise<void> {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    try {
      const bytes = await gzippedDecision(...waiting);
      // Renamed, so that nobody reads half of it.
      const path = this.#pathOf(id);
      await writeFile(`${path}${partSuffix}`, bytes, { mode: ownerOnly.file });
      await rename(`${path}${partSuffix}`, path);
      this.#sizes.set(id, bytes.length);
    } finally {
      this.#waiting.delete(id);
    }
    await this.#removeOldest();
  }

  async #removeOldest(): Promise<void> {
    const { files, totalBytes } = this.#bounds;
    const total = () => [...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
    while (this.#sizes.size > files || (this.#sizes.size > 1 && total() > totalBytes)) {
      const [oldest] = this.#sizes.keys();
      if (oldest === undefined) return;
      this.#sizes.delete(oldest);
      await rm(this.#pathOf(oldest), { force: true });
    }
  }

  /** Takes a file of an earlier process; one that was not finished is removed. */
  async #find(name: string): Promise<void> {
    const id = name.slice(0, -suffix.length);
    const path = join(this.#directory, name);
    if (name.endsWith(`${suffix}${partSuffix}`)) await rm(path, { force: true });
    else if (name.endsWith(suffix) && isDecisionId(id)) this.#sizes.set(id, (await stat(path)).size);
  }

  #pathOf(id: string): string {
    return join(this.#directory, `${id}${suffix}`);
  }
}
