export interface Taint {
  readonly key: string;
  readonly value?: string;
  /** `NoSchedule`, `PreferNoSchedule` or `NoExecute`. */
  readonly effect: string;
  readonly timeAdded?: string;
}

export interface Toleration {
  /** Empty with `Exists` matches every key. */
  readonly key?: string;
  /** Defaults to `Equal`; otherwise `Exists`, `Gt` or `Lt`. */
  readonly operator?: string;
  readonly value?: string;
  /** Empty matches every effect. */
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

const smallestInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;

function parseInt64(text: string): bigint | undefined {
  if (!/^(0|-?[1-9]\d*)$/.test(text)) return undefined;
  const value = BigInt(text);
  return value >= smallestInt64 && value <= maxInt64 ? value : undefined;
}

/** Compares the integers of taint and toleration; tolerates nothing if either is not an integer. */
function toleratesNumber(operator: 'Gt' | 'Lt', wanted: string, actual: string): boolean {
  const bound = parseInt64(wanted);
  const value = parseInt64(actual);
  if (bound === undefined || value === undefined) return false;
  return operator === 'Gt' ? value > bound : value < bound;
}

function toleratesValue(toleration: Toleration, taint: Taint): boolean {
  const operator = toleration.operator || 'Equal';
  const wanted = toleration.value ?? '';
  const actual = taint.value ?? '';
  if (operator === 'Exists') return true;
  if (operator === 'Gt' || operator === 'Lt') return toleratesNumber(operator, wanted, actual);
  return operator === 'Equal' && wanted === actual;
}

export function tolerates(toleration: Toleration, taint: Taint): boolean {
  if (toleration.effect && toleration.effect !== taint.effect) return false;
  if (toleration.key && toleration.key !== taint.key) return false;
  return toleratesValue(toleration, taint);
}

/** The taints that no toleration covers, whatever their effect. */
export function untolerated(
  taints: readonly Taint[] = [],
  tolerations: readonly Toleration[] = [],
): readonly Taint[] {
  return taints.filter((taint) => !tolerations.some((toleration) => tolerates(toleration, taint)));
}

/** Same key and effect, which identify a taint on a node; its value may change. */
export function isSameTaint(a: Taint, b: Taint): boolean {
  return a.key === b.key && a.effect === b.effect;
}

/** Kubernetes' notation: `key=value:Effect`, or `key:Effect` without a value. */
export function formatTaint({ key, value, effect }: Taint): string {
  if (value) return `${key}=${value}:${effect}`;
  return effect ? `${key}:${effect}` : key;
}
