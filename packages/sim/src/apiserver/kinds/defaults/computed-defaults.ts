import { isJsonObject, type Json } from '@karpenter/core/schema';
import { type Draft, ensureObject, fill, objectAt, objectsAt, textAt, valueAt } from '../draft.ts';
import { defaultPod, defaultPodSpec } from './pod-defaults.ts';
import { defaultService } from './service-defaults.ts';
import { defaultDaemonSet, defaultDeployment, defaultJob, defaultStatefulSet } from './workload-defaults.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

/** `Always` for the tag `latest`, which is also the tag of an image without tag and digest. */
function pullPolicy(image: string): string {
  if (image === '') return 'IfNotPresent';
  const [name = '', digest] = image.split('@');
  const tag = /:([^/:]+)$/.exec(name)?.[1] ?? (digest === undefined ? 'latest' : '');
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

const defaultContainer = (container: Draft) =>
  fill(container, { imagePullPolicy: pullPolicy(textAt(container, 'image')) });

function defaultVolume(volume: Draft): void {
  if (Object.keys(volume).every((name) => name === 'name')) volume['emptyDir'] = {};
  const image = objectAt(volume, 'image');
  if (image) fill(image, { pullPolicy: pullPolicy(textAt(image, 'reference')) });
}

function fillFrom(resources: Draft, source: Json | undefined): void {
  if (isJsonObject(source)) fill(resources, source);
}

function defaultLimitRangeItem(item: Draft): void {
  if (item['type'] !== 'Container') return;
  const limits = ensureObject(item, 'default');
  const requests = ensureObject(item, 'defaultRequest');
  fillFrom(limits, item['max']);
  fillFrom(requests, limits);
  fillFrom(requests, item['min']);
  for (const name of ['default', 'defaultRequest']) {
    if (Object.keys(objectAt(item, name) ?? {}).length === 0) delete item[name];
  }
}

function defaultReplicationController(controller: Draft): void {
  const labels = objectAt(controller, 'spec', 'template', 'metadata', 'labels');
  if (!labels) return;
  const spec = objectAt(controller, 'spec');
  const metadata = objectAt(controller, 'metadata');
  if (spec) fill(spec, { selector: labels });
  if (metadata) fill(metadata, { labels });
}

function defaultNamespace(namespace: Draft): void {
  const metadata = ensureObject(namespace, 'metadata');
  const name = textAt(metadata, 'name');
  if (name !== '') ensureObject(metadata, 'labels')['kubernetes.io/metadata.name'] = name;
}

function defaultNetworkPolicy(spec: Draft): void {
  const hasEgress = objectsAt(spec, 'egress').length > 0;
  fill(spec, { policyTypes: hasEgress ? ['Ingress', 'Egress'] : ['Ingress'] });
}

function defaultDeviceRequest(request: Draft): void {
  fill(request, { allocationMode: 'ExactCount' });
  if (request['allocationMode'] === 'ExactCount') fill(request, { count: 1 });
}

function defaultCustomResourceDefinition(definition: Draft): void {
  const names = objectAt(definition, 'spec', 'names');
  const kind = textAt(names, 'kind');
  if (names)
    fill(names, { singular: kind.toLowerCase(), ...(kind === '' ? {} : { listKind: `${kind}List` }) });
  const status = ensureObject(definition, 'status');
  const stored = objectsAt(definition, 'spec', 'versions').find(({ storage }) => storage === true);
  if (stored?.['name'] !== undefined) fill(status, { storedVersions: [stored['name']] });
}

const scalingRules = (scaleUp: boolean): Record<string, Json> => ({
  selectPolicy: 'Max',
  ...(scaleUp ? { stabilizationWindowSeconds: 0 } : {}),
  policies: scaleUp
    ? [
        { type: 'Pods', value: 4, periodSeconds: 15 },
        { type: 'Percent', value: 100, periodSeconds: 15 },
      ]
    : [{ type: 'Percent', value: 100, periodSeconds: 15 }],
});

function defaultScalingBehaviour(behaviour: Draft): void {
  fill(ensureObject(behaviour, 'scaleUp'), scalingRules(true));
  fill(ensureObject(behaviour, 'scaleDown'), scalingRules(false));
}

function defaultNodeStatus(status: Draft): void {
  const capacity = objectAt(status, 'capacity');
  if (capacity) fill(status, { allocatable: capacity });
}

function defaultSubject(subject: Draft): void {
  if (subject['kind'] === 'User' || subject['kind'] === 'Group') fill(subject, { apiGroup: rbacGroup });
}

function defaultDiscoveryPort(port: Draft): void {
  if (valueAt(port, 'name') === undefined) port['name'] = '';
}

/** Defaults by definition that depend on other fields. */
export const computedDefaults: Readonly<Record<string, (object: Draft) => void>> = {
  'apiextensions.v1.CustomResourceDefinition': defaultCustomResourceDefinition,
  'apps.v1.DaemonSetSpec': defaultDaemonSet,
  'apps.v1.DeploymentSpec': defaultDeployment,
  'apps.v1.StatefulSetSpec': defaultStatefulSet,
  'autoscaling.v2.HorizontalPodAutoscalerBehavior': defaultScalingBehaviour,
  'batch.v1.Job': defaultJob,
  'core.v1.Container': defaultContainer,
  'core.v1.EphemeralContainer': defaultContainer,
  'core.v1.HostPathVolumeSource': (source) => {
    if (source['type'] === undefined) source['type'] = '';
  },
  'core.v1.LimitRangeItem': defaultLimitRangeItem,
  'core.v1.Namespace': defaultNamespace,
  'core.v1.NodeStatus': defaultNodeStatus,
  'core.v1.Pod': defaultPod,
  'core.v1.PodSpec': defaultPodSpec,
  'core.v1.ReplicationController': defaultReplicationController,
  'core.v1.Service': defaultService,
  'core.v1.Volume': defaultVolume,
  'discovery.v1.EndpointPort': defaultDiscoveryPort,
  'networking.v1.NetworkPolicySpec': defaultNetworkPolicy,
  'rbac.v1.Subject': defaultSubject,
  'resource.v1.DeviceSubRequest': defaultDeviceRequest,
  'resource.v1.ExactDeviceRequest': defaultDeviceRequest,
  'storage.v1.CSIDriverSpec': (spec) => fill(spec, { volumeLifecycleModes: ['Persistent'] }),
};
