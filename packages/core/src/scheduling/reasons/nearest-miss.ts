import type { Requirements } from '../../requirements/index.ts';
import { fitsInto, type ResourceAxes } from '../context/resource-axes.ts';
import type { TemplateType } from '../instance-types/node-template.ts';
import { limitAdvice } from './limit-advice.ts';
import { typesWithPorts, type UnmetRequest } from './type-filter-error.ts';

/** The smallest change that would let the pool take the pod; undefined if no single change would. */
export function nearestMiss(axes: ResourceAxes, unmet: UnmetRequest): string | undefined {
  const within = unmet.template.types.filter(({ exceedsLimits }) => !exceedsLimits);
  const types = typesWithPorts(within, unmet);
  if (types.length === 0 && within.length > 0) return 'let the pod use host ports that no daemon uses';
  return (
    withoutAbsentResources(axes, unmet) ??
    withoutLimits(unmet) ??
    withoutOneRequirement(types, unmet) ??
    closestInSize(axes, types, unmet) ??
    unavailable(types, unmet)
  );
}

/** For pods that request a great many resources, of which nothing has some. */
function withoutAbsentResources(axes: ResourceAxes, { requests }: UnmetRequest): string | undefined {
  const absent = Object.entries(requests)
    .filter(([name, text]) => axes.absent.has(name) && axes.amount(name, text) > 0)
    .map(([name]) => name);
  const [first] = absent;
  if (first === undefined) return undefined;
  const others = absent.length === 1 ? '' : ` nor ${absent.length - 1} others that the pod requests`;
  return `no node and no instance type has ${first}${others}; request resources that exist`;
}

/** For types that only the limits of the pool exclude. */
function withoutLimits(unmet: UnmetRequest): string | undefined {
  const { template, requirements, size } = unmet;
  const excluded = template.types.filter(({ exceedsLimits }) => exceedsLimits);
  const holding = typesWithPorts(excluded, unmet).filter((type) => holdsOn(type, requirements, size));
  return holding.length === 0 ? undefined : limitAdvice(template, holding);
}

function withoutOneRequirement(
  types: readonly TemplateType[],
  { requirements, size }: UnmetRequest,
): string | undefined {
  for (const { key } of requirements.byName()) {
    const fewer = requirements.without(key);
    const found = types.find((type) => holdsOn(type, fewer, size));
    if (found !== undefined)
      return `without the requirement on ${key.name}, instance type ${found.type.name} would do`;
  }
  return undefined;
}

/** Of the types that meet the requirements, the one that the pod exceeds by the smallest factor. */
function closestInSize(
  axes: ResourceAxes,
  types: readonly TemplateType[],
  { requirements, size }: UnmetRequest,
): string | undefined {
  let best: { readonly name: string; readonly room: Float64Array; readonly factor: number } | undefined;
  for (const type of types) {
    for (const room of roomsOf(type, requirements)) {
      const factor = overrun(size, room);
      if (best === undefined || factor < best.factor) best = { name: type.type.name, room, factor };
    }
  }
  if (best === undefined) return undefined;
  const { room, name } = best;
  const most = axes.names.flatMap((resource, axis) => {
    const left = room[axis] ?? 0;
    return (size[axis] ?? 0) > left ? [`${axes.text(resource, left)} ${resource}`] : [];
  });
  return `the closest instance type, ${name}, holds at most ${most.join(' and ')}; request less or allow larger types`;
}

function unavailable(
  types: readonly TemplateType[],
  { requirements, size }: UnmetRequest,
): string | undefined {
  const found = types.find(
    ({ type, daemonSize }) =>
      type.intersects(requirements) &&
      type.offerings.some(({ allocatable }) => fitsInto(size, minus(allocatable, daemonSize))),
  );
  if (found === undefined) return undefined;
  return `instance type ${found.type.name} fits but is not available at the moment; allow other zones or capacity types`;
}

/** Whether an available offering that meets the requirements has room. Sizes are compared first, which is cheaper. */
function holdsOn(
  { type, daemonSize }: TemplateType,
  requirements: Requirements,
  size: Float64Array,
): boolean {
  let known: Float64Array | undefined;
  let holds = false;
  for (const { available, allocatable, requirements: offered } of type.offerings) {
    if (!available) continue;
    // Most offerings of a type share one vector.
    if (allocatable !== known) holds = fitsInto(size, minus(allocatable, daemonSize));
    known = allocatable;
    if (holds && requirements.intersects(offered)) return type.intersects(requirements);
  }
  return false;
}

/** Room for pods on the available offerings that meet the requirements, each amount once. */
function roomsOf({ type, daemonSize }: TemplateType, requirements: Requirements): readonly Float64Array[] {
  if (!type.intersects(requirements)) return [];
  const amounts = new Set<Float64Array>();
  for (const { available, allocatable, requirements: offered } of type.offerings)
    if (available && !amounts.has(allocatable) && requirements.intersects(offered)) amounts.add(allocatable);
  return [...amounts].map((allocatable) => minus(allocatable, daemonSize));
}

function minus(amounts: Float64Array, taken: Float64Array): Float64Array {
  return amounts.map((amount, axis) => Math.max(0, amount - (taken[axis] ?? 0)));
}

function overrun(size: Float64Array, room: Float64Array): number {
  let factor = 0;
  for (const [axis, requested] of size.entries()) {
    if (requested > 0) factor = Math.max(factor, requested / (room[axis] ?? 0));
  }
  return factor;
}
