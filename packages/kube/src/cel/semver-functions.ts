import type { Environment } from '@marcbachmann/cel-js';
import { RuleFailure } from './rule-failure.ts';

/** A semantic version as a CEL value, without build metadata, which semver ignores in comparisons. */
export class CelSemver {
  readonly numbers: readonly [bigint, bigint, bigint];
  readonly prerelease: readonly string[];

  constructor(numbers: CelSemver['numbers'], prerelease: readonly string[]) {
    this.numbers = numbers;
    this.prerelease = prerelease;
  }
}

const number = '(0|[1-9]\\d*)';
const part = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)';
const form = new RegExp(
  `^${number}\\.${number}\\.${number}(?:-(${part}(?:\\.${part})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
);

export function readSemver(text: string): CelSemver | undefined {
  const [, major, minor, patch, prerelease] = form.exec(text) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return undefined;
  return new CelSemver([BigInt(major), BigInt(minor), BigInt(patch)], prerelease?.split('.') ?? []);
}

/** Normalizes a loose version: `v1.02` becomes `1.2.0`. */
function normalized(text: string): string {
  const [, core = '', rest = ''] = /^v?([^-+]*)(.*)$/.exec(text) ?? [];
  const numbers = core.split('.').map((each) => each.replace(/^0+(?=\d)/, ''));
  while (numbers.length < 3) numbers.push('0');
  return `${numbers.join('.')}${rest}`;
}

function semverOf(text: string): CelSemver {
  const version = readSemver(text);
  if (version === undefined) throw new RuleFailure(`invalid semantic version: ${text}`);
  return version;
}

function compare(a: CelSemver, b: CelSemver): number {
  for (const [index, mine] of a.numbers.entries()) {
    const other = b.numbers[index] ?? 0n;
    if (mine !== other) return mine < other ? -1 : 1;
  }
  return comparePrereleases(a.prerelease, b.prerelease);
}

/** A release comes after its pre-releases (semver 2.0.0, section 11). */
function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return Math.sign(b.length - a.length);
  for (const [index, mine] of a.entries()) {
    const other = b[index];
    if (other === undefined) return 1;
    const order = compareParts(mine, other);
    if (order !== 0) return order;
  }
  return a.length < b.length ? -1 : 0;
}

/** Numeric identifiers come before alphanumeric ones. */
function compareParts(a: string, b: string): number {
  if (a === b) return 0;
  const areNumbers = [a, b].map((each) => /^\d+$/.test(each));
  if (areNumbers[0] !== areNumbers[1]) return areNumbers[0] ? -1 : 1;
  const isLess = areNumbers[0] ? BigInt(a) < BigInt(b) : a < b;
  return isLess ? -1 : 1;
}

/** Registers Kubernetes' semver library: `semver('1.2.3').isLessThan(semver('2.0.0'))`. */
export function registerSemverFunctions(environment: Environment): void {
  const add = (signature: string, handler: (...values: never[]) => unknown): void => {
    environment.registerFunction(signature, handler, { async: false });
  };
  const type = 'kubernetes.Semver';
  environment.registerType(type, CelSemver);
  environment.registerOperator(`${type} == ${type}`, (a: CelSemver, b: CelSemver) => compare(a, b) === 0);
  add(`semver(string): ${type}`, semverOf);
  add(`semver(string, bool): ${type}`, (text: string, isLoose: boolean) =>
    semverOf(isLoose ? normalized(text) : text),
  );
  add('isSemver(string): bool', (text: string) => readSemver(text) !== undefined);
  add(
    'isSemver(string, bool): bool',
    (text: string, isLoose: boolean) => readSemver(isLoose ? normalized(text) : text) !== undefined,
  );
  add(`${type}.isGreaterThan(${type}): bool`, (a: CelSemver, b: CelSemver) => compare(a, b) > 0);
  add(`${type}.isLessThan(${type}): bool`, (a: CelSemver, b: CelSemver) => compare(a, b) < 0);
  add(`${type}.compareTo(${type}): int`, (a: CelSemver, b: CelSemver) => BigInt(compare(a, b)));
  for (const [index, name] of ['major', 'minor', 'patch'].entries())
    add(`${type}.${name}(): int`, ({ numbers }: CelSemver) => numbers[index]);
}
