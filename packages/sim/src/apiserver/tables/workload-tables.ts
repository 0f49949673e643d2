import type { JsonObject } from '@karpenter/core/schema';
import { numberAt, objectsAt, textAt, textsAt, valueAt } from '../kinds/draft.ts';
import { humanDuration, since } from './age.ts';
import {
  age,
  type Cell,
  type Column,
  column,
  count,
  integer,
  name,
  size,
  table,
  text,
  wide,
} from './columns.ts';
import { labelsText, selectorText } from './selector-text.ts';

const containerCell =
  (field: string, ...path: readonly string[]): Cell =>
  (object) =>
    objectsAt(object, ...path, 'spec', 'containers')
      .map((container) => textAt(container, field))
      .join(',');

/** Names and images of the containers of a pod template. */
const containers = (...template: readonly string[]): readonly Column[] => [
  wide('Containers', containerCell('name', ...template)),
  wide('Images', containerCell('image', ...template)),
];

const selector = (...path: readonly string[]): Column =>
  wide('Selector', (object) => selectorText(valueAt(object, ...path)));

const template = ['spec', 'template'] as const;
const ready: Cell = (object) =>
  `${numberAt(object, 'status', 'readyReplicas') ?? 0}/${numberAt(object, 'spec', 'replicas') ?? 0}`;

const replicas = [
  integer('Desired', count('spec.replicas')),
  integer('Current', count('status.replicas')),
  integer('Ready', count('status.readyReplicas')),
];

/** Only deployments show a selector that selects everything as empty. */
const deploymentSelector = (deployment: JsonObject) =>
  selectorText(valueAt(deployment, 'spec', 'selector')).replace('<none>', '');

export const deploymentTable = table(
  name,
  column('Ready', ready),
  column('Up-to-date', count('status.updatedReplicas')),
  column('Available', count('status.availableReplicas')),
  age,
  ...containers(...template),
  wide('Selector', deploymentSelector),
);

export const replicaSetTable = table(
  name,
  ...replicas,
  age,
  ...containers(...template),
  selector('spec', 'selector'),
);

export const replicationControllerTable = table(
  name,
  ...replicas,
  age,
  ...containers(...template),
  wide('Selector', (controller) => labelsText(textsAt(controller, 'spec', 'selector'))),
);

export const statefulSetTable = table(name, column('Ready', ready), age, ...containers(...template));

export const daemonSetTable = table(
  name,
  integer('Desired', count('status.desiredNumberScheduled')),
  integer('Current', count('status.currentNumberScheduled')),
  integer('Ready', count('status.numberReady')),
  integer('Up-to-date', count('status.updatedNumberScheduled')),
  integer('Available', count('status.numberAvailable')),
  column('Node Selector', (set) => labelsText(textsAt(set, 'spec', 'template', 'spec', 'nodeSelector'))),
  age,
  ...containers(...template),
  selector('spec', 'selector'),
);

function jobStatus(job: JsonObject): string {
  const holds = (type: string) =>
    objectsAt(job, 'status', 'conditions').some(
      (condition) => condition['type'] === type && condition['status'] === 'True',
    );
  if (holds('Complete')) return 'Complete';
  if (holds('Failed')) return 'Failed';
  if (textAt(job, 'metadata', 'deletionTimestamp') !== '') return 'Terminating';
  return ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'].find(holds) ?? 'Running';
}

function jobCompletions(job: JsonObject): string {
  const succeeded = numberAt(job, 'status', 'succeeded') ?? 0;
  const completions = numberAt(job, 'spec', 'completions');
  if (completions !== undefined) return `${succeeded}/${completions}`;
  const parallelism = numberAt(job, 'spec', 'parallelism') ?? 0;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function jobDuration(job: JsonObject, nowMs: number): string {
  const start = textAt(job, 'status', 'startTime');
  if (start === '') return '';
  const end = textAt(job, 'status', 'completionTime');
  return humanDuration((end === '' ? nowMs : Date.parse(end)) - Date.parse(start));
}

export const jobTable = table(
  name,
  column('Status', jobStatus),
  column('Completions', jobCompletions),
  column('Duration', jobDuration),
  age,
  ...containers(...template),
  selector('spec', 'selector'),
);

function lastSchedule(job: JsonObject, nowMs: number): string {
  const time = textAt(job, 'status', 'lastScheduleTime');
  return time === '' ? '<none>' : since(time, nowMs);
}

function suspendText(job: JsonObject): string {
  const suspend = valueAt(job, 'spec', 'suspend');
  if (suspend === undefined) return '<unset>';
  return suspend === true ? 'True' : 'False';
}

export const cronJobTable = table(
  name,
  column('Schedule', text('spec.schedule')),
  column('Timezone', text('spec.timeZone', '<none>')),
  column('Suspend', suspendText, { type: 'boolean' }),
  integer('Active', size('status.active')),
  column('Last Schedule', lastSchedule),
  age,
  ...containers('spec', 'jobTemplate', 'spec', 'template'),
  selector('spec', 'jobTemplate', 'spec', 'selector'),
);

export const podTemplateTable = table(
  name,
  column('Containers', containerCell('name', 'template')),
  column('Images', containerCell('image', 'template')),
  column('Pod Labels', (podTemplate) => labelsText(textsAt(podTemplate, 'template', 'metadata', 'labels'))),
);

function controllerText(revision: JsonObject): string {
  const controller = objectsAt(revision, 'metadata', 'ownerReferences').find(
    (owner) => owner['controller'] === true,
  );
  if (!controller) return '<none>';
  const [group] = textAt(controller, 'apiVersion').split('/');
  const kind = textAt(controller, 'kind').toLowerCase();
  const named = textAt(controller, 'apiVersion').includes('/') ? `${kind}.${group}` : kind;
  return `${named}/${textAt(controller, 'name')}`;
}

export const controllerRevisionTable = table(
  name,
  column('Controller', controllerText),
  column('Revision', count('revision')),
  age,
);
