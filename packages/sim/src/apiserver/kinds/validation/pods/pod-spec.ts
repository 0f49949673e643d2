import { isIP } from 'node:net';
import { type FieldError, itemPath, type Json, type JsonObject } from '@karpenter/core/schema';
import { flagAt, listAt, numberAt, objectAt, objectsAt, textAt, textsAt, valueAt } from '../../draft.ts';
import { invalid, oneOf, required } from '../field-errors.ts';
import { labelMap, qualifiedName, strictLabel, subdomain } from '../names.ts';
import { affinity } from './affinity.ts';
import { containers, hostPortConflicts } from './containers.ts';
import { schedulingGates, spreadConstraints, tolerations } from './scheduling.ts';
import { volumes } from './volumes.ts';

const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const maxDeadlineSeconds = 2 ** 31 - 1;

/** Validates a pod spec, in a pod or in a template. */
export function podSpec(field: string, spec: JsonObject): readonly FieldError[] {
  const list = objectsAt(spec, 'containers');
  const context = {
    volumes: new Set(objectsAt(spec, 'volumes').map((volume) => textAt(volume, 'name'))),
    isHostNetwork: flagAt(spec, 'hostNetwork'),
  };
  return [
    ...volumes(`${field}.volumes`, spec),
    ...(list.length === 0 ? [required(`${field}.containers`)] : []),
    ...containers(`${field}.containers`, spec, list, { ...context, isInit: false }),
    ...hostPortConflicts(`${field}.containers`, list),
    ...containers(`${field}.initContainers`, spec, objectsAt(spec, 'initContainers'), {
      ...context,
      isInit: true,
    }),
    ...oneOf(`${field}.restartPolicy`, valueAt(spec, 'restartPolicy'), ['Always', 'OnFailure', 'Never']),
    ...dns(field, spec),
    ...labelMap(`${field}.nodeSelector`, textsAt(spec, 'nodeSelector')),
    ...affinity(`${field}.affinity`, valueAt(spec, 'affinity')),
    ...namesOf(field, spec),
    ...tolerations(`${field}.tolerations`, spec),
    ...spreadConstraints(`${field}.topologySpreadConstraints`, spec),
    ...schedulingGates(`${field}.schedulingGates`, spec),
    ...hostAliases(`${field}.hostAliases`, spec),
    ...readinessGates(`${field}.readinessGates`, spec),
    ...times(field, spec),
    ...oneOf(`${field}.preemptionPolicy`, valueAt(spec, 'preemptionPolicy'), [
      'PreemptLowerPriority',
      'Never',
    ]),
  ];
}

function times(field: string, spec: JsonObject): readonly FieldError[] {
  const deadline = numberAt(spec, 'activeDeadlineSeconds');
  const isOutside = deadline !== undefined && (deadline < 1 || deadline > maxDeadlineSeconds);
  const detail = `must be between 1 and ${maxDeadlineSeconds}, inclusive`;
  return isOutside ? [invalid(`${field}.activeDeadlineSeconds`, deadline, detail)] : [];
}

function dns(field: string, spec: JsonObject): readonly FieldError[] {
  const policy = textAt(spec, 'dnsPolicy');
  const config = objectAt(spec, 'dnsConfig');
  const errors = oneOf(`${field}.dnsPolicy`, policy, dnsPolicies);
  if (policy !== 'None') return errors;
  if (!config) return [required(`${field}.dnsConfig`, 'must provide `dnsConfig` when `dnsPolicy` is None')];
  const detail = 'must provide at least one DNS nameserver when `dnsPolicy` is None';
  return listAt(config, 'nameservers').length === 0
    ? [required(`${field}.dnsConfig.nameservers`, detail)]
    : errors;
}

function namesOf(field: string, spec: JsonObject): readonly FieldError[] {
  const check = (name: string, rule: (path: string, text: string) => readonly FieldError[]) => {
    const text = textAt(spec, name);
    return text === '' ? [] : rule(`${field}.${name}`, text);
  };
  return [
    ...check('serviceAccountName', subdomain),
    ...check('nodeName', subdomain),
    ...check('hostname', strictLabel),
    ...check('subdomain', strictLabel),
    ...check('priorityClassName', subdomain),
    ...check('runtimeClassName', subdomain),
  ];
}

function hostAliases(field: string, spec: Json): readonly FieldError[] {
  return objectsAt(spec, 'hostAliases').flatMap((alias, index) => {
    const ip = textAt(alias, 'ip');
    const path = itemPath(field, index);
    return [
      ...(isIP(ip) === 0
        ? [invalid(`${path}.ip`, ip, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
        : []),
      ...listAt(alias, 'hostnames').flatMap((name) => subdomain(`${path}.hostnames`, String(name))),
    ];
  });
}

function readinessGates(field: string, spec: Json): readonly FieldError[] {
  return objectsAt(spec, 'readinessGates').flatMap((gate, index) =>
    qualifiedName(`${itemPath(field, index)}.conditionType`, textAt(gate, 'conditionType')),
  );
}
