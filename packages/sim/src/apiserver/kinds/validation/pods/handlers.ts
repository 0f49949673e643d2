import type { FieldError, Json, JsonObject } from '@karpenter/core/schema';
import { listAt, numberAt, objectAt, textAt, valueAt } from '../../draft.ts';
import {
  forbidden,
  invalid,
  nonNegative,
  oneOf,
  portNumber,
  presentMembers,
  problemsAt,
  required,
} from '../field-errors.ts';

const portNameShape = /^[-a-z0-9]+$/;

/** Why a string is not a port name (RFC 6335). */
export function portNameProblems(name: string): readonly string[] {
  const longest = 15;
  return [
    ...(name.length > longest ? [`must be no more than ${longest} characters`] : []),
    ...(portNameShape.test(name)
      ? []
      : ['must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)']),
    ...(/[a-z]/.test(name) || !portNameShape.test(name) ? [] : ['must contain at least one letter (a-z)']),
    ...(name.includes('--') ? ['must not contain consecutive hyphens'] : []),
    ...(/^-|-$/.test(name) ? ['must not begin or end with a hyphen'] : []),
  ];
}

/** A port by number or by name. */
export function portReference(field: string, port: Json | undefined): readonly FieldError[] {
  return typeof port === 'string' ? problemsAt(field, port, portNameProblems(port)) : portNumber(field, port);
}

type Check = (field: string, handler: JsonObject) => readonly FieldError[];

const handlerChecks: Readonly<Record<string, Check>> = {
  exec: (field, exec) => (listAt(exec, 'command').length === 0 ? [required(`${field}.command`)] : []),
  httpGet: (field, request) => [
    ...(textAt(request, 'path') === '' ? [required(`${field}.path`)] : []),
    ...portReference(`${field}.port`, valueAt(request, 'port')),
    ...oneOf(`${field}.scheme`, valueAt(request, 'scheme'), ['HTTP', 'HTTPS']),
  ],
  tcpSocket: (field, socket) => portReference(`${field}.port`, valueAt(socket, 'port')),
  grpc: (field, grpc) => portReference(`${field}.port`, valueAt(grpc, 'port')),
  sleep: (field, sleep) => nonNegative(`${field}.seconds`, valueAt(sleep, 'seconds')),
};

/** Requires exactly one handler of a probe or lifecycle hook. */
function handler(field: string, value: Json, kinds: readonly string[]): readonly FieldError[] {
  const [first, ...others] = presentMembers(value, kinds);
  if (first === undefined) return [required(field, 'must specify a handler type')];
  return [
    ...others.map((kind) => forbidden(`${field}.${kind}`, 'may not specify more than 1 handler type')),
    ...(handlerChecks[first]?.(`${field}.${first}`, objectAt(value, first) ?? {}) ?? []),
  ];
}

export function lifecycle(field: string, value: Json | undefined): readonly FieldError[] {
  return ['postStart', 'preStop'].flatMap((name) => {
    const hook = objectAt(value, name);
    return hook ? handler(`${field}.${name}`, hook, ['exec', 'httpGet', 'tcpSocket', 'sleep']) : [];
  });
}

const probeNumbers = [
  'initialDelaySeconds',
  'timeoutSeconds',
  'periodSeconds',
  'successThreshold',
  'failureThreshold',
];

export function probe(field: string, value: JsonObject, mustSucceedOnce: boolean): readonly FieldError[] {
  const success = numberAt(value, 'successThreshold');
  const grace = numberAt(value, 'terminationGracePeriodSeconds');
  return [
    ...handler(field, value, ['exec', 'httpGet', 'tcpSocket', 'grpc']),
    ...probeNumbers.flatMap((name) => nonNegative(`${field}.${name}`, value[name])),
    ...(mustSucceedOnce && success !== undefined && success !== 1
      ? [invalid(`${field}.successThreshold`, success, 'must be 1')]
      : []),
    ...(grace !== undefined && grace <= 0
      ? [invalid(`${field}.terminationGracePeriodSeconds`, grace, 'must be greater than 0')]
      : []),
  ];
}
