/** A value of the chart karpenter, what it is set to, and all fields that change with it; null for removed ones. */
export type ValueEffect = readonly [value: string, to: unknown, changes: Readonly<Record<string, unknown>>];

const deployment = 'Deployment/karpenter spec';
const pod = `${deployment}.template.spec`;
const container = `${pod}.containers.controller`;
const core = 'ClusterRole/karpenter-core rules';

/** The variable as the chart renders it, whether the release had it before or not. */
function variable(name: string, value: string): Readonly<Record<string, unknown>> {
  return { [`${container}.env.${name}.value`]: value };
}

/** A variable that is not there by default. */
function newVariable(name: string, value: string): Readonly<Record<string, unknown>> {
  return { ...variable(name, value), [`${container}.env.${name}.name`]: name };
}

function newPort(path: string, fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries({ name: 'http-ui', protocol: 'TCP', ...fields }).map(([field, value]) => [
      `${path}.${field}`,
      value,
    ]),
  );
}

function readRule(
  index: number,
  group: string,
  resources: readonly string[],
): Readonly<Record<string, unknown>> {
  const verbs = ['get', 'list', 'watch'];
  return Object.fromEntries([
    [`${core}.${index}.apiGroups.0`, group],
    ...resources.map((resource, at) => [`${core}.${index}.resources.${at}`, resource]),
    ...verbs.map((verb, at) => [`${core}.${index}.verbs.${at}`, verb]),
  ]);
}

const gates =
  'ReservedCapacity=true,SpotToSpotConsolidation=false,NodeRepair=false,NodeOverlay=false,StaticCapacity=false,CapacityBuffer=false';
const gated = (gate: string, isOn: boolean) =>
  variable('FEATURE_GATES', gates.replace(`${gate}=${!isOn}`, `${gate}=${isOn}`));
const selected = {
  'app.kubernetes.io/name': 'karpenter',
  'app.kubernetes.io/instance': 'karpenter',
} as const;
const labelsAt = (path: string) =>
  Object.fromEntries(
    Object.entries(selected).map(([label, value]) => [`${path}.labelSelector.matchLabels.${label}`, value]),
  );
const antiAffinity = `${pod}.affinity.podAntiAffinity`;
const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const nodeTerm = `${pod}.affinity.nodeAffinity.${required}.nodeSelectorTerms.0.matchExpressions.0`;

/** Values of the pods. */
export const podEffects: readonly ValueEffect[] = [
  ['imagePullPolicy', 'Always', { [`${container}.imagePullPolicy`]: 'Always' }],
  ['imagePullSecrets', [{ name: 'registry' }], { [`${pod}.imagePullSecrets.registry.name`]: 'registry' }],
  ['replicas', 0, { [`${deployment}.replicas`]: 0 }],
  ['revisionHistoryLimit', 0, { [`${deployment}.revisionHistoryLimit`]: 0 }],
  [
    'strategy.rollingUpdate.maxUnavailable',
    0,
    { [`${deployment}.strategy.rollingUpdate.maxUnavailable`]: 0 },
  ],
  [
    'strategy.type',
    'Recreate',
    {
      [`${deployment}.strategy.type`]: 'Recreate',
      [`${deployment}.strategy.rollingUpdate.maxUnavailable`]: null,
    },
  ],
  ['podLabels', { team: 7 }, { [`${deployment}.template.metadata.labels.team`]: '7' }],
  [
    'podLabels',
    { 'app.kubernetes.io/name': 'other', team: 'a' },
    { [`${deployment}.template.metadata.labels.team`]: 'a' },
  ],
  [
    'podAnnotations',
    { 'sidecar.istio.io/inject': false },
    { [`${deployment}.template.metadata.annotations.sidecar.istio.io/inject`]: 'false' },
  ],
  ['podSecurityContext.fsGroup', 0, { [`${pod}.securityContext.fsGroup`]: 0 }],
  [
    'podSecurityContext.seccompProfile.type',
    'Unconfined',
    { [`${pod}.securityContext.seccompProfile.type`]: 'Unconfined' },
  ],
  ['priorityClassName', 'high', { [`${pod}.priorityClassName`]: 'high' }],
  ['priorityClassName', '', { [`${pod}.priorityClassName`]: null }],
  ['terminationGracePeriodSeconds', 0, { [`${pod}.terminationGracePeriodSeconds`]: 0 }],
  ['hostNetwork', true, { [`${pod}.hostNetwork`]: true }],
  ['schedulerName', 'mine', { [`${pod}.schedulerName`]: 'mine' }],
  ['dnsPolicy', 'Default', { [`${pod}.dnsPolicy`]: 'Default' }],
  ['dnsConfig', { searches: ['a'] }, { [`${pod}.dnsConfig.searches.0`]: 'a' }],
  [
    'initContainers',
    [{ name: 'wait', image: 'wait' }],
    { [`${pod}.initContainers.wait.name`]: 'wait', [`${pod}.initContainers.wait.image`]: 'wait' },
  ],
  [
    'nodeSelector',
    { 'karpenter.sh/controller': true },
    { [`${pod}.nodeSelector.karpenter.sh/controller`]: 'true' },
  ],
  ['nodeSelector', null, { [`${pod}.nodeSelector.kubernetes.io/os`]: null }],
  ['affinity.nodeAffinity', null, { [`${nodeTerm}.key`]: null, [`${nodeTerm}.operator`]: null }],
  [
    'affinity.podAntiAffinity',
    {
      [required]: null,
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, podAffinityTerm: { topologyKey: 'zone' } },
      ],
    },
    {
      [`${antiAffinity}.${required}.0.topologyKey`]: null,
      ...Object.fromEntries(
        Object.keys(labelsAt(`${antiAffinity}.${required}.0`)).map((field) => [field, null]),
      ),
      [`${antiAffinity}.preferredDuringSchedulingIgnoredDuringExecution.0.weight`]: 1,
      [`${antiAffinity}.preferredDuringSchedulingIgnoredDuringExecution.0.podAffinityTerm.topologyKey`]:
        'zone',
      ...labelsAt(`${antiAffinity}.preferredDuringSchedulingIgnoredDuringExecution.0.podAffinityTerm`),
    },
  ],
  [
    'affinity.podAffinity',
    { [required]: [{ topologyKey: 'zone' }, { topologyKey: 'rack', labelSelector: {} }] },
    {
      [`${pod}.affinity.podAffinity.${required}.0.topologyKey`]: 'zone',
      ...labelsAt(`${pod}.affinity.podAffinity.${required}.0`),
      [`${pod}.affinity.podAffinity.${required}.1.topologyKey`]: 'rack',
    },
  ],
  [
    'topologySpreadConstraints',
    [{ maxSkew: 2, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' }],
    {
      [`${pod}.topologySpreadConstraints.0.maxSkew`]: 2,
      [`${pod}.topologySpreadConstraints.0.whenUnsatisfiable`]: 'ScheduleAnyway',
    },
  ],
  ['tolerations', [], { [`${pod}.tolerations.0.key`]: null, [`${pod}.tolerations.0.operator`]: null }],
  [
    'extraVolumes',
    [{ name: 'token', secret: { secretName: 's' } }],
    { [`${pod}.volumes.token.name`]: 'token', [`${pod}.volumes.token.secret.secretName`]: 's' },
  ],
  [
    'controller.image.repository',
    'registry.example/controller',
    { [`${container}.image`]: 'registry.example/controller:0.1.0' },
  ],
  ['controller.image.tag', '1.2.3', { [`${container}.image`]: 'ghcr.io/karpenter-ts/controller:1.2.3' }],
  [
    'controller.image.digest',
    'sha256:ab',
    { [`${container}.image`]: 'ghcr.io/karpenter-ts/controller:0.1.0@sha256:ab' },
  ],
  [
    'controller.env',
    [
      { name: 'AWS_REGION', value: 'eu-west-1' },
      { name: 'LOG_LEVEL', value: 'debug' },
    ],
    { ...newVariable('AWS_REGION', 'eu-west-1'), ...variable('LOG_LEVEL', 'debug') },
  ],
  [
    'controller.envFrom',
    [{ configMapRef: { name: 'more' } }],
    { [`${container}.envFrom.0.configMapRef.name`]: 'more' },
  ],
  ...(['appArmorProfile', 'seccompProfile'] as const).map(
    (profile): ValueEffect => [
      `controller.securityContext.${profile}`,
      { type: 'RuntimeDefault' },
      { [`${container}.securityContext.${profile}.type`]: 'RuntimeDefault' },
    ],
  ),
  [
    'controller.securityContext.seLinuxOptions',
    { level: 's0' },
    { [`${container}.securityContext.seLinuxOptions.level`]: 's0' },
  ],
  [
    'controller.resources',
    { requests: { cpu: 1, memory: '1Gi' } },
    { [`${container}.resources.requests.cpu`]: 1, [`${container}.resources.requests.memory`]: '1Gi' },
  ],
  [
    'controller.extraVolumeMounts',
    [{ name: 'token', mountPath: '/t' }],
    {
      [`${container}.volumeMounts.token.name`]: 'token',
      [`${container}.volumeMounts.token.mountPath`]: '/t',
    },
  ],
  [
    'controller.sidecarContainer',
    [{ name: 'proxy', image: 'proxy' }],
    { [`${pod}.containers.proxy.name`]: 'proxy', [`${pod}.containers.proxy.image`]: 'proxy' },
  ],
  // There is no other container that it could be mounted into.
  ['controller.sidecarVolumeMounts', [{ name: 'token', mountPath: '/t' }], {}],
  [
    'controller.metrics.port',
    9000,
    {
      [`${container}.ports.http-metrics.containerPort`]: 9000,
      ...variable('METRICS_PORT', '9000'),
      'Service/karpenter spec.ports.http-metrics.port': 9000,
    },
  ],
  [
    'controller.healthProbe.port',
    9001,
    { [`${container}.ports.http.containerPort`]: 9001, ...variable('HEALTH_PROBE_PORT', '9001') },
  ],
];

/** Values that become variables of the controller. */
export const settingEffects: readonly ValueEffect[] = [
  ['logLevel', 'debug', variable('LOG_LEVEL', 'debug')],
  ['logOutputPaths', ['stdout', '/tmp/log'], variable('LOG_OUTPUT_PATHS', 'stdout,/tmp/log')],
  ['logErrorOutputPaths', ['/tmp/errors'], variable('LOG_ERROR_OUTPUT_PATHS', '/tmp/errors')],
  ['settings.batchMaxDuration', '0s', variable('BATCH_MAX_DURATION', '0s')],
  ['settings.batchIdleDuration', '0s', variable('BATCH_IDLE_DURATION', '0s')],
  ['settings.preferencePolicy', 'Ignore', variable('PREFERENCE_POLICY', 'Ignore')],
  ['settings.minValuesPolicy', 'BestEffort', variable('MIN_VALUES_POLICY', 'BestEffort')],
  ['settings.clusterCABundle', 'Y2E=', newVariable('CLUSTER_CA_BUNDLE', 'Y2E=')],
  ['settings.clusterName', '{{ .Release.Name }}-x', variable('CLUSTER_NAME', 'karpenter-x')],
  ['settings.clusterEndpoint', 'https://api', newVariable('CLUSTER_ENDPOINT', 'https://api')],
  ['settings.isolatedVPC', true, variable('ISOLATED_VPC', 'true')],
  ['settings.eksControlPlane', true, variable('EKS_CONTROL_PLANE', 'true')],
  ['settings.vmMemoryOverheadPercent', 0, variable('VM_MEMORY_OVERHEAD_PERCENT', '0')],
  ['settings.vmMemoryOverheadPercent', 0.05, variable('VM_MEMORY_OVERHEAD_PERCENT', '0.05')],
  ...['', null].map(
    (none): ValueEffect => [
      'settings.vmMemoryOverheadPercent',
      none,
      {
        [`${container}.env.VM_MEMORY_OVERHEAD_PERCENT.name`]: null,
        [`${container}.env.VM_MEMORY_OVERHEAD_PERCENT.value`]: null,
      },
    ],
  ),
  ['settings.interruptionQueue', '{{ .Release.Name }}', newVariable('INTERRUPTION_QUEUE', 'karpenter')],
  ['settings.enableZonalShift', true, variable('ENABLE_ZONAL_SHIFT', 'true')],
  ['settings.reservedENIs', 1, variable('RESERVED_ENIS', '1')],
  [
    'settings.ignoreDRARequests',
    false,
    {
      ...variable('IGNORE_DRA_REQUESTS', 'false'),
      ...readRule(15, 'resource.k8s.io', ['resourceslices', 'resourceclaims', 'deviceclasses']),
    },
  ],
  [
    'settings.disableClusterStateObservability',
    true,
    variable('DISABLE_CLUSTER_STATE_OBSERVABILITY', 'true'),
  ],
  ['settings.disableDryRun', true, variable('DISABLE_DRY_RUN', 'true')],
  ['settings.amiRefreshInterval', '5m', variable('AMI_REFRESH_INTERVAL', '5m')],
  ['settings.subnetRefreshInterval', '5m', variable('SUBNET_REFRESH_INTERVAL', '5m')],
  ['settings.rebalancePolicy', 'Replace', variable('REBALANCE_POLICY', 'Replace')],
  [
    'settings.rebalanceReplacementsPerHour',
    1_000_000,
    variable('REBALANCE_REPLACEMENTS_PER_HOUR', '1000000'),
  ],
  [
    'settings.schedulerConfig',
    'podTopologySpread: {}',
    { ...newVariable('SCHEDULER_CONFIG', 'podTopologySpread: {}'), ...readRule(15, '', ['services']) },
  ],
  [
    'settings.uiPort',
    8090,
    { ...variable('UI_PORT', '8090'), ...newPort(`${container}.ports.http-ui`, { containerPort: 8090 }) },
  ],
  // Nothing is served there while the port is 0.
  ['settings.uiHost', '0.0.0.0', variable('UI_HOST', '0.0.0.0')],
  [
    'settings.uiAllowedHosts',
    '{{ .Release.Name }}.example,other.example:8443',
    newVariable('UI_ALLOWED_HOSTS', 'karpenter.example,other.example:8443'),
  ],
  ['settings.decisionLogSize', 0, variable('DECISION_LOG_SIZE', '0')],
  ['settings.decisionLogClusters', 0, variable('DECISION_LOG_CLUSTERS', '0')],
  ['settings.featureGates.nodeRepair', true, gated('NodeRepair', true)],
  ['settings.featureGates.reservedCapacity', false, gated('ReservedCapacity', false)],
  ['settings.featureGates.spotToSpotConsolidation', true, gated('SpotToSpotConsolidation', true)],
  ['settings.featureGates.nodeOverlay', true, gated('NodeOverlay', true)],
  ['settings.featureGates.staticCapacity', true, gated('StaticCapacity', true)],
  ['settings.featureGates.capacityBuffer', true, gated('CapacityBuffer', true)],
];

/** Values of the other objects. */
export const objectEffects: readonly ValueEffect[] = [
  ['service.annotations', { scrape: true }, { 'Service/karpenter metadata.annotations.scrape': 'true' }],
  [
    'serviceAccount.annotations',
    { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/k' },
    {
      'ServiceAccount/karpenter metadata.annotations.eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/k',
    },
  ],
  ['podDisruptionBudget.maxUnavailable', 0, { 'PodDisruptionBudget/karpenter spec.maxUnavailable': 0 }],
  [
    'podDisruptionBudget.maxUnavailable',
    '50%',
    { 'PodDisruptionBudget/karpenter spec.maxUnavailable': '50%' },
  ],
  [
    'additionalClusterRoleRules',
    [{ apiGroups: ['example.com'], resources: ['things'], verbs: ['get'] }],
    {
      [`${core}.15.apiGroups.0`]: 'example.com',
      [`${core}.15.resources.0`]: 'things',
      [`${core}.15.verbs.0`]: 'get',
    },
  ],
  [
    'surgeDrain.enabled',
    true,
    {
      [`${core}.15.apiGroups.0`]: 'apps',
      [`${core}.15.resources.0`]: 'deployments',
      [`${core}.15.verbs.0`]: 'patch',
    },
  ],
];
