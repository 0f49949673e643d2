import { type FieldError, itemPath, type Json, type JsonObject } from '@karpenter/core/schema';
import { numberAt, objectsAt, textAt, valueAt } from '../../draft.ts';
import { duplicate, forbidden, invalid, notSupported, oneOf, problemsAt, required } from '../field-errors.ts';
import { labelValueProblems, qualifiedName } from '../names.ts';
import { labelSelector } from '../selectors.ts';

export const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];
const aboveZero = 'must be greater than zero';

export function spreadConstraints(field: string, spec: Json): readonly FieldError[] {
  const list = objectsAt(spec, 'topologySpreadConstraints');
  const identities = list.map(
    (item) => `{${textAt(item, 'topologyKey')}, ${textAt(item, 'whenUnsatisfiable')}}`,
  );
  const last = new Map(identities.map((identity, index) => [identity, index]));
  return list.flatMap((constraint, index) => {
    const path = itemPath(field, index);
    const identity = identities[index] ?? '';
    // Of two equal items, Kubernetes reports the earlier one.
    const isRepeated = (last.get(identity) ?? index) > index;
    return [
      ...oneConstraint(path, constraint),
      ...(isRepeated ? [duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, identity)] : []),
    ];
  });
}

function oneConstraint(field: string, constraint: JsonObject): readonly FieldError[] {
  const skew = numberAt(constraint, 'maxSkew') ?? 0;
  const key = textAt(constraint, 'topologyKey');
  return [
    ...(skew <= 0 ? [invalid(`${field}.maxSkew`, skew, aboveZero)] : []),
    ...(key === ''
      ? [required(`${field}.topologyKey`, 'can not be empty')]
      : qualifiedName(`${field}.topologyKey`, key)),
    ...oneOf(`${field}.whenUnsatisfiable`, textAt(constraint, 'whenUnsatisfiable'), [
      'DoNotSchedule',
      'ScheduleAnyway',
    ]),
    ...domainsErrors(`${field}.minDomains`, constraint),
    ...oneOf(`${field}.nodeAffinityPolicy`, valueAt(constraint, 'nodeAffinityPolicy'), ['Honor', 'Ignore']),
    ...oneOf(`${field}.nodeTaintsPolicy`, valueAt(constraint, 'nodeTaintsPolicy'), ['Honor', 'Ignore']),
    ...labelSelector(`${field}.labelSelector`, valueAt(constraint, 'labelSelector')),
  ];
}

/** minDomains acts by treating the global minimum as 0, which a soft constraint does not enforce. */
function domainsErrors(field: string, constraint: JsonObject): readonly FieldError[] {
  const domains = numberAt(constraint, 'minDomains');
  if (domains === undefined) return [];
  const action = textAt(constraint, 'whenUnsatisfiable');
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`;
  return [
    ...(domains <= 0 ? [invalid(field, domains, aboveZero)] : []),
    ...(action === 'DoNotSchedule' ? [] : [invalid(field, domains, detail)]),
  ];
}

export function tolerations(field: string, spec: Json): readonly FieldError[] {
  return objectsAt(spec, 'tolerations').flatMap((toleration, index) =>
    oneToleration(itemPath(field, index), toleration),
  );
}

function oneToleration(field: string, toleration: JsonObject): readonly FieldError[] {
  const key = textAt(toleration, 'key');
  const operator = textAt(toleration, 'operator');
  const effect = textAt(toleration, 'effect');
  const keyless = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
  const seconds = "effect must be 'NoExecute' when `tolerationSeconds` is set";
  return [
    ...(key === '' ? [] : qualifiedName(`${field}.key`, key)),
    ...(key === '' && operator !== 'Exists' ? [invalid(`${field}.operator`, operator, keyless)] : []),
    ...(toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute'
      ? [invalid(`${field}.effect`, effect, seconds)]
      : []),
    ...operatorErrors(field, operator, textAt(toleration, 'value')),
    ...(effect === '' ? [] : oneOf(`${field}.effect`, effect, taintEffects)),
  ];
}

function operatorErrors(field: string, operator: string, value: string): readonly FieldError[] {
  if (operator === '' || operator === 'Equal')
    return problemsAt(`${field}.operator`, value, labelValueProblems(value));
  if (operator !== 'Exists') return [notSupported(`${field}.operator`, operator, ['Equal', 'Exists'])];
  return value === ''
    ? []
    : [invalid(`${field}.operator`, value, "value must be empty when `operator` is 'Exists'")];
}

export function schedulingGates(field: string, spec: Json): readonly FieldError[] {
  const names = objectsAt(spec, 'schedulingGates').map((gate) => textAt(gate, 'name'));
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    const isRepeated = seen.has(name);
    seen.add(name);
    return [
      ...qualifiedName(itemPath(field, index), name),
      ...(isRepeated ? [duplicate(itemPath(field, index), name)] : []),
    ];
  });
}

/** A pod with a node is never scheduled, so its gates would have no effect. */
export function gatedNode(field: string, spec: Json): readonly FieldError[] {
  const isGated = objectsAt(spec, 'schedulingGates').length > 0;
  const detail = 'cannot be set until all schedulingGates have been cleared';
  return isGated && textAt(spec, 'nodeName') !== '' ? [forbidden(field, detail)] : [];
}
