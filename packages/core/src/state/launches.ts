import { labelKeys, type NodeClaim } from '../api/index.ts';
import type { InstanceType } from '../ports/index.ts';
import { type LaunchingClaim, launchingView } from './launching-claim.ts';
import { claimIdOf } from './node-identity.ts';
import { OrderedMap } from './ordered-map.ts';

type TypesOf = (nodePool: string) => readonly InstanceType[];

/** The NodeClaims that are on their way to a machine, and for which pods. */
export class Launches {
  readonly #claims = new OrderedMap<NodeClaim>();
  readonly #pods = new Map<string, ReadonlySet<string>>();
  readonly #known = new Map<
    string,
    { readonly launching: LaunchingClaim; readonly types: readonly InstanceType[] }
  >();

  /** A claim that is deleted before it was launched will never be, so its pods need another. */
  put(claim: NodeClaim): void {
    const { name, deletionTimestamp } = claim.metadata;
    if (claimIdOf(claim) !== undefined || deletionTimestamp !== undefined) {
      this.remove(name);
      return;
    }
    this.#claims.set(name, claim);
    this.#known.delete(name);
  }

  remove(name: string): void {
    this.#claims.delete(name);
    this.#pods.delete(name);
    this.#known.delete(name);
  }

  /** Pods of claims that are launched, or gone, are told by other means. */
  record(name: string, pods: readonly string[]): void {
    if (this.#claims.get(name) === undefined) return;
    this.#pods.set(name, new Set(pods));
    this.#known.delete(name);
  }

  list(typesOf: TypesOf): readonly LaunchingClaim[] {
    return this.#claims.values().map((claim) => this.#launching(claim, typesOf));
  }

  #launching(nodeClaim: NodeClaim, typesOf: TypesOf): LaunchingClaim {
    const { name, labels } = nodeClaim.metadata;
    const types = typesOf(labels?.[labelKeys.nodePool] ?? '');
    const known = this.#known.get(name);
    if (known?.types === types) return known.launching;
    const pods = this.#pods.get(name);
    const view = launchingView(nodeClaim, types);
    const launching = { nodeClaim, view, ...(pods !== undefined && { pods }) };
    this.#known.set(name, { launching, types });
    return launching;
  }
}
