import type { FieldError, Json } from '@karpenter/core/schema';
import { textsAt } from '../../draft.ts';
import { compareAmounts, isNegativeQuantity, isWholeQuantity } from '../amounts.ts';
import { invalid, notNegative, problemsAt, required } from '../field-errors.ts';
import { qualifiedNameProblems } from '../names.ts';

const standardNames = new Set(['cpu', 'memory', 'ephemeral-storage']);
const isHugePages = (name: string) => name.startsWith('hugepages-');
const isNative = (name: string) => !name.includes('/') || name.includes('kubernetes.io/');

/** Extended resources, which are counted in whole units and cannot be shared. */
const isExtendedResource = (name: string) => !isNative(name) && !name.startsWith('requests.');

/** Only cpu and memory may be overcommitted. */
const mayOvercommit = (name: string) => isNative(name) && !isHugePages(name);

function resourceName(field: string, name: string): readonly FieldError[] {
  const errors = problemsAt(field, name, qualifiedNameProblems(name));
  if (!name.includes('/') && !standardNames.has(name) && !isHugePages(name)) {
    return [
      ...errors,
      invalid(field, name, 'must be a standard resource type or fully qualified'),
      invalid(field, name, 'must be a standard resource for containers'),
    ];
  }
  if (name.includes('/') && qualifiedNameProblems(name).length > 0) {
    return [...errors, invalid(field, name, "doesn't follow extended resource name standard")];
  }
  return errors;
}

function resourceQuantity(field: string, name: string, amount: string): readonly FieldError[] {
  if (isNegativeQuantity(amount)) return [invalid(field, amount, notNegative)];
  return isExtendedResource(name) && !isWholeQuantity(amount)
    ? [invalid(field, amount, 'must be an integer')]
    : [];
}

type Amounts = Readonly<Record<string, string>>;

function entries(field: string, amounts: Amounts): readonly FieldError[] {
  return Object.entries(amounts).flatMap(([name, amount]) => {
    const path = `${field}[${name}]`;
    return [...resourceName(path, name), ...resourceQuantity(path, name, amount)];
  });
}

/** `resources` of a container, a pod or a claim. */
export function resourceRequirements(field: string, resources: Json | undefined): readonly FieldError[] {
  const limits = textsAt(resources, 'limits');
  const requests = textsAt(resources, 'requests');
  return [
    ...entries(`${field}.limits`, limits),
    ...entries(`${field}.requests`, requests),
    ...againstLimits(field, requests, limits),
  ];
}

function againstLimits(field: string, requests: Amounts, limits: Amounts): readonly FieldError[] {
  return Object.entries(requests).flatMap(([name, request]) => {
    const limit = limits[name];
    if (limit === undefined) {
      const detail = 'Limit must be set for non overcommitable resources';
      return mayOvercommit(name) ? [] : [required(`${field}.limits`, detail)];
    }
    if (!mayOvercommit(name) && compareAmounts(request, limit) !== 0) {
      return [invalid(`${field}.requests`, request, `must be equal to ${name} limit of ${limit}`)];
    }
    const detail = `must be less than or equal to ${name} limit of ${limit}`;
    return compareAmounts(request, limit) > 0 ? [invalid(`${field}.requests`, request, detail)] : [];
  });
}
