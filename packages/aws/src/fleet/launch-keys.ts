import type { NodeClaim } from '@karpenter/core/api';

/** Claims that failed long ago are gone; one that is forgotten begins again, and gets its old answers once more. */
const remembered = 10_000;

/**
 * Names each attempt to launch an instance for a NodeClaim, by the uid of the claim and by how many answers of EC2 held no
 * instance for it. An attempt that EC2 refused, or whose answer was lost, is made again under its name: EC2 remembers
 * only what it carried out, and then answers with what it has started. Another leader goes through the same names from
 * the first.
 */
export class LaunchKeys {
  readonly #attempts = new Map<string, number>();

  of(claim: NodeClaim): string {
    return `${uidOf(claim)}/${this.#attempts.get(uidOf(claim)) ?? 0}`;
  }

  /** The present name has been answered, with no instance that this claim could have. */
  advance(claim: NodeClaim): void {
    const uid = uidOf(claim);
    const attempts = this.#attempts.get(uid) ?? 0;
    this.#attempts.delete(uid);
    this.#attempts.set(uid, attempts + 1);
    const [oldest] = this.#attempts.keys();
    if (this.#attempts.size > remembered && oldest !== undefined) this.#attempts.delete(oldest);
  }
}

function uidOf({ metadata }: NodeClaim): string {
  return metadata.uid ?? metadata.name;
}
