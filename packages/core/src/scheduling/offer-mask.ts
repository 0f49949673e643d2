import type { Requirements } from '../requirements/index.ts';
import { type HostPort, hostPortsClash } from '../values/index.ts';
import type { NodeTemplate, TemplateType } from './node-template.ts';
import { remembered } from './remembered.ts';
import { fitsInto } from './resource-axes.ts';

/** Bit sets over the offers of a template, made once for each distinct set of requirements. */
export class OfferMasks {
  readonly #template: NodeTemplate;
  readonly #bySignature = new Map<string, Uint32Array>();

  constructor(template: NodeTemplate) {
    this.#template = template;
  }

  /** The offers on which a node with these requirements can be launched. */
  allowedBy(requirements: Requirements): Uint32Array {
    const signature = signatureOf(requirements);
    const known = this.#bySignature.get(signature);
    if (known !== undefined) return known;
    const mask = this.#maskFor(requirements);
    this.#bySignature.set(signature, mask);
    return mask;
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

  #maskFor(requirements: Requirements): Uint32Array {
    const { offers } = this.#template;
    const mask = new Uint32Array((offers.length + 31) >>> 5);
    const isOffered = remembered((offered: Requirements) => requirements.intersects(offered));
    let type: TemplateType | undefined;
    let isTypeAllowed = false;
    for (const { index, of, offering } of offers) {
      if (of !== type) isTypeAllowed = of.type.requirements.intersects(requirements);
      type = of;
      if (isTypeAllowed && isOffered(offering.requirements)) {
        mask[index >>> 5] = (mask[index >>> 5] ?? 0) | (1 << (index & 31));
      }
    }
    return mask;
  }
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
