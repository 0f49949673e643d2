import type { LabelKey, Requirement, Requirements } from '../requirements/index.ts';
import { type HostPort, hostPortsClash } from '../values/index.ts';
import type { NodeTemplate, TemplateOffer } from './node-template.ts';
import { fitsInto } from './resource-axes.ts';
import type { TypeLabels } from './type-labels.ts';

/** Bit sets over the offers of a template, made once for each distinct set of requirements. */
export class OfferMasks {
  readonly #template: NodeTemplate;
  readonly #labels: TypeLabels;
  readonly #bySignature = new Map<string, Allowed>();
  readonly #domains = new Map<LabelKey, Map<Uint32Array, ReadonlySet<string>>>();
  readonly #values = new Map<Requirement, readonly string[]>();
  readonly #rows: Uint32Array;
  /** Of each offer, its type and what it is offered in, as indexes. */
  readonly #typeOf: Uint32Array;
  readonly #offeredOf: Uint32Array;
  readonly #offered: readonly Requirements[];

  constructor(template: NodeTemplate, labels: TypeLabels) {
    this.#template = template;
    this.#labels = labels;
    const { types, offers } = template;
    this.#rows = Uint32Array.from(types, ({ type }) => type.row);
    this.#typeOf = new Uint32Array(offers.length);
    this.#offeredOf = new Uint32Array(offers.length);
    const offered = new Map<Requirements, number>();
    let type = 0;
    for (let i = 0; i < offers.length; i++) {
      const offer = offers[i];
      if (offer === undefined) continue;
      while (types[type] !== offer.of) type++;
      this.#typeOf[i] = type;
      const { requirements } = offer.offering;
      const index = offered.get(requirements) ?? offered.size;
      offered.set(requirements, index);
      this.#offeredOf[i] = index;
    }
    this.#offered = [...offered.keys()];
  }

  /** The offers on which a node with these requirements can be launched. */
  allowedBy(requirements: Requirements): Uint32Array {
    return this.allowed(requirements).mask;
  }

  /** As `allowedBy`, with the object that stands for all requirements that are equal to these. */
  allowed(requirements: Requirements): Allowed {
    const signature = signatureOf(requirements);
    const known = this.#bySignature.get(signature);
    if (known !== undefined) return asksForVariety(requirements) ? { ...known, requirements } : known;
    const made = { requirements, mask: this.#maskFor(requirements) };
    this.#bySignature.set(signature, made);
    return made;
  }

  /** Without the machines whose daemons already use one of the ports. */
  withoutPorts(mask: Uint32Array, ports: readonly HostPort[]): Uint32Array {
    if (ports.length === 0) return mask;
    const left = mask.slice();
    for (const { index, of } of this.#template.offers) {
      if (hostPortsClash(of.daemonPorts, ports))
        left[index >>> 5] = (left[index >>> 5] ?? 0) & ~(1 << (index & 31));
    }
    return left;
  }

  /** The domains of a key that some offer of the mask is in. */
  domainsOf(mask: Uint32Array, key: LabelKey): ReadonlySet<string> {
    const byMask = this.#domains.get(key) ?? new Map<Uint32Array, ReadonlySet<string>>();
    this.#domains.set(key, byMask);
    const known = byMask.get(mask);
    if (known !== undefined) return known;
    const found = new Set<string>();
    for (const offer of this.#template.offers) {
      if (!hasOffer(mask, offer.index)) continue;
      for (const domain of this.domainsOffered(offer, key)) found.add(domain);
    }
    byMask.set(mask, found);
    return found;
  }

  /** The domains of a key that a node of the offer may be in. */
  domainsOffered({ of, offering }: TemplateOffer, key: LabelKey): readonly string[] {
    const said = offering.requirements.find(key) ?? of.type.find(key);
    if (said === undefined || said.complement) return [];
    const known = this.#values.get(said);
    if (known !== undefined) return known;
    const values = said.values();
    this.#values.set(said, values);
    return values;
  }

  #maskFor(requirements: Requirements): Uint32Array {
    const typeOf = this.#typeOf;
    const offeredOf = this.#offeredOf;
    const allowed = this.#labels.meeting(this.#rows, requirements, this.#template.requirements);
    const isOffered = Uint8Array.from(this.#offered, (offered) => (requirements.intersects(offered) ? 1 : 0));
    const mask = new Uint32Array((typeOf.length + 31) >>> 5);
    for (let i = 0; i < typeOf.length; i++) {
      if (allowed[typeOf[i] ?? 0] === 1 && isOffered[offeredOf[i] ?? 0] === 1)
        mask[i >>> 5] = (mask[i >>> 5] ?? 0) | (1 << (i & 31));
    }
    return mask;
  }
}

/** Requirements and the offers that they allow. */
export interface Allowed {
  readonly requirements: Requirements;
  readonly mask: Uint32Array;
}

/** Of which the signature says nothing. */
function asksForVariety({ entries }: Requirements): boolean {
  return entries.some(({ minValues }) => minValues !== undefined);
}

/** Says exactly what the requirements allow, unlike their text, which is cut for reading. */
export function signatureOf(requirements: Requirements): string {
  let signature = '';
  for (const { key, complement, bits, gte, lte } of requirements.entries) {
    signature += `${key.id}${complement ? '!' : '='}${bits.members().join(',')}`;
    if (gte !== undefined || lte !== undefined) signature += `[${gte ?? ''}:${lte ?? ''}]`;
    signature += ';';
  }
  return signature;
}

export function hasOffer(mask: Uint32Array, index: number): boolean {
  return ((mask[index >>> 5] ?? 0) & (1 << (index & 31))) !== 0;
}

export function masksMeet(a: Uint32Array, b: Uint32Array): boolean {
  return a.some((word, index) => (word & (b[index] ?? 0)) !== 0);
}

export function intersectionOf(a: Uint32Array, b: Uint32Array): Uint32Array {
  return a === b ? a : a.map((word, index) => word & (b[index] ?? 0));
}

/** Whether some offer of the mask holds the size; the largest machines tend to be last, so begin there. */
export function holds({ offers }: NodeTemplate, mask: Uint32Array, size: Float64Array): boolean {
  for (let index = offers.length - 1; index >= 0; index--) {
    const offer = offers[index];
    if (offer !== undefined && hasOffer(mask, index) && fitsInto(size, offer.room)) return true;
  }
  return false;
}
