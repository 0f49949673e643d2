export interface Size {
  /** As in the name of the type: `2xlarge`, `metal-24xl`. */
  readonly name: string;
  /** In tables, that of the virtual twin for bare metal: `2`, `24`. */
  readonly code: string;
  readonly vcpus: number;
  readonly metal: boolean;
}

const letters: Readonly<Record<string, { readonly name: string; readonly vcpus: number }>> = {
  m: { name: 'medium', vcpus: 1 },
  l: { name: 'large', vcpus: 2 },
  x: { name: 'xlarge', vcpus: 4 },
};

/** A size whose shape follows from its code. */
export function virtualSize(code: string): Size {
  return { name: sizeName(code), code, vcpus: codeVcpus(code), metal: false };
}

/** `metal=24` and `metal-24xl` have the shape of 24xlarge. */
export function metalSize(word: string): Size {
  const code = /\d+/.exec(word)?.[0] ?? '';
  return { name: word.split('=')[0] ?? word, code, vcpus: codeVcpus(code), metal: true };
}

/** A size whose table says how many vCPUs it has. */
export function listedSize(code: string, vcpus: number): Size {
  return { name: sizeName(code), code, vcpus, metal: code === 'metal' };
}

/** Four vCPUs for each `xlarge`. */
export function codeVcpus(code: string): number {
  return letters[code]?.vcpus ?? 4 * Number(code);
}

function sizeName(code: string): string {
  return letters[code]?.name ?? (/^\d+$/.test(code) ? `${code}xlarge` : code);
}
