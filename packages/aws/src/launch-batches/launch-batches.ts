import { createHash } from 'node:crypto';
import { labelKeys, type NodeClaim } from '@karpenter/core/api';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import { isTokenUsed } from '../aws-errors/index.ts';
import { canonicalText } from '../launch-templates/index.ts';
import { launchTuning } from '../names/index.ts';

/** EC2 allows 64 characters; 32 hex digits make collisions practically impossible. */
const tokenLength = 32;
/**
 * Limits the memory. A batch that is dropped and used again starts with its first token, so EC2 replays its old
 * responses: slower, but nothing is launched twice.
 */
const maxBatches = 10_000;

interface Batch {
  readonly id: string;
  /** Requirements that its claims share; undefined if another process assigned the batch. */
  readonly key: string | undefined;
  claims: number;
  /** Number of requests that EC2 has executed. */
  executed: number;
  /** Settles when the latest request has its response. */
  lastRequest: Promise<unknown>;
  /** Number of tokens that EC2 reported as used for a different request, with the last error and its time. */
  mismatches: number;
  lastMismatch?: { readonly error: unknown; readonly at: Instant };
}

/** State of a batch at the start of a launch, before the launch looks for instances that exist already. */
export interface BatchEntry {
  readonly id: string;
  readonly mismatches: number;
}

interface LaunchBatchesOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** Returns a new unique id at each call. */
  readonly unique: () => string;
}

/**
 * Batches of NodeClaims that are launched by the same fleet requests (ADR 0036). A claim joins a batch once, before its
 * first launch, and keeps it.
 *
 * The requests of a batch are sent one after the other. The client token of each is a hash of the batch and of how many
 * requests EC2 has executed for it. So a process that knows only the batch goes through the same tokens in the same
 * order, and if a request of an earlier leader arrives late, EC2 executes only one of the two with the same token.
 *
 * A mismatch (`IdempotentParameterMismatch`) means that EC2 has launched instances for the batch that this process does
 * not know. Launches that began before it are rejected with the same error, because they have not looked for those
 * instances.
 */
export class LaunchBatches {
  readonly #options: LaunchBatchesOptions;
  readonly #batches = new Map<string, Batch>();
  /** Ids of batches that claims can still join, by the requirements of the claims. */
  readonly #open = new Map<string, string>();

  constructor(options: LaunchBatchesOptions) {
    this.#options = options;
  }

  /** Assigns a batch, shared with claims of equal requirements that have not been launched yet. */
  assign(claim: NodeClaim): string {
    const key = launchKey(claim);
    const batch = this.#openBatch(key) ?? this.#add(this.#options.unique(), key);
    this.#open.set(key, batch.id);
    batch.claims += 1;
    return batch.id;
  }

  /** Whether another process assigned the batch, and may have launched instances for it. */
  isForeign(id: string): boolean {
    return this.#batches.get(id)?.key === undefined;
  }

  /** Called by a launch before it looks for instances that exist already. */
  enter(id: string): BatchEntry {
    return { id, mismatches: this.#batches.get(id)?.mismatches ?? 0 };
  }

  /** When EC2 last reported a token of the batch as used for a different request. */
  lastMismatch(id: string): Instant | undefined {
    return this.#batches.get(id)?.lastMismatch?.at;
  }

  /**
   * Sends a request after the earlier ones of its batch have their responses. No claim joins the batch from now on.
   * Rejects without a request if a mismatch has occurred since the entry was taken.
   */
  request<Output>(entry: BatchEntry, send: (token: string) => Promise<Output>): Promise<Output> {
    const batch = this.#batches.get(entry.id) ?? this.#add(entry.id, undefined);
    this.#close(batch);
    const response = batch.lastRequest.then(() => {
      if (entry.mismatches < batch.mismatches) throw batch.lastMismatch?.error;
      return this.#send(batch, send);
    });
    // A failure does not break the chain: the next request repeats the token.
    batch.lastRequest = response.catch(() => undefined);
    return response;
  }

  #openBatch(key: string): Batch | undefined {
    const batch = this.#batches.get(this.#open.get(key) ?? '');
    return batch !== undefined && batch.claims < launchTuning.claimsPerBatch ? batch : undefined;
  }

  #add(id: string, key: string | undefined): Batch {
    const batch: Batch = { id, key, claims: 0, executed: 0, mismatches: 0, lastRequest: Promise.resolve() };
    this.#batches.set(id, batch);
    const [oldest] = this.#batches.values();
    if (this.#batches.size > maxBatches && oldest !== undefined) {
      this.#close(oldest);
      this.#batches.delete(oldest.id);
    }
    return batch;
  }

  #close({ id, key }: Batch): void {
    if (key !== undefined && this.#open.get(key) === id) this.#open.delete(key);
  }

  /**
   * A request that EC2 rejected, or whose response was lost, does not count: the next one has the same token, and EC2
   * knows whether it has executed it.
   */
  async #send<Output>(batch: Batch, send: (token: string) => Promise<Output>): Promise<Output> {
    try {
      const response = await send(clientToken(batch));
      batch.executed += 1;
      return response;
    } catch (error) {
      if (isTokenUsed(error)) this.#recordMismatch(batch, error);
      throw error;
    }
  }

  #recordMismatch(batch: Batch, error: unknown): void {
    // The token was used by a request that EC2 executed, so the next request needs the next token.
    batch.executed += 1;
    batch.mismatches += 1;
    batch.lastMismatch = { error, at: this.#options.clock.now() };
  }
}

function clientToken({ id, executed }: Batch): string {
  return createHash('sha256').update(`${id}/${executed}`).digest('hex').slice(0, tokenLength);
}

/** Claims with the same key are likely to give the same fleet request. */
function launchKey({ metadata, spec }: NodeClaim): string {
  const nodePool = metadata.labels?.[labelKeys.nodePool];
  return canonicalText([nodePool, spec.nodeClassRef, spec.requirements]);
}
