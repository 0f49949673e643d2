import type { JsonObject } from '@karpenter/core/schema';
import { listAt, textAt, valueAt } from '../draft.ts';

type Reader = (object: JsonObject) => string;

const read = (field: string): Reader => {
  const path = field.split('.');
  return (object) => {
    const value = valueAt(object, ...path);
    return value === undefined || value === null ? '' : String(value);
  };
};

const readFlag = (field: string): Reader => {
  const path = field.split('.');
  return (object) => String(valueAt(object, ...path) === true);
};

const readNumber = (field: string): Reader => {
  const path = field.split('.');
  return (object) => String(valueAt(object, ...path) ?? 0);
};

const readers = (...fields: readonly string[]): Readonly<Record<string, Reader>> =>
  Object.fromEntries(fields.map((field) => [field, read(field)]));

const involved = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

export const podSelectors: Readonly<Record<string, Reader>> = {
  ...readers(
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'status.phase',
    'status.nominatedNodeName',
  ),
  'spec.hostNetwork': readFlag('spec.hostNetwork'),
  'status.podIP': (pod) => textAt(listAt(pod, 'status', 'podIPs')[0], 'ip') || textAt(pod, 'status', 'podIP'),
  'status.podIPs': (pod) =>
    textAt(listAt(pod, 'status', 'podIPs')[0], 'ip') || textAt(pod, 'status', 'podIP'),
};

export const eventSelectors: Readonly<Record<string, Reader>> = {
  ...readers(...involved.map((name) => `involvedObject.${name}`), 'reason', 'type'),
  reportingComponent: (event) => textAt(event, 'reportingComponent'),
  source: (event) => textAt(event, 'source', 'component') || textAt(event, 'reportingComponent'),
};

/** The same events in events.k8s.io, whose field names differ from the stored ones of the core group. */
export const newEventSelectors: Readonly<Record<string, Reader>> = {
  ...readers('reason', 'type'),
  ...Object.fromEntries(
    involved.map((name): [string, Reader] => [
      `regarding.${name}`,
      (event) => textAt(event, 'involvedObject', name),
    ]),
  ),
  reportingController: (event) => textAt(event, 'reportingComponent'),
};

export const nodeSelectors = { 'spec.unschedulable': readFlag('spec.unschedulable') };
export const namespaceSelectors = readers('status.phase');
export const secretSelectors = readers('type');
export const serviceSelectors = readers('spec.clusterIP', 'spec.type');
export const replicationControllerSelectors = { 'status.replicas': readNumber('status.replicas') };
export const jobSelectors = { 'status.successful': readNumber('status.succeeded') };
export const resourceSliceSelectors = readers('spec.nodeName', 'spec.driver');
