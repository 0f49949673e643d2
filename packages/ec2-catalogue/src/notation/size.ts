/** A size of a family. */
export interface Size {
  /** Size in the type's name, such as `2xlarge` or `metal-24xl`. */
  readonly name: string;
  /**
   * Size code in the tables, such as `2`. Bare metal has the code of the virtual size with the same shape.
   */
  readonly code: string;
  readonly vcpus: number;
  readonly metal: boolean;
}

const letters: Readonly<Record<string, { readonly name: string; readonly vcpus: number }>> = {
  m: { name: 'medium', vcpus: 1 },
  l: { name: 'large', vcpus: 2 },
  x: { name: 'xlarge', vcpus: 4 },
};

/** A virtual size; the code determines its vCPUs. */
export function virtualSize(code: string): Size {
  return { name: sizeName(code), code, vcpus: codeVcpus(code), metal: false };
}

/** A bare metal size: `metal=24` and `metal-24xl` have the shape of 24xlarge. */
export function metalSize(word: string): Size {
  const code = /\d+/.exec(word)?.[0] ?? '';
  return { name: word.split('=')[0] ?? word, code, vcpus: codeVcpus(code), metal: true };
}

/** A size of a table that lists its vCPUs. */
export function listedSize(code: string, vcpus: number): Size {
  return { name: sizeName(code), code, vcpus, metal: code === 'metal' };
}

/** vCPUs of a size code: four per `xlarge`. */
export function codeVcpus(code: string): number {
  return letters[code]?.vcpus ?? 4 * Number(code);
}

function sizeName(code: string): string {
  return letters[code]?.name ?? (/^\d+$/.test(code) ? `${code}xlarge` : code);
}
