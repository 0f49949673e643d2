import { equalJson, type FieldError, itemPath, type JsonObject, member } from '@karpenter/core/schema';
import { labelValueProblems, qualifiedNameProblems } from '@karpenter/core/values';
import { flagAt, listAt, numberAt, objectAt, objectsAt, textAt, textsAt, valueAt } from '../draft.ts';
import { amount, atMostAll, compareAmounts, isNegativeQuantity, isWholeQuantity } from './amounts.ts';
import {
  forbidden,
  invalid,
  nonNegative,
  notNegative,
  oneOf,
  problemsAt,
  required,
  unchanged,
  wrongStruct,
} from './field-errors.ts';
import { configKeyProblems } from './names.ts';
import { taintEffects } from './pods/scheduling.ts';
import { labelSelector } from './selectors.ts';

/** Kubernetes reports taints below `metadata`, where they once were. */
export function node(object: JsonObject): readonly FieldError[] {
  const taints = objectsAt(object, 'spec', 'taints');
  const seen = new Set<string>();
  return [
    ...taints.flatMap((taint, index) => {
      const field = itemPath('metadata.taints', index);
      const identity = `${textAt(taint, 'key')}\0${textAt(taint, 'effect')}`;
      const isRepeated = seen.has(identity);
      seen.add(identity);
      return [...taintErrors(field, taint), ...(isRepeated ? [repeatedTaint(field, taint)] : [])];
    }),
    ...statusAmounts(object, 'capacity'),
    ...statusAmounts(object, 'allocatable'),
  ];
}

function taintErrors(field: string, taint: JsonObject): readonly FieldError[] {
  const [key, value, effect] = [textAt(taint, 'key'), textAt(taint, 'value'), textAt(taint, 'effect')];
  return [
    ...problemsAt(`${field}.key`, key, qualifiedNameProblems(key)),
    ...problemsAt(`${field}.value`, value, labelValueProblems(value)),
    ...(effect === '' ? [required(`${field}.effect`)] : oneOf(`${field}.effect`, effect, taintEffects)),
  ];
}

function repeatedTaint(field: string, taint: JsonObject): FieldError {
  const struct = {
    Key: textAt(taint, 'key'),
    Value: textAt(taint, 'value'),
    Effect: textAt(taint, 'effect'),
    TimeAdded: valueAt(taint, 'timeAdded') ?? null,
  };
  return wrongStruct({
    type: 'Duplicate',
    field,
    struct,
    detail: 'taints must be unique by key and effect pair',
  });
}

function statusAmounts(object: JsonObject, list: string): readonly FieldError[] {
  return Object.entries(textsAt(object, 'status', list)).flatMap(([name, amountText]) =>
    isNegativeQuantity(amountText) ? [invalid(`status.${list}.${name}`, amountText, notNegative)] : [],
  );
}

/**
 * A node may learn its provider ID after it has registered, because a cloud controller sets it. It never changes then:
 * Karpenter and the cloud controllers find the instance of a node by it alone.
 */
export function nodeUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const before = textAt(old, 'spec', 'providerID');
  const detail = 'node updates may not change providerID except from "" to valid';
  return before === '' || before === textAt(object, 'spec', 'providerID')
    ? []
    : [forbidden('spec.providerID', detail)];
}

export function namespace(object: JsonObject): readonly FieldError[] {
  const detail = 'name is neither a standard finalizer name nor is it fully qualified';
  return listAt(object, 'spec', 'finalizers').flatMap((entry) => {
    const name = String(entry);
    const problems = problemsAt('spec.finalizers', name, qualifiedNameProblems(name));
    if (problems.length > 0 || name === 'kubernetes' || name.includes('/')) return problems;
    return [invalid('spec.finalizers', name, detail)];
  });
}

export function lease(object: JsonObject): readonly FieldError[] {
  const duration = numberAt(object, 'spec', 'leaseDurationSeconds');
  return [
    ...(duration !== undefined && duration <= 0
      ? [invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0')]
      : []),
    ...nonNegative('spec.leaseTransitions', valueAt(object, 'spec', 'leaseTransitions')),
  ];
}

/** With both amounts the number of allowed disruptions would be ambiguous, so Kubernetes accepts one. */
export function budget(object: JsonObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  const [minimum, maximum] = [valueAt(spec, 'minAvailable'), valueAt(spec, 'maxUnavailable')];
  if (minimum !== undefined && maximum !== undefined) return [bothAmounts(spec)];
  return [
    ...['minAvailable', 'maxUnavailable'].flatMap((name) => [
      ...amount(`spec.${name}`, valueAt(spec, name)),
      ...atMostAll(`spec.${name}`, valueAt(spec, name)),
    ]),
    ...oneOf('spec.unhealthyPodEvictionPolicy', valueAt(spec, 'unhealthyPodEvictionPolicy'), [
      'AlwaysAllow',
      'IfHealthyBudget',
    ]),
    ...labelSelector('spec.selector', valueAt(spec, 'selector')),
  ];
}

function bothAmounts(spec: JsonObject): FieldError {
  const struct = {
    MinAvailable: valueAt(spec, 'minAvailable') ?? null,
    Selector: valueAt(spec, 'selector') ?? null,
    MaxUnavailable: valueAt(spec, 'maxUnavailable') ?? null,
    UnhealthyPodEvictionPolicy: valueAt(spec, 'unhealthyPodEvictionPolicy') ?? null,
  };
  return wrongStruct({
    type: 'Invalid',
    field: 'spec',
    struct,
    detail: 'minAvailable and maxUnavailable cannot be both set',
  });
}

/** User-defined priorities stay below those of the system, so that no workload preempts what a node needs to run. */
const highestPriority = 1_000_000_000;
const systemClasses: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

export function priorityClass(object: JsonObject): readonly FieldError[] {
  const name = textAt(object, 'metadata', 'name');
  const value = numberAt(object, 'value') ?? 0;
  return [
    ...systemPriority(name, value),
    ...(value > highestPriority && !name.startsWith('system-')
      ? [forbidden('value', `maximum allowed value of a user defined priority is ${highestPriority}`)]
      : []),
    ...oneOf('preemptionPolicy', valueAt(object, 'preemptionPolicy'), ['PreemptLowerPriority', 'Never']),
  ];
}

function systemPriority(name: string, value: number): readonly FieldError[] {
  if (!name.startsWith('system-')) return [];
  const known = systemClasses[name];
  const reason =
    known === undefined
      ? `${name} is not a known system priority class`
      : `value of ${name} PriorityClass must be ${known}`;
  const detail = `priority class names with 'system-' prefix are reserved for system use only. error: ${reason}`;
  return known === value ? [] : [forbidden('metadata.name', detail)];
}

/** Pods copy the value when they are created; a changed class would leave pods of one class with two priorities. */
export function priorityClassUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const isSame = valueAt(object, 'value') === valueAt(old, 'value');
  return [
    ...(isSame ? [] : [forbidden('value', 'may not be changed in an update.')]),
    ...unchanged('preemptionPolicy', valueAt(object, 'preemptionPolicy'), valueAt(old, 'preemptionPolicy')),
  ];
}

const keysOf = (object: JsonObject, name: string) => Object.keys(objectAt(object, name) ?? {});

function badKeys(object: JsonObject, name: string): readonly FieldError[] {
  return keysOf(object, name).flatMap((key) => problemsAt(`${name}[${key}]`, key, configKeyProblems(key)));
}

export function configMap(object: JsonObject): readonly FieldError[] {
  const binary = new Set(keysOf(object, 'binaryData'));
  return [
    ...badKeys(object, 'data'),
    ...keysOf(object, 'data')
      .filter((key) => binary.has(key))
      .map((key) => invalid(`data[${key}]`, key, 'duplicate of key present in binaryData')),
    ...badKeys(object, 'binaryData'),
    ...(sizeOf(object, 'data') + sizeOf(object, 'binaryData') > maxDataBytes
      ? [{ type: 'TooLong', field: '', detail: `may not be more than ${maxDataBytes} bytes` } as const]
      : []),
  ];
}

/** The limit of Kubernetes for a ConfigMap, below the 1.5 MiB that etcd accepts in a request. */
const maxDataBytes = 1024 * 1024;

function sizeOf(object: JsonObject, field: string): number {
  const values = keysOf(object, field).map((key) => String(member(object[field], key) ?? ''));
  return values.reduce((size, value) => size + Buffer.byteLength(value), 0);
}

const fixedWhenImmutable = 'field is immutable when `immutable` is set';

/** An immutable ConfigMap or Secret stays immutable. */
export function frozenUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  if (!flagAt(old, 'immutable')) return [];
  if (!flagAt(object, 'immutable')) return [forbidden('immutable', fixedWhenImmutable)];
  return ['data', 'binaryData']
    .filter((name) => !equalJson(valueAt(object, name), valueAt(old, name)))
    .map((name) => forbidden(name, fixedWhenImmutable));
}

const secretKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
};

export function secret(object: JsonObject): readonly FieldError[] {
  const needed = secretKeys[textAt(object, 'type')] ?? [];
  const present = keysOf(object, 'data');
  return [
    ...badKeys(object, 'data'),
    ...needed.filter((key) => !present.includes(key)).map((key) => required(`data[${key}]`)),
  ];
}

export function secretUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  return [...unchanged('type', valueAt(object, 'type'), valueAt(old, 'type')), ...frozenUpdate(object, old)];
}

const wholeQuotas = new Set([
  'pods',
  'services',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'replicationcontrollers',
  'resourcequotas',
  'services.nodeports',
  'services.loadbalancers',
]);
const quotaNames = new Set([
  ...wholeQuotas,
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);

export function quota(object: JsonObject): readonly FieldError[] {
  return Object.entries(textsAt(object, 'spec', 'hard')).flatMap(([name, hard]) => {
    const field = `spec.hard[${name}]`;
    const isKnown = name.includes('/') || quotaNames.has(name) || /^(?:requests\.)?hugepages-/.test(name);
    return [
      ...(isKnown
        ? []
        : [
            invalid(field, name, 'must be a standard resource type or fully qualified'),
            invalid(field, name, 'must be a standard resource for quota'),
          ]),
      ...(isNegativeQuantity(hard) ? [invalid(field, hard, notNegative)] : []),
      ...((wholeQuotas.has(name) || name.startsWith('count/')) && !isWholeQuantity(hard)
        ? [invalid(field, hard, 'must be an integer')]
        : []),
    ];
  });
}

export function limitRange(object: JsonObject): readonly FieldError[] {
  return objectsAt(object, 'spec', 'limits').flatMap((item, index) =>
    limitItem(itemPath('spec.limits', index), item),
  );
}

function limitItem(field: string, item: JsonObject): readonly FieldError[] {
  const [max, min] = [textsAt(item, 'max'), textsAt(item, 'min')];
  const [limits, requests] = [textsAt(item, 'default'), textsAt(item, 'defaultRequest')];
  const names = [...new Set([max, min, limits, requests].flatMap((list) => Object.keys(list)))].sort();
  return names.flatMap((name) => {
    const ordered: readonly (readonly [string, string, string, string])[] = [
      ['min', 'min value', 'max', 'max value'],
      ['min', 'min value', 'defaultRequest', 'default request value'],
      ['min', 'min value', 'default', 'default value'],
      ['defaultRequest', 'default request value', 'max', 'max value'],
      ['defaultRequest', 'default request value', 'default', 'default limit value'],
      ['default', 'default value', 'max', 'max value'],
    ];
    return ordered.flatMap(([low, lowText, high, highText]) => {
      const [a, b] = [textsAt(item, low)[name], textsAt(item, high)[name]];
      if (a === undefined || b === undefined || compareAmounts(a, b) <= 0) return [];
      // Kubernetes reports a default above the maximum with the maximum as its value.
      const shown = low === 'default' ? b : a;
      return [invalid(`${field}.${low}[${name}]`, shown, `${lowText} ${a} is greater than ${highText} ${b}`)];
    });
  });
}

export function runtimeClass(object: JsonObject): readonly FieldError[] {
  return textAt(object, 'handler') === '' ? [required('handler')] : [];
}

export function runtimeClassUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  return unchanged('handler', valueAt(object, 'handler'), valueAt(old, 'handler'));
}

export function autoscaler(object: JsonObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  const target = objectAt(spec, 'scaleTargetRef');
  const minimum = numberAt(spec, 'minReplicas');
  const maximum = numberAt(spec, 'maxReplicas') ?? 0;
  const field = 'spec.maxReplicas';
  return [
    ...(minimum !== undefined && minimum < 1
      ? [invalid('spec.minReplicas', minimum, 'must be greater than or equal to 1')]
      : []),
    ...(maximum < 1 ? [required(field, 'must be set and greater than 0')] : []),
    ...(minimum !== undefined && maximum < minimum
      ? [invalid(field, maximum, 'must be greater than or equal to `minReplicas`')]
      : []),
    ...['kind', 'name']
      .filter((name) => textAt(target, name) === '')
      .map((name) => required(`spec.scaleTargetRef.${name}`)),
    ...(textAt(target, 'apiVersion') === ''
      ? [invalid('spec.scaleTargetRef.apiVersion', '', 'apiVersion must specify API group')]
      : []),
  ];
}
