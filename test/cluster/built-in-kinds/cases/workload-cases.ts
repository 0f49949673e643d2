import {
  cases,
  container,
  job,
  type KindCase,
  labels,
  resource,
  template,
  updates,
  workload,
} from './kind-case.ts';

const workloads = cases('workload', {
  'a deployment with the least': workload('Deployment'),
  'a replica set with the least': workload('ReplicaSet'),
  'a stateful set with the least': workload('StatefulSet', { serviceName: 's' }),
  'a stateful set without a service': workload('StatefulSet'),
  'a daemon set with the least': workload('DaemonSet'),
  'a recreated deployment': workload('Deployment', { strategy: { type: 'Recreate' } }),
  'a deployment with one rolling parameter': workload('Deployment', {
    strategy: { rollingUpdate: { maxSurge: 1 } },
  }),
  'a daemon set on delete': workload('DaemonSet', { updateStrategy: { type: 'OnDelete' } }),
  'a stateful set on delete': workload('StatefulSet', {
    serviceName: 's',
    updateStrategy: { type: 'OnDelete' },
  }),
  'a stateful set with claims': workload('StatefulSet', {
    serviceName: 's',
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  }),
  'a deployment of no replicas': workload('Deployment', { replicas: 0 }),
  'limits in a template are not requests': workload('Deployment', {
    template: template({ containers: [{ ...container, resources: { limits: { cpu: '1' } } }] }),
  }),
  'no selector': workload('Deployment', { selector: null }),
  'an empty selector': workload('Deployment', { selector: {} }),
  'a selector that does not match': workload('Deployment', { selector: { matchLabels: { app: 'other' } } }),
  'a replica set whose selector does not match': workload('ReplicaSet', {
    selector: { matchLabels: { app: 'other' } },
  }),
  'a stateful set whose selector does not match': workload('StatefulSet', {
    selector: { matchLabels: { app: 'other' } },
  }),
  'a daemon set whose selector does not match': workload('DaemonSet', {
    selector: { matchLabels: { app: 'other' } },
  }),
  'a bad selector operator': workload('Deployment', {
    selector: { matchExpressions: [{ key: 'app', operator: 'Like' }] },
  }),
  'a bad selector label': workload('Deployment', { selector: { matchLabels: { 'a b': 'c d' } } }),
  'negative replicas': workload('Deployment', { replicas: -1 }),
  'negative replicas of a replica set': workload('ReplicaSet', { replicas: -1 }),
  'negative replicas of a stateful set': workload('StatefulSet', { replicas: -1 }),
  'a restart policy other than Always': workload('Deployment', {
    template: template({ restartPolicy: 'Never' }),
  }),
  'a daemon set with restart policy OnFailure': workload('DaemonSet', {
    template: template({ restartPolicy: 'OnFailure' }),
  }),
  'a template with a deadline': workload('Deployment', { template: template({ activeDeadlineSeconds: 5 }) }),
  'no template containers': workload('Deployment', { template: template({ containers: [] }) }),
  'a template with a bad container': workload('ReplicaSet', {
    template: template({ containers: [{ name: 'A' }] }),
  }),
  'an unknown strategy': workload('Deployment', { strategy: { type: 'Magic' } }),
  'a rolling update with Recreate': workload('Deployment', {
    strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } },
  }),
  'neither surge nor unavailability': workload('Deployment', {
    strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } },
  }),
  'a bad percentage': workload('Deployment', { strategy: { rollingUpdate: { maxSurge: 'x%' } } }),
  'more than 100 %': workload('Deployment', { strategy: { rollingUpdate: { maxUnavailable: '101%' } } }),
  'negative ready seconds': workload('Deployment', { minReadySeconds: -1 }),
  'a progress deadline below ready seconds': workload('Deployment', {
    minReadySeconds: 10,
    progressDeadlineSeconds: 5,
  }),
  'a negative history': workload('Deployment', { revisionHistoryLimit: -1 }),
  'an unknown pod management': workload('StatefulSet', { podManagementPolicy: 'Random' }),
  'an unknown daemon strategy': workload('DaemonSet', { updateStrategy: { type: 'Magic' } }),
  'a label that is none': workload('Deployment', { template: template({}, { labels: { app: 'a b' } }) }),
  'a deployment with a bad name': { ...workload('Deployment'), metadata: { name: 'A' } },
  'a stateful set with a dotted name': { ...workload('StatefulSet'), metadata: { name: 'a.b' } },
  'a replication controller': resource('v1', 'ReplicationController', { spec: { template: template() } }),
  'a replication controller without a template': resource('v1', 'ReplicationController', { spec: {} }),
  'a replication controller whose selector does not match': resource('v1', 'ReplicationController', {
    spec: { selector: { a: 'b' }, template: template() },
  }),
  'a controller revision': resource('apps/v1', 'ControllerRevision', { revision: 1, data: { a: 1 } }),
  'a controller revision without data': resource('apps/v1', 'ControllerRevision', { revision: 1 }),
  'a controller revision below 0': resource('apps/v1', 'ControllerRevision', { revision: -1, data: {} }),
  'a pod template': resource('v1', 'PodTemplate', { template: template() }),
  'an empty pod template': resource('v1', 'PodTemplate', { template: { spec: { containers: [] } } }),
});

const jobs = cases('job', {
  'with the least': job(),
  'of many': job({ completions: 5, parallelism: 2 }),
  'with parallelism alone': job({ parallelism: 3 }),
  'that is indexed': job({ completionMode: 'Indexed', completions: 3, backoffLimitPerIndex: 1 }),
  'with a failure policy': job({
    podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
  }),
  'that always restarts': job({ template: template({ restartPolicy: 'Always' }) }),
  'without a restart policy': job({ template: template() }),
  'with negative completions': job({ completions: -1 }),
  'with negative parallelism': job({ parallelism: -1 }),
  'with a negative backoff': job({ backoffLimit: -1 }),
  'with an unknown completion mode': job({ completionMode: 'Sorted' }),
  'that is indexed without completions': job({ completionMode: 'Indexed', parallelism: 1 }),
  'with a deadline below 0': job({ activeDeadlineSeconds: -1 }),
  'with a negative time to live': job({ ttlSecondsAfterFinished: -1 }),
  'with a selector of its own': job({ selector: { matchLabels: { a: 'b' } } }),
  'that is suspended': job({ suspend: true }),
});

const cron = (spec: object) =>
  resource('batch/v1', 'CronJob', {
    spec: {
      schedule: '*/5 * * * *',
      jobTemplate: { spec: { template: template({ restartPolicy: 'Never' }) } },
      ...spec,
    },
  });

const cronJobs = cases('cron job', {
  'with the least': cron({}),
  'with a time zone': cron({ timeZone: 'Europe/Berlin' }),
  'without a schedule': cron({ schedule: '' }),
  'with a bad schedule': cron({ schedule: 'every day' }),
  'with an unknown policy': cron({ concurrencyPolicy: 'Maybe' }),
  'with a negative history': cron({ successfulJobsHistoryLimit: -1, failedJobsHistoryLimit: -1 }),
  'with a negative deadline': cron({ startingDeadlineSeconds: -1 }),
  'with an unknown time zone': cron({ timeZone: 'Mars/Base' }),
  'with jobs that always restart': cron({ jobTemplate: { spec: { template: template() } } }),
  'with a long name': { ...cron({}), metadata: { name: 'a'.repeat(53) } },
});

const updated = [
  ...updates('deployment', workload('Deployment'), {
    'more replicas': workload('Deployment', { replicas: 3 }),
    'another selector': workload('Deployment', {
      selector: { matchLabels: { ...labels, b: 'c' } },
      template: template({}, { labels: { ...labels, b: 'c' } }),
    }),
    'another image': workload('Deployment', {
      template: template({ containers: [{ ...container, image: 'x' }] }),
    }),
  }),
  ...updates('daemon set', workload('DaemonSet'), {
    'another selector': workload('DaemonSet', {
      selector: { matchLabels: { b: 'c' } },
      template: template({}, { labels: { b: 'c' } }),
    }),
  }),
  ...updates('replica set', workload('ReplicaSet'), {
    'another selector': workload('ReplicaSet', {
      selector: { matchLabels: { b: 'c' } },
      template: template({}, { labels: { b: 'c' } }),
    }),
  }),
  ...updates('stateful set', workload('StatefulSet', { serviceName: 's' }), {
    'another service': workload('StatefulSet', { serviceName: 't' }),
    'more replicas': workload('StatefulSet', { serviceName: 's', replicas: 2 }),
    'other claims': workload('StatefulSet', {
      serviceName: 's',
      volumeClaimTemplates: [
        {
          metadata: { name: 'd' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    }),
  }),
];

export const workloadCases: readonly KindCase[] = [...workloads, ...jobs, ...cronJobs, ...updated];
