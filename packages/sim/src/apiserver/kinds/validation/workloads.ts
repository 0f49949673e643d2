import type { FieldError, Json, JsonObject } from '@karpenter/core/schema';
import { equalJson, itemPath } from '@karpenter/core/schema';
import { numberAt, objectAt, objectsAt, textAt, textsAt, valueAt } from '../draft.ts';
import { amount, atMostAll, isZeroAmount } from './amounts.ts';
import {
  forbidden,
  invalid,
  nonNegative,
  notSupported,
  quotedList,
  required,
  unchanged,
  wrongStruct,
} from './field-errors.ts';
import { labelMap } from './names.ts';
import { podSpec } from './pods/pod-spec.ts';
import { isEmptySelector, labelSelector, selects } from './selectors.ts';

/** The pod template of a workload whose pods run indefinitely. */
export function podTemplate(field: string, template: JsonObject | undefined): readonly FieldError[] {
  return [
    ...labelMap(`${field}.labels`, textsAt(template, 'metadata', 'labels')),
    ...podSpec(`${field}.spec`, objectAt(template, 'spec') ?? {}),
  ];
}

/** A workload that keeps pods running requires the restart policy Always. */
function lastingTemplate(field: string, template: JsonObject | undefined): readonly FieldError[] {
  const spec = objectAt(template, 'spec');
  const policy = textAt(spec, 'restartPolicy');
  const known = ['Always', 'OnFailure', 'Never'].includes(policy);
  const deadline = 'activeDeadlineSeconds in ReplicaSet is not Supported';
  return [
    ...podTemplate(field, template),
    ...(policy === 'Always' || !known
      ? []
      : [notSupported(`${field}.spec.restartPolicy`, policy, ['Always'])]),
    ...(numberAt(spec, 'activeDeadlineSeconds') === undefined
      ? []
      : [forbidden(`${field}.spec.activeDeadlineSeconds`, deadline)]),
  ];
}

function selectorErrors(owner: string, spec: Json): readonly FieldError[] {
  const selector = valueAt(spec, 'selector');
  if (!objectAt(selector)) return [required('spec.selector')];
  const errors = labelSelector('spec.selector', selector);
  if (isEmptySelector(selector)) {
    return [...errors, invalid('spec.selector', {}, `empty selector is invalid for ${owner}`)];
  }
  if (errors.length === 0) return [];
  return [...errors, invalid('spec.selector', selector ?? null, 'invalid label selector')];
}

/** The selector must match the template, or the controller would create pods without end. */
function selectorMatch(spec: Json): readonly FieldError[] {
  const selector = valueAt(spec, 'selector');
  if (labelSelector('', selector).length > 0 || (objectAt(selector) && isEmptySelector(selector))) return [];
  const labels = valueAt(spec, 'template', 'metadata', 'labels') ?? null;
  const isSelected = selects(selector, textsAt(labels));
  const detail = '`selector` does not match template `labels`';
  return isSelected ? [] : [invalid('spec.template.metadata.labels', labels, detail)];
}

const specOf = (object: JsonObject): JsonObject => objectAt(object, 'spec') ?? {};
const templateOf = (spec: JsonObject) => objectAt(spec, 'template');
const numbers = (spec: JsonObject, ...names: readonly string[]) =>
  names.flatMap((name) => nonNegative(`spec.${name}`, valueAt(spec, name)));

export function deployment(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  return [
    ...numbers(spec, 'replicas'),
    ...selectorErrors('deployment', spec),
    ...selectorMatch(spec),
    ...lastingTemplate('spec.template', templateOf(spec)),
    ...deploymentStrategy(objectAt(spec, 'strategy')),
    ...numbers(spec, 'minReadySeconds', 'revisionHistoryLimit'),
    ...progressDeadline(spec),
  ];
}

/** With a shorter deadline no rollout could complete in time: a replica counts only after minReadySeconds. */
function progressDeadline(spec: JsonObject): readonly FieldError[] {
  const deadline = numberAt(spec, 'progressDeadlineSeconds');
  const field = 'spec.progressDeadlineSeconds';
  if (deadline === undefined) return [];
  if (deadline < 0) return nonNegative(field, deadline);
  const ready = numberAt(spec, 'minReadySeconds') ?? 0;
  return deadline <= ready ? [invalid(field, deadline, 'must be greater than minReadySeconds')] : [];
}

function unknownStrategy(
  field: string,
  strategy: JsonObject | undefined,
  known: readonly string[],
): FieldError {
  const struct = { Type: textAt(strategy, 'type'), RollingUpdate: null };
  return wrongStruct({ type: 'NotSupported', field, struct, detail: quotedList(known) });
}

function deploymentStrategy(strategy: JsonObject | undefined): readonly FieldError[] {
  const field = 'spec.strategy';
  const update = objectAt(strategy, 'rollingUpdate');
  const withRecreate = "may not be specified when strategy `type` is 'Recreate'";
  switch (textAt(strategy, 'type')) {
    case 'Recreate':
      return update ? [forbidden(`${field}.rollingUpdate`, withRecreate)] : [];
    case 'RollingUpdate':
      return rollingUpdate(`${field}.rollingUpdate`, update);
    default:
      return [unknownStrategy(field, strategy, ['Recreate', 'RollingUpdate'])];
  }
}

/** If neither an extra nor a missing replica is allowed, the rollout could never replace one. */
function rollingUpdate(field: string, update: JsonObject | undefined): readonly FieldError[] {
  const unavailable = valueAt(update, 'maxUnavailable');
  const surge = valueAt(update, 'maxSurge');
  return [
    ...amount(`${field}.maxUnavailable`, unavailable),
    ...amount(`${field}.maxSurge`, surge),
    ...(isZeroAmount(unavailable) && isZeroAmount(surge)
      ? [invalid(`${field}.maxUnavailable`, unavailable ?? 0, 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...atMostAll(`${field}.maxUnavailable`, unavailable),
  ];
}

export function replicaSet(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  return [
    ...numbers(spec, 'replicas', 'minReadySeconds'),
    ...selectorErrors('replicaset', spec),
    ...selectorMatch(spec),
    ...lastingTemplate('spec.template', templateOf(spec)),
  ];
}

export function replicationController(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const selector = textsAt(spec, 'selector');
  const template = templateOf(spec);
  const labels = textsAt(template, 'metadata', 'labels');
  const isSelected = Object.entries(selector).every(([key, value]) => labels[key] === value);
  const detail = '`selector` does not match template `labels`';
  return [
    ...numbers(spec, 'minReadySeconds', 'replicas'),
    ...(Object.keys(selector).length === 0 ? [required('spec.selector')] : []),
    ...(template ? lastingTemplate('spec.template', template) : [required('spec.template')]),
    ...(template && !isSelected ? [invalid('spec.template.metadata.labels', labels, detail)] : []),
  ];
}

export function statefulSet(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  const management = textAt(spec, 'podManagementPolicy');
  const isKnown = management === 'OrderedReady' || management === 'Parallel';
  return [
    ...(isKnown
      ? []
      : [invalid('spec.podManagementPolicy', management, "must be 'OrderedReady' or 'Parallel'")]),
    ...statefulStrategy(objectAt(spec, 'updateStrategy')),
    ...numbers(spec, 'replicas', 'minReadySeconds'),
    ...selectorErrors('statefulset', spec),
    ...selectorMatch(spec),
    ...lastingTemplate('spec.template', templateOf(spec)),
    ...objectsAt(spec, 'volumeClaimTemplates').flatMap((claim, index) =>
      textAt(claim, 'metadata', 'name') === ''
        ? [required(`${itemPath('spec.volumeClaimTemplates', index)}.metadata.name`)]
        : [],
    ),
  ];
}

function statefulStrategy(strategy: JsonObject | undefined): readonly FieldError[] {
  const field = 'spec.updateStrategy';
  const partition = valueAt(strategy, 'rollingUpdate', 'partition');
  const type = textAt(strategy, 'type');
  if (type === 'RollingUpdate') return nonNegative(`${field}.rollingUpdate.partition`, partition);
  if (type !== 'OnDelete') return [invalid(field, strategy ?? null, "must be 'RollingUpdate' or 'OnDelete'")];
  const detail = `only allowed for updateStrategy 'RollingUpdate'`;
  return objectAt(strategy, 'rollingUpdate') ? [invalid(`${field}.rollingUpdate`, null, detail)] : [];
}

export function daemonSet(object: JsonObject): readonly FieldError[] {
  const spec = specOf(object);
  return [
    ...selectorErrors('daemonset', spec),
    ...selectorMatch(spec),
    ...lastingTemplate('spec.template', templateOf(spec)),
    ...daemonStrategy(objectAt(spec, 'updateStrategy')),
    ...numbers(spec, 'minReadySeconds', 'revisionHistoryLimit'),
  ];
}

function daemonStrategy(strategy: JsonObject | undefined): readonly FieldError[] {
  const field = 'spec.updateStrategy';
  const type = textAt(strategy, 'type');
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') return [unknownStrategy(field, strategy, ['RollingUpdate', 'OnDelete'])];
  const update = objectAt(strategy, 'rollingUpdate');
  const unavailable = valueAt(update, 'maxUnavailable');
  const surge = valueAt(update, 'maxSurge');
  const path = `${field}.rollingUpdate.maxUnavailable`;
  return [
    ...amount(path, unavailable),
    ...atMostAll(path, unavailable),
    ...amount(`${field}.rollingUpdate.maxSurge`, surge),
    ...(isZeroAmount(unavailable) && isZeroAmount(surge)
      ? [invalid(path, unavailable ?? 0, 'cannot be 0 when maxSurge is 0')]
      : []),
  ];
}

/** The selector is immutable: a controller finds its pods only by it. */
export function selectorUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  return unchanged('spec.selector', valueAt(object, 'spec', 'selector'), valueAt(old, 'spec', 'selector'));
}

const mutableStatefulFields = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

/** Names and claims of existing pods follow from the other fields, and the controller does not change them later. */
export function statefulSetUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const fixed = (set: JsonObject) =>
    Object.fromEntries(Object.entries(specOf(set)).filter(([name]) => !mutableStatefulFields.includes(name)));
  if (equalJson(fixed(object), fixed(old))) return [];
  const list = mutableStatefulFields.map((name) => `'${name}'`);
  const detail = `updates to statefulset spec for fields other than ${list.slice(0, -1).join(', ')} and ${list.at(-1)} are forbidden`;
  return [forbidden('spec', detail)];
}

export function controllerRevision(object: JsonObject): readonly FieldError[] {
  const data = valueAt(object, 'data');
  return [
    ...(data === undefined || data === null ? [required('data', 'data is mandatory')] : []),
    ...nonNegative('revision', valueAt(object, 'revision')),
  ];
}

export const podTemplateObject = (object: JsonObject): readonly FieldError[] =>
  podTemplate('template', objectAt(object, 'template'));
