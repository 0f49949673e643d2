import { type Draft, ensureObject, fill, listAt, objectsAt } from '../draft.ts';

const balanced = new Set(['NodePort', 'LoadBalancer']);
const affinitySeconds = 10_800;

export function defaultService(service: Draft): void {
  const spec = ensureObject(service, 'spec');
  fill(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  defaultAffinity(spec);
  for (const port of objectsAt(spec, 'ports')) defaultPort(port);
  const type = String(spec['type']);
  const isReachableOutside =
    balanced.has(type) || (type === 'ClusterIP' && listAt(spec, 'externalIPs').length > 0);
  if (isReachableOutside) fill(spec, { externalTrafficPolicy: 'Cluster' });
  if (type !== 'ExternalName') fill(spec, { internalTrafficPolicy: 'Cluster' });
  if (type === 'LoadBalancer') fill(spec, { allocateLoadBalancerNodePorts: true });
}

function defaultAffinity(spec: Draft): void {
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] !== 'ClientIP') return;
  const config = ensureObject(spec, 'sessionAffinityConfig');
  fill(ensureObject(config, 'clientIP'), { timeoutSeconds: affinitySeconds });
}

function defaultPort(port: Draft): void {
  fill(port, { protocol: 'TCP' });
  const target = port['targetPort'];
  const hasTarget = target !== undefined && target !== 0 && target !== '';
  if (!hasTarget && port['port'] !== undefined) port['targetPort'] = port['port'];
}
