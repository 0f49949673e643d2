import type { ValueEffect } from './value-effects.ts';

const daemonSet = 'DaemonSet/handler-node-termination-handler';
const spec = `${daemonSet} spec`;
const pod = `${spec}.template.spec`;
const container = `${pod}.containers.node-termination-handler`;

const variable = (name: string, value: string) => ({ [`${container}.env.${name}.value`]: value });
const newVariable = (name: string, value: string) => ({
  ...variable(name, value),
  [`${container}.env.${name}.name`]: name,
});
const label = (path: string, key: string, value: string) => ({
  [`${spec}.template.metadata.${path}.${key}`]: value,
});
const port = (name: string, number: number) => ({
  [`${container}.ports.${name}.name`]: name,
  [`${container}.ports.${name}.containerPort`]: number,
  [`${container}.ports.${name}.protocol`]: 'TCP',
});
const terms = `${pod}.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms.0`;
const defaultTerm = {
  [`${terms}.matchExpressions.0.key`]: null,
  [`${terms}.matchExpressions.0.operator`]: null,
  [`${terms}.matchExpressions.0.values.0`]: null,
};
const otherAffinity = { podAntiAffinity: { a: 'b' } };
const otherAffinityEffect = { ...defaultTerm, [`${pod}.affinity.podAntiAffinity.a`]: 'b' };
const toleration = [{ key: 'team', operator: 'Exists' }];
const replacedToleration = { [`${pod}.tolerations.0.key`]: 'team' };

/** Values that become a variable: value, variable, what it is set to. */
const variables: readonly (readonly [string, string, unknown])[] = [
  ['dryRun', 'DRY_RUN', true],
  ['logLevel', 'LOG_LEVEL', 'debug'],
  ['logFormatVersion', 'LOG_FORMAT_VERSION', 2],
  ['jsonLogging', 'JSON_LOGGING', true],
  ['prometheusServerPort', 'PROMETHEUS_SERVER_PORT', 9100],
  ['probesServerPort', 'PROBES_SERVER_PORT', 9101],
  ['probesServerEndpoint', 'PROBES_SERVER_ENDPOINT', '/live'],
  ['enableSpotInterruptionDraining', 'ENABLE_SPOT_INTERRUPTION_DRAINING', false],
  ['enableScheduledEventDraining', 'ENABLE_SCHEDULED_EVENT_DRAINING', false],
  ['enableASGLifecycleDraining', 'ENABLE_ASG_LIFECYCLE_DRAINING', false],
  ['enableRebalanceMonitoring', 'ENABLE_REBALANCE_MONITORING', true],
  ['enableRebalanceDraining', 'ENABLE_REBALANCE_DRAINING', true],
  ['rebalanceCooldown', 'REBALANCE_COOLDOWN', 0],
  ['manageKarpenterNodes', 'MANAGE_KARPENTER_NODES', true],
  ['cordonOnly', 'CORDON_ONLY', true],
  ['taintNode', 'TAINT_NODE', true],
  ['taintEffect', 'TAINT_EFFECT', 'NoExecute'],
  ['enableOutOfServiceTaint', 'ENABLE_OUT_OF_SERVICE_TAINT', true],
  ['excludeFromLoadBalancers', 'EXCLUDE_FROM_LOAD_BALANCERS', true],
  ['deleteLocalData', 'DELETE_LOCAL_DATA', false],
  ['ignoreDaemonSets', 'IGNORE_DAEMON_SETS', false],
  ['podTerminationGracePeriod', 'POD_TERMINATION_GRACE_PERIOD', 30],
  ['nodeTerminationGracePeriod', 'NODE_TERMINATION_GRACE_PERIOD', 1_000_000],
  ['metadataTries', 'METADATA_TRIES', 5],
  ['instanceMetadataURL', 'INSTANCE_METADATA_URL', 'http://127.0.0.1:9'],
  ['workers', 'WORKERS', 2],
  ['kubeAPIQPS', 'KUBE_API_QPS', 20],
  ['kubeAPIBurst', 'KUBE_API_BURST', 30],
  ['useAPIServerCacheToListPods', 'USE_APISERVER_CACHE', true],
];

/** Values whose variable is absent by default. */
const newVariables: readonly (readonly [string, string, string])[] = [
  ['kubernetesEventsExtraAnnotations', 'KUBERNETES_EVENTS_EXTRA_ANNOTATIONS', 'a=b'],
  ['awsRegion', 'AWS_REGION', 'eu-west-1'],
  ['webhookURL', 'WEBHOOK_URL', 'https://hooks.example'],
  ['webhookProxy', 'WEBHOOK_PROXY', 'http://proxy:3128'],
  ['webhookHeaders', 'WEBHOOK_HEADERS', '{"a":"b"}'],
  ['webhookTemplate', 'WEBHOOK_TEMPLATE', '{{ .Kind }}'],
];

/** Every value of the chart with all fields that change with it; null for removed ones. */
export const handlerEffects: readonly ValueEffect[] = [
  ...variables.map(([value, name, to]): ValueEffect => [value, to, variable(name, String(to))]),
  ...newVariables.map(([value, name, to]): ValueEffect => [value, to, newVariable(name, to)]),
  ['image.repository', 'example.com/nth', { [`${container}.image`]: 'example.com/nth:0.1.0' }],
  ['image.tag', '2.0', { [`${container}.image`]: 'ghcr.io/karpenter-ts/controller:2.0' }],
  ['image.pullPolicy', 'Always', { [`${container}.imagePullPolicy`]: 'Always' }],
  ['image.pullSecrets', ['registry'], { [`${pod}.imagePullSecrets.registry.name`]: 'registry' }],
  ['podLabels', { team: 'a' }, label('labels', 'team', 'a')],
  ['linuxPodLabels', { team: 'a' }, label('labels', 'team', 'a')],
  ['windowsPodLabels', { team: 'a' }, {}],
  ['podAnnotations', { note: 7 }, label('annotations', 'note', '7')],
  ['linuxPodAnnotations', { note: 'x' }, label('annotations', 'note', 'x')],
  ['windowsPodAnnotations', { note: 'x' }, {}],
  ['podSecurityContext.fsGroup', 7, { [`${pod}.securityContext.fsGroup`]: 7 }],
  ['securityContext.runAsUser', 7, { [`${container}.securityContext.runAsUser`]: 7 }],
  ['terminationGracePeriodSeconds', 0, { [`${pod}.terminationGracePeriodSeconds`]: 0 }],
  ['resources.limits.memory', '1Gi', { [`${container}.resources.limits.memory`]: '1Gi' }],
  ['nodeSelector', { pool: 'a' }, { [`${pod}.nodeSelector.pool`]: 'a' }],
  ['daemonsetNodeSelector', { pool: 'a' }, { [`${pod}.nodeSelector.pool`]: 'a' }],
  ['linuxNodeSelector', { pool: 'a' }, { [`${pod}.nodeSelector.pool`]: 'a' }],
  ['windowsNodeSelector', { pool: 'a' }, {}],
  ['affinity', otherAffinity, otherAffinityEffect],
  ['daemonsetAffinity.podAntiAffinity', { a: 'b' }, { [`${pod}.affinity.podAntiAffinity.a`]: 'b' }],
  ['linuxAffinity', otherAffinity, otherAffinityEffect],
  ['windowsAffinity', otherAffinity, {}],
  ['tolerations', toleration, { ...replacedToleration, [`${pod}.tolerations.1.operator`]: 'Exists' }],
  ['daemonsetTolerations', toleration, replacedToleration],
  ['linuxTolerations', toleration, replacedToleration],
  ['windowsTolerations', toleration, {}],
  ['extraEnv', [{ name: 'A', value: 'b' }], newVariable('A', 'b')],
  ['daemonsetPriorityClassName', 'low', { [`${pod}.priorityClassName`]: 'low' }],
  ['useHostNetwork', false, { [`${pod}.hostNetwork`]: null, [`${pod}.dnsPolicy`]: null }],
  ['dnsPolicy', 'Default', { [`${pod}.dnsPolicy`]: 'Default' }],
  ['dnsConfig', { nameservers: ['1.1.1.1'] }, { [`${pod}.dnsConfig.nameservers.0`]: '1.1.1.1' }],
  [
    'updateStrategy.rollingUpdate.maxUnavailable',
    1,
    { [`${spec}.updateStrategy.rollingUpdate.maxUnavailable`]: 1 },
  ],
  [
    'updateStrategy.type',
    'OnDelete',
    {
      [`${spec}.updateStrategy.type`]: 'OnDelete',
      [`${spec}.updateStrategy.rollingUpdate.maxUnavailable`]: null,
    },
  ],
  [
    'enablePrometheusServer',
    true,
    { ...variable('ENABLE_PROMETHEUS_SERVER', 'true'), ...port('http-metrics', 9092) },
  ],
  [
    'enableProbesServer',
    true,
    {
      ...variable('ENABLE_PROBES_SERVER', 'true'),
      ...port('liveness-probe', 8080),
      [`${container}.livenessProbe.httpGet.path`]: '/healthz',
      [`${container}.livenessProbe.httpGet.port`]: 'liveness-probe',
      [`${container}.livenessProbe.initialDelaySeconds`]: 5,
      [`${container}.livenessProbe.periodSeconds`]: 5,
    },
  ],
  ['probes.periodSeconds', 9, {}],
  [
    'emitKubernetesEvents',
    true,
    {
      ...variable('EMIT_KUBERNETES_EVENTS', 'true'),
      'ClusterRole/handler-node-termination-handler rules.5.apiGroups.0': '',
      'ClusterRole/handler-node-termination-handler rules.5.resources.0': 'events',
      'ClusterRole/handler-node-termination-handler rules.5.verbs.0': 'create',
      'ClusterRole/handler-node-termination-handler rules.5.verbs.1': 'patch',
    },
  ],
  [
    'webhookURLSecretName',
    'hook',
    {
      [`${container}.env.WEBHOOK_URL.name`]: 'WEBHOOK_URL',
      [`${container}.env.WEBHOOK_URL.valueFrom.secretKeyRef.name`]: 'hook',
      [`${container}.env.WEBHOOK_URL.valueFrom.secretKeyRef.key`]: 'webhookurl',
    },
  ],
  ['webhookTemplateConfigMapKey', 'body', {}],
  ['enableSqsTerminationDraining', false, {}],
  ['podMonitor.create', true, {}],
];
