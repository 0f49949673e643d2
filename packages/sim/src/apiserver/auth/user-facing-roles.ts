import type { JsonObject } from '@karpenter/core/schema';

// The rules of the user-facing ClusterRoles view, edit and admin, as every Kubernetes cluster has them. Each
// line is an API group followed by its resources.

const read = ['get', 'list', 'watch'];
const write = ['create', 'delete', 'deletecollection', 'patch', 'update'];

function rules(verbs: readonly string[], lines: readonly string[]): readonly JsonObject[] {
  return lines.map((line) => {
    const [groups = '', ...resources] = line.split(' ');
    return { apiGroups: groups.split(',').map((group) => (group === 'core' ? '' : group)), resources, verbs };
  });
}

/** Secrets are not in `view`, because reading a service account token gives its permissions. */
const view = rules(read, [
  'core configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods serviceaccounts services',
  'core replicationcontrollers replicationcontrollers/scale replicationcontrollers/status services/status',
  'core bindings limitranges namespaces/status pods/log pods/status resourcequotas resourcequotas/status namespaces',
  'core,events.k8s.io events',
  'discovery.k8s.io endpointslices',
  'apps controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status',
  'apps replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
  'autoscaling horizontalpodautoscalers horizontalpodautoscalers/status',
  'batch cronjobs cronjobs/status jobs jobs/status',
  'policy poddisruptionbudgets poddisruptionbudgets/status',
  'networking.k8s.io ingresses ingresses/status networkpolicies',
  'resource.k8s.io resourceclaims resourceclaims/status resourceclaimtemplates',
]);

const edit = [
  ...view,
  ...rules(read, [
    'core pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy',
    'coordination.k8s.io leases',
  ]),
  ...rules(['impersonate'], ['core serviceaccounts']),
  ...rules(['create'], ['core pods/eviction serviceaccounts/token']),
  ...rules(write, [
    'core pods pods/attach pods/exec pods/portforward pods/proxy configmaps persistentvolumeclaims secrets',
    'core replicationcontrollers replicationcontrollers/scale serviceaccounts services services/proxy',
    'core,events.k8s.io events',
    'apps daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale',
    'apps statefulsets statefulsets/scale',
    'autoscaling horizontalpodautoscalers',
    'batch cronjobs jobs',
    'policy poddisruptionbudgets',
    'networking.k8s.io ingresses networkpolicies',
    'coordination.k8s.io leases',
    'resource.k8s.io resourceclaims resourceclaimtemplates',
  ]),
];

const admin = [
  ...edit,
  ...rules(['create'], ['authorization.k8s.io localsubjectaccessreviews']),
  ...rules([...read, ...write], ['rbac.authorization.k8s.io rolebindings roles']),
];

export const userFacingRoles = { view, edit, admin } as const;
