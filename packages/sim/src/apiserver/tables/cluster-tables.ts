import type { Json, JsonObject } from '@karpenter/core/schema';
import { listAt, numberAt, objectAt, objectsAt, textAt, textsAt, valueAt } from '../kinds/draft.ts';
import { since } from './age.ts';
import {
  age,
  boolean,
  type Cell,
  column,
  count,
  createdAt,
  flag,
  integer,
  name,
  nameText,
  size,
  table,
  text,
  wide,
} from './columns.ts';
import { selectorText } from './selector-text.ts';

export const plainTable = table(name, age);
export const createdTable = table(name, createdAt);

export const namespaceTable = table(name, column('Status', text('status.phase')), age);
export const secretTable = table(name, column('Type', text('type')), column('Data', size('data')), age);
export const leaseTable = table(name, column('Holder', text('spec.holderIdentity')), age);
export const runtimeClassTable = table(name, column('Handler', text('handler')), age);
export const webhooksTable = table(name, integer('Webhooks', size('webhooks')), age);

export const configMapTable = table(
  name,
  column('Data', (map) => Number(size('data')(map, 0)) + Number(size('binaryData')(map, 0))),
  age,
);

/** The times of an event in either of its two shapes. */
function eventTimes(event: JsonObject, nowMs: number) {
  const of = (...path: readonly string[]) => {
    const time = textAt(event, ...path);
    return time === '' ? undefined : since(time, nowMs);
  };
  const first = of('firstTimestamp') ?? of('deprecatedFirstTimestamp') ?? of('eventTime') ?? '<unknown>';
  const last = of('lastTimestamp') ?? of('deprecatedLastTimestamp') ?? first;
  const observed = objectAt(event, 'series') && (of('series', 'lastObservedTime') ?? '<unknown>');
  return { first, last: observed ?? last };
}

function eventObject(event: JsonObject): string {
  const object = objectAt(event, 'involvedObject') ?? objectAt(event, 'regarding');
  const kind = textAt(object, 'kind').toLowerCase();
  const objectName = textAt(object, 'name');
  return objectName === '' ? kind : `${kind}/${objectName}`;
}

function eventSource(event: JsonObject): string {
  const source = objectAt(event, 'source') ?? objectAt(event, 'deprecatedSource');
  const component =
    textAt(source, 'component') ||
    textAt(event, 'reportingComponent') ||
    textAt(event, 'reportingController');
  const host = textAt(source, 'host') || textAt(event, 'reportingInstance');
  return host === '' ? component : `${component}, ${host}`;
}

function eventCount(event: JsonObject): Json {
  const inSeries = numberAt(event, 'series', 'count');
  return inSeries ?? (numberAt(event, 'count') || numberAt(event, 'deprecatedCount') || 1);
}

export const eventTable = table(
  column('Last Seen', (event, nowMs) => eventTimes(event, nowMs).last),
  column('Type', text('type')),
  column('Reason', text('reason')),
  column('Object', eventObject),
  wide(
    'Subobject',
    (event) => textAt(event, 'involvedObject', 'fieldPath') || textAt(event, 'regarding', 'fieldPath'),
  ),
  wide('Source', eventSource),
  column('Message', (event) => (textAt(event, 'message') || textAt(event, 'note')).trim()),
  wide('First Seen', (event, nowMs) => eventTimes(event, nowMs).first),
  wide('Count', eventCount),
  column('Name', nameText, { format: 'name', isWide: true }),
);

const quotaCell =
  (isLimit: boolean): Cell =>
  (quota) =>
    Object.entries(textsAt(quota, 'status', 'hard'))
      .filter(([resource]) => resource.startsWith('limits.') === isLimit)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([resource, hard]) => `${resource}: ${textsAt(quota, 'status', 'used')[resource] ?? '0'}/${hard}`)
      .join(', ');

export const quotaTable = table(
  name,
  column('Request', quotaCell(false)),
  column('Limit', quotaCell(true)),
  age,
);

const amountText = (value: Json | undefined) => (value === undefined ? 'N/A' : String(value));

export const budgetTable = table(
  name,
  column('Min Available', (budget) => amountText(valueAt(budget, 'spec', 'minAvailable'))),
  column('Max Unavailable', (budget) => amountText(valueAt(budget, 'spec', 'maxUnavailable'))),
  integer('Allowed Disruptions', count('status.disruptionsAllowed')),
  age,
);

export const priorityClassTable = table(
  name,
  integer('Value', count('value')),
  boolean('Global-Default', flag('globalDefault')),
  age,
  column('PreemptionPolicy', text('preemptionPolicy')),
);

const subjects =
  (kind: string): Cell =>
  (binding) =>
    objectsAt(binding, 'subjects')
      .filter((subject) => subject['kind'] === kind)
      .map((subject) => {
        const namespace = textAt(subject, 'namespace');
        return kind === 'ServiceAccount'
          ? `${namespace}/${textAt(subject, 'name')}`
          : textAt(subject, 'name');
      })
      .join(', ');

export const roleBindingTable = table(
  name,
  column('Role', (binding) => `${textAt(binding, 'roleRef', 'kind')}/${textAt(binding, 'roleRef', 'name')}`),
  age,
  wide('Users', subjects('User')),
  wide('Groups', subjects('Group')),
  wide('ServiceAccounts', subjects('ServiceAccount')),
);

function parameterKind(policy: JsonObject): string {
  const kind = objectAt(policy, 'spec', 'paramKind');
  return kind === undefined ? '<unset>' : `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}`;
}

const policyTable = (column_: string, path: string) =>
  table(name, integer(column_, size(path)), column('ParamKind', parameterKind), age);

export const validatingPolicyTable = policyTable('Validations', 'spec.validations');
export const mutatingPolicyTable = policyTable('Mutations', 'spec.mutations');

function parameterReference(binding: JsonObject): string {
  const reference = objectAt(binding, 'spec', 'paramRef');
  const parameter = textAt(reference, 'name');
  if (parameter !== '') return `${textAt(reference, 'namespace') || '*'}/${parameter}`;
  return reference?.['selector'] === undefined ? '<unset>' : selectorText(reference['selector']);
}

export const policyBindingTable = table(
  name,
  column('PolicyName', text('spec.policyName')),
  column('ParamRef', parameterReference),
  age,
);

function availability(service: JsonObject): string {
  const condition = objectsAt(service, 'status', 'conditions').find(({ type }) => type === 'Available');
  const status = textAt(condition, 'status') || 'Unknown';
  const reason = textAt(condition, 'reason');
  return status === 'True' || reason === '' ? status : `${status} (${reason})`;
}

export const apiServiceTable = table(
  name,
  column('Service', (service) => {
    const target = objectAt(service, 'spec', 'service');
    return target ? `${textAt(target, 'namespace')}/${textAt(target, 'name')}` : 'Local';
  }),
  column('Available', availability),
  age,
);

function claimState(claim: JsonObject): string {
  const isDeleted = textAt(claim, 'metadata', 'deletionTimestamp') !== '';
  const isAllocated = objectAt(claim, 'status', 'allocation') !== undefined;
  const states = isDeleted ? ['deleted'] : [];
  if (isAllocated) states.push('allocated');
  else if (!isDeleted) states.push('pending');
  if (isAllocated && listAt(claim, 'status', 'reservedFor').length > 0) states.push('reserved');
  return states.join(',');
}

export const resourceClaimTable = table(name, column('State', claimState), age);

export const resourceSliceTable = table(
  name,
  column('Node', text('spec.nodeName')),
  column('Driver', text('spec.driver')),
  column('Pool', text('spec.pool.name')),
  age,
);
