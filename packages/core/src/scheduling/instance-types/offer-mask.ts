import type { LabelKey, Requirement, Requirements } from '../../requirements/index.ts';
import { type HostPort, hostPortsClash, memoized } from '../../values/index.ts';
import { fitsInto } from '../context/resource-axes.ts';
import type { NodeTemplate, TemplateOffer } from './node-template.ts';
import type { TypeLabels } from './type-labels.ts';

/** Bit sets over the offer kinds of a template, computed once for each distinct set of requirements. */
export class OfferMasks {
  readonly #template: NodeTemplate;
  readonly #labels: TypeLabels;
  readonly #bySignature = new Map<string, Allowed>();
  /** The partition into kinds that the caches below are for. */
  #kinds: Uint32Array | undefined;
  readonly #domains = new Map<LabelKey, Map<Uint32Array, ReadonlySet<string>>>();
  readonly #values = new Map<Requirement, readonly string[]>();

  constructor(template: NodeTemplate, labels: TypeLabels) {
    this.#template = template;
    this.#labels = labels;
  }

  /** The offers on which a node with these requirements can launch. */
  allowedBy(requirements: Requirements): Uint32Array {
    return this.allowed(requirements).mask;
  }

  /** As `allowedBy`, with one object for all equal requirements, so that callers can compare by identity. */
  allowed(requirements: Requirements): Allowed {
    this.#dropOutdated();
    const signature = signatureOf(requirements);
    const known = this.#bySignature.get(signature);
    if (known !== undefined) return hasMinValues(requirements) ? { ...known, requirements } : known;
    const made = { requirements, mask: this.#maskFor(requirements) };
    this.#bySignature.set(signature, made);
    return made;
  }

  /**
   * `OfferKinds.distinguish` renumbers kinds, as when a simulation goes on to pods that name other labels.
   */
  #dropOutdated(): void {
    const { of } = this.#template.kinds;
    if (this.#kinds === of) return;
    this.#kinds = of;
    this.#bySignature.clear();
    this.#domains.clear();
  }

  /** Without offers whose daemons use one of the host ports. */
  withoutPorts(mask: Uint32Array, ports: readonly HostPort[]): Uint32Array {
    if (ports.length === 0) return mask;
    const left = mask.slice();
    for (const [kind, [sample]] of this.#template.kinds.members.entries()) {
      // One offer stands for its kind: offers of types with different daemons are of different kinds.
      if (sample !== undefined && hostPortsClash(sample.of.daemonPorts, ports))
        left[kind >>> 5] = (left[kind >>> 5] ?? 0) & ~(1 << (kind & 31));
    }
    return left;
  }

  /** The domains of a key that the offers of the mask are in. */
  domainsOf(mask: Uint32Array, key: LabelKey): ReadonlySet<string> {
    const byMask = this.#domains.get(key) ?? new Map<Uint32Array, ReadonlySet<string>>();
    this.#domains.set(key, byMask);
    const known = byMask.get(mask);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const [sample] of this.#template.kinds.allowed(mask)) {
      if (sample === undefined) continue;
      for (const domain of this.domainsOffered(sample, key)) found.add(domain);
    }
    byMask.set(mask, found);
    return found;
  }

  /** The domains of a key that a node on the offer may be in. */
  domainsOffered({ of, offering }: TemplateOffer, key: LabelKey): readonly string[] {
    const requirement = offering.requirements.find(key) ?? of.type.find(key);
    if (requirement === undefined || requirement.complement) return [];
    const known = this.#values.get(requirement);
    if (known !== undefined) return known;
    const values = requirement.values();
    this.#values.set(requirement, values);
    return values;
  }

  #maskFor(requirements: Requirements): Uint32Array {
    const { kinds, requirements: own } = this.#template;
    this.#checkKeys(requirements);
    const rows = Uint32Array.from(kinds.members, ([sample]) => sample?.of.type.row ?? 0);
    const allowed = this.#labels.meeting(rows, requirements, own);
    const isOffered = memoized((offered: Requirements) => requirements.intersects(offered));
    const mask = new Uint32Array((rows.length + 31) >>> 5);
    for (const [kind, [sample]] of kinds.members.entries()) {
      if (sample !== undefined && allowed[kind] === 1 && isOffered(sample.offering.requirements))
        mask[kind >>> 5] = (mask[kind >>> 5] ?? 0) | (1 << (kind & 31));
    }
    return mask;
  }

  /** All offers of a pool satisfy the requirements of the pool, also after BestEffort lowered `minValues`. */
  #checkKeys({ entries }: Requirements): void {
    const { kinds, requirements: own } = this.#template;
    const isOwn = (entry: Requirement) => {
      const found = own.find(entry.key);
      return found === entry || found?.equals(entry.withMinValues(found.minValues)) === true;
    };
    const unknown = entries.find((entry) => !kinds.distinguishes(entry.key) && !isOwn(entry));
    if (unknown !== undefined) throw new RangeError(`offers were not told apart by ${unknown.key.name}`);
  }
}

/** Requirements and the offers that they allow. */
export interface Allowed {
  readonly requirements: Requirements;
  readonly mask: Uint32Array;
}

/** The signature leaves `minValues` out, because they do not change which offers are allowed. */
function hasMinValues({ entries }: Requirements): boolean {
  return entries.some(({ minValues }) => minValues !== undefined);
}

/**
 * Equal for requirements that allow the same values. Their text will not do: it is shortened for messages.
 */
export function signatureOf(requirements: Requirements): string {
  let signature = '';
  for (const { key, complement, bits, gte, lte } of requirements.entries) {
    signature += `${key.id}${complement ? '!' : '='}${bits.members().join(',')}`;
    if (gte !== undefined || lte !== undefined) signature += `[${gte ?? ''}:${lte ?? ''}]`;
    signature += ';';
  }
  return signature;
}

export function masksMeet(a: Uint32Array, b: Uint32Array): boolean {
  return a.some((word, index) => (word & (b[index] ?? 0)) !== 0);
}

export function intersectionOf(a: Uint32Array, b: Uint32Array): Uint32Array {
  return a === b ? a : a.map((word, index) => word & (b[index] ?? 0));
}

/**
 * Whether some offer of the mask holds the size. Tries the most expensive first: it is usually the largest.
 */
export function holdsSize({ kinds }: NodeTemplate, mask: Uint32Array, size: Float64Array): boolean {
  for (const offers of kinds.allowed(mask)) {
    for (let i = offers.length - 1; i >= 0; i--) {
      const offer = offers[i];
      if (offer !== undefined && fitsInto(size, offer.room)) return true;
    }
  }
  return false;
}
