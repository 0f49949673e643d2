import { equalJson, type FieldError, itemPath, type JsonObject } from '@karpenter/core/schema';
import { draftOf, listAt, numberAt, objectAt, objectsAt, textAt } from '../../draft.ts';
import { forbidden, invalid, required } from '../field-errors.ts';

const otherFields =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

/** An update of a pod may change images, and tolerations, deadline and scheduling gates in one direction. */
export function podUpdate(pod: JsonObject, old: JsonObject): readonly FieldError[] {
  const lists = ['containers', 'initContainers'];
  const counts = lists.filter(
    (name) => listAt(pod, 'spec', name).length !== listAt(old, 'spec', name).length,
  );
  if (counts.length > 0) {
    return counts.map((name) => forbidden(`spec.${name}`, 'pod updates may not add or remove containers'));
  }
  const errors = [
    ...lists.flatMap((name) => emptyImages(`spec.${name}`, objectsAt(pod, 'spec', name))),
    ...deadlineErrors(pod, old),
    ...tolerationErrors(pod, old),
    ...gateErrors(pod, old),
  ];
  const isSame = equalJson(fixedPart(pod, old), fixedPart(old, old));
  return isSame || errors.some(({ type }) => type === 'Forbidden')
    ? errors
    : [...errors, forbidden('spec', otherFields)];
}

function emptyImages(field: string, containers: readonly JsonObject[]): readonly FieldError[] {
  return containers.flatMap((container, index) =>
    textAt(container, 'image') === '' ? [required(`${itemPath(field, index)}.image`)] : [],
  );
}

/** The new spec with all mutable fields reset to their old values. */
function fixedPart(pod: JsonObject, old: JsonObject): JsonObject {
  const spec = draftOf(objectAt(pod, 'spec') ?? {});
  for (const name of [
    'activeDeadlineSeconds',
    'tolerations',
    'schedulingGates',
    'nodeSelector',
    'affinity',
  ]) {
    const isGateChange = name === 'nodeSelector' || name === 'affinity';
    if (isGateChange && objectsAt(old, 'spec', 'schedulingGates').length === 0) continue;
    if (name === 'nodeSelector' && !keepsSelector(pod, old)) continue;
    delete spec[name];
  }
  for (const container of [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')]) {
    delete container['image'];
  }
  // Older versions accepted negative periods, which act like one second; such a pod may be corrected to 1.
  const oldGrace = numberAt(old, 'spec', 'terminationGracePeriodSeconds') ?? 0;
  if (oldGrace < 0 && spec['terminationGracePeriodSeconds'] === 1)
    spec['terminationGracePeriodSeconds'] = oldGrace;
  return spec;
}

/** A pod with scheduling gates may add to its node selector, but not change entries of it. */
function keepsSelector(pod: JsonObject, old: JsonObject): boolean {
  const after = objectAt(pod, 'spec', 'nodeSelector') ?? {};
  return Object.entries(objectAt(old, 'spec', 'nodeSelector') ?? {}).every(
    ([key, value]) => after[key] === value,
  );
}

function deadlineErrors(pod: JsonObject, old: JsonObject): readonly FieldError[] {
  const before = numberAt(old, 'spec', 'activeDeadlineSeconds');
  const after = numberAt(pod, 'spec', 'activeDeadlineSeconds');
  const field = 'spec.activeDeadlineSeconds';
  if (before === undefined || before === after) return [];
  if (after === undefined) {
    return [invalid(field, null, `must not update from a positive integer to nil value`)];
  }
  return after > before ? [invalid(field, after, 'must be less than or equal to previous value')] : [];
}

/** Tolerations may be added but not removed: a running pod may depend on those that it was placed with. */
function tolerationErrors(pod: JsonObject, old: JsonObject): readonly FieldError[] {
  const after = new Set(objectsAt(pod, 'spec', 'tolerations').map(tolerationText));
  const kept = objectsAt(old, 'spec', 'tolerations').every((before) => after.has(tolerationText(before)));
  const detail = 'existing toleration can not be modified except its tolerationSeconds';
  return kept ? [] : [forbidden('spec.tolerations', detail)];
}

/** Equal for tolerations that differ in their seconds only. */
function tolerationText({ key, operator, value, effect }: JsonObject): string {
  return JSON.stringify([key, operator, value, effect]);
}

/** Gates may only be removed: a pod that was released for scheduling may be bound at any moment. */
function gateErrors(pod: JsonObject, old: JsonObject): readonly FieldError[] {
  const before = new Set(objectsAt(old, 'spec', 'schedulingGates').map((gate) => textAt(gate, 'name')));
  return objectsAt(pod, 'spec', 'schedulingGates').flatMap((gate, index) =>
    before.has(textAt(gate, 'name'))
      ? []
      : [
          forbidden(
            `${itemPath('spec.schedulingGates', index)}.name`,
            `only deletion is allowed, but found new scheduling gate '${textAt(gate, 'name')}'`,
          ),
        ],
  );
}
