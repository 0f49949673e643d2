import { CodedError } from '@karpenter/core/errors';
import type { InstanceType } from '@karpenter/core/ports';
import { nearestName } from '@karpenter/core/values';
import { instanceTypes } from '@karpenter/ec2-catalogue';

export interface TypeSelection {
  /** Types that the NodePool and the NodeClass allow. */
  readonly allowed: readonly InstanceType[];
  /** Types before a NodePool was asked. */
  readonly all: readonly InstanceType[];
  /** Whether `all` is of the catalogue, where it lacks only types that the AMI family has no image for. */
  readonly isCatalogue: boolean;
}

/** The types that names or patterns with `*` stand for. Throws on the first name that stands for none. */
export function namedTypes(selection: TypeSelection, names: readonly string[]): readonly InstanceType[] {
  const { allowed } = selection;
  if (names.length === 0) return allowed;
  const patterns = names.map((name) => ({ name, pattern: patternOf(name) }));
  for (const { name, pattern } of patterns) {
    if (!allowed.some((type) => pattern.test(type.name))) throw missing(name, pattern, selection);
  }
  return allowed.filter(({ name }) => patterns.some(({ pattern }) => pattern.test(name)));
}

/** Only `*` is special; everything else is escaped, dots above all. */
function patternOf(name: string): RegExp {
  return new RegExp(`^${name.replace(/[^a-z0-9*-]/gi, '\\$&').replaceAll('*', '.*')}$`);
}

function missing(name: string, pattern: RegExp, selection: TypeSelection): CodedError {
  return new CodedError('no-instance-types', reason(name, pattern, selection), { details: { name } });
}

function reason(name: string, pattern: RegExp, { all, isCatalogue }: TypeSelection): string {
  const written = JSON.stringify(name);
  if (all.some((type) => pattern.test(type.name)))
    return `the NodePool does not allow instance type ${written}; leave out --nodepool to see it`;
  const known = isCatalogue ? instanceTypes().find((type) => pattern.test(type.InstanceType)) : undefined;
  if (known === undefined) return `there is no instance type ${written}; ${advice(name, all)}`;
  const { SupportedArchitectures: architectures } = known.ProcessorInfo;
  return `no node can be of instance type ${written}: the AMI family has no image for ${architectures.join(' or ')}`;
}

function advice(name: string, all: readonly InstanceType[]): string {
  const nearest = nearestName(
    name,
    all.map((type) => type.name),
  );
  return nearest === undefined ? 'leave the name out to see all' : `did you mean ${nearest}?`;
}
