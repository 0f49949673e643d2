import type { Device } from './device.ts';
import type { DeviceConstraintView } from './resource-shapes.ts';

/** A device chosen for a request of a claim. */
export interface ChosenDevice {
  /** Of the request, or `request/alternative`. */
  readonly request: string;
  readonly device: Device;
}

/** Whether the constraints of a claim allow one more device beside those chosen. */
export function constraintsAllow(
  constraints: readonly DeviceConstraintView[],
  chosen: readonly ChosenDevice[],
  next: ChosenDevice,
): boolean {
  return constraints.every((constraint) => {
    if (!concerns(constraint, next)) return true;
    const others = chosen.filter((each) => concerns(constraint, each));
    return matches(constraint, others, next) && differs(constraint, others, next);
  });
}

/** The name of a request covers all its alternatives. */
function concerns({ requests = [] }: DeviceConstraintView, { request }: ChosenDevice): boolean {
  return requests.length === 0 || requests.some((name) => name === request || request.startsWith(`${name}/`));
}

/** All devices have the attribute with some common value. */
function matches(
  { matchAttribute }: DeviceConstraintView,
  others: readonly ChosenDevice[],
  next: ChosenDevice,
): boolean {
  if (matchAttribute === undefined) return true;
  return [...others, next]
    .map(({ device }) => device.attributes.get(matchAttribute) ?? [])
    .reduce((common, values) => common.filter((value) => values.includes(value)))
    .some(() => true);
}

/** All devices have the attribute, and no two of them a common value. */
function differs(
  { distinctAttribute }: DeviceConstraintView,
  others: readonly ChosenDevice[],
  next: ChosenDevice,
): boolean {
  if (distinctAttribute === undefined) return true;
  const own = next.device.attributes.get(distinctAttribute) ?? [];
  if (own.length === 0) return false;
  return others.every(
    ({ device }) => !(device.attributes.get(distinctAttribute) ?? []).some((value) => own.includes(value)),
  );
}
