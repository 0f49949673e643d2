import { createHash } from 'node:crypto';
import { labelKeys, type NodeClaim } from '@karpenter/core/api';
import type { Clock, Instant } from '@karpenter/kube/runtime';
import { isTokenUsed } from '../aws-errors/index.ts';
import { canonicalText } from '../launch-templates/index.ts';
import { launchTuning } from '../names/index.ts';

/** EC2 takes 64 characters; half of them make two that are equal by chance impossible. */
const tokenLength = 32;
/** A batch that is forgotten starts again with its first token, and EC2 repeats its old answers. */
const remembered = 10_000;

interface Batch {
  readonly id: string;
  /** What its claims ask for; undefined if another process has assigned it. */
  readonly key: string | undefined;
  claims: number;
  /** Requests that EC2 has carried out. */
  carriedOut: number;
  /** Settles when the last request so far is answered. */
  lastRequest: Promise<unknown>;
  /** Tokens that turned out to be used, and the error and the time of the last. */
  mismatches: number;
  lastMismatch?: { readonly error: unknown; readonly at: Instant };
}

/** A batch as a launch finds it, before it looks for instances that exist already. */
export interface BatchEntry {
  readonly id: string;
  readonly mismatches: number;
}

interface LaunchBatchesOptions {
  readonly clock: Pick<Clock, 'now'>;
  /** A text that never comes twice. */
  readonly unique: () => string;
}

/**
 * Batches of NodeClaims that are launched by the same fleet requests. A claim joins a batch once, before its first
 * launch, and keeps it for good.
 *
 * The requests of a batch are sent one after the other, and each token follows from the batch and from how many requests
 * EC2 has carried out before. So a process that knows nothing but the batch goes through the same tokens: whatever an
 * earlier leader has sent and EC2 has not handled yet, EC2 handles one of both requests and refuses the other.
 *
 * A mismatch means that EC2 has started instances for the batch that this process does not know. Launches that began
 * before are refused with it, because they have not looked for those instances.
 */
export class LaunchBatches {
  readonly #options: LaunchBatchesOptions;
  readonly #batches = new Map<string, Batch>();
  /** Ids of batches that claims can still join, by what the claims ask for. */
  readonly #open = new Map<string, string>();

  constructor(options: LaunchBatchesOptions) {
    this.#options = options;
  }

  /** A batch for the claim, shared with claims that ask for the same and have not been launched yet. */
  assign(claim: NodeClaim): string {
    const key = launchKey(claim);
    const batch = this.#openBatch(key) ?? this.#add(this.#options.unique(), key);
    this.#open.set(key, batch.id);
    batch.claims += 1;
    return batch.id;
  }

  /** Whether another process has assigned the batch, and may have launched for it. */
  isForeign(id: string): boolean {
    return this.#batches.get(id)?.key === undefined;
  }

  /** Called by a launch before it looks for instances that exist already. */
  enter(id: string): BatchEntry {
    return { id, mismatches: this.#batches.get(id)?.mismatches ?? 0 };
  }

  /** When EC2 last said that a token of the batch is used. */
  lastMismatch(id: string): Instant | undefined {
    return this.#batches.get(id)?.lastMismatch?.at;
  }

  /** Sends a request when the earlier ones of its batch are answered. Nobody joins the batch from now on. */
  request<Answer>(entry: BatchEntry, send: (token: string) => Promise<Answer>): Promise<Answer> {
    const batch = this.#batches.get(entry.id) ?? this.#add(entry.id, undefined);
    this.#close(batch);
    const answer = batch.lastRequest.then(() => {
      if (entry.mismatches < batch.mismatches) throw batch.lastMismatch?.error;
      return this.#send(batch, send);
    });
    batch.lastRequest = answer.catch(() => undefined);
    return answer;
  }

  #openBatch(key: string): Batch | undefined {
    const batch = this.#batches.get(this.#open.get(key) ?? '');
    return batch !== undefined && batch.claims < launchTuning.claimsPerBatch ? batch : undefined;
  }

  #add(id: string, key: string | undefined): Batch {
    const batch: Batch = { id, key, claims: 0, carriedOut: 0, mismatches: 0, lastRequest: Promise.resolve() };
    this.#batches.set(id, batch);
    const [oldest] = this.#batches.values();
    if (this.#batches.size > remembered && oldest !== undefined) {
      this.#close(oldest);
      this.#batches.delete(oldest.id);
    }
    return batch;
  }

  #close({ id, key }: Batch): void {
    if (key !== undefined && this.#open.get(key) === id) this.#open.delete(key);
  }

  /**
   * A request that EC2 refused, or whose answer was lost, does not count: the next one has the same token, and EC2
   * remembers whether it has carried it out.
   */
  async #send<Answer>(batch: Batch, send: (token: string) => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await send(clientToken(batch));
      batch.carriedOut += 1;
      return answer;
    } catch (error) {
      if (isTokenUsed(error)) this.#recordMismatch(batch, error);
      throw error;
    }
  }

  #recordMismatch(batch: Batch, error: unknown): void {
    batch.carriedOut += 1;
    batch.mismatches += 1;
    batch.lastMismatch = { error, at: this.#options.clock.now() };
  }
}

function clientToken({ id, carriedOut }: Batch): string {
  return createHash('sha256').update(`${id}/${carriedOut}`).digest('hex').slice(0, tokenLength);
}

/** Claims with the same key are likely to give the same fleet request. */
function launchKey({ metadata, spec }: NodeClaim): string {
  const nodePool = metadata.labels?.[labelKeys.nodePool];
  return canonicalText([nodePool, spec.nodeClassRef, spec.requirements]);
}
