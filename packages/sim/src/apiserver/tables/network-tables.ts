import type { JsonObject } from '@karpenter/core/schema';
import { listAt, numberAt, objectsAt, textAt, textsAt, valueAt } from '../kinds/draft.ts';
import { age, column, name, shortList, table, text, wide } from './columns.ts';
import { labelsText, selectorText } from './selector-text.ts';
import { nameOfClass } from './storage-tables.ts';

const shownEndpoints = 3;

function balancerText(object: JsonObject): string {
  const places = objectsAt(object, 'status', 'loadBalancer', 'ingress').map(
    (place) => textAt(place, 'ip') || textAt(place, 'hostname'),
  );
  return [...new Set(places.filter((place) => place !== ''))].sort().join(',');
}

function externalText(service: JsonObject): string {
  const external = listAt(service, 'spec', 'externalIPs').map(String);
  switch (textAt(service, 'spec', 'type')) {
    case 'ExternalName':
      return textAt(service, 'spec', 'externalName');
    case 'LoadBalancer':
      return [balancerText(service), ...external].filter((place) => place !== '').join(',') || '<pending>';
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || '<none>';
    default:
      return '<unknown>';
  }
}

function portsText(service: JsonObject): string {
  const ports = objectsAt(service, 'spec', 'ports').map(({ port, nodePort = 0, protocol }) =>
    nodePort === 0 ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`,
  );
  return ports.join(',') || '<none>';
}

export const serviceTable = table(
  name,
  column('Type', text('spec.type')),
  column('Cluster-IP', (service) => String(listAt(service, 'spec', 'clusterIPs')[0] ?? '<none>')),
  column('External-IP', externalText),
  column('Port(s)', portsText),
  age,
  wide('Selector', (service) => labelsText(textsAt(service, 'spec', 'selector'))),
);

function endpointTexts(subset: JsonObject): readonly string[] {
  const addresses = objectsAt(subset, 'addresses').map((address) => textAt(address, 'ip'));
  const ports = objectsAt(subset, 'ports');
  if (ports.length === 0) return addresses;
  return ports.flatMap((port) =>
    addresses.map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${numberAt(port, 'port') ?? 0}`),
  );
}

function endpointsText(endpoints: JsonObject): string {
  const subsets = objectsAt(endpoints, 'subsets');
  return subsets.length === 0 ? '<none>' : shortList(subsets.flatMap(endpointTexts), shownEndpoints);
}

export const endpointsTable = table(name, column('Endpoints', endpointsText), age);

export const endpointSliceTable = table(
  name,
  column('AddressType', text('addressType')),
  column('Ports', (slice) => {
    const ports = objectsAt(slice, 'ports').map((port) => String(port['port'] ?? port['name'] ?? '*'));
    return shortList(ports, shownEndpoints) || '<unset>';
  }),
  column('Endpoints', (slice) => {
    const addresses = objectsAt(slice, 'endpoints').flatMap((endpoint) =>
      listAt(endpoint, 'addresses').map(String),
    );
    return shortList(addresses, shownEndpoints) || '<unset>';
  }),
  age,
);

function hostsText(ingress: JsonObject): string {
  const rules = objectsAt(ingress, 'spec', 'rules');
  const hosts = rules.map((rule) => textAt(rule, 'host')).filter((host) => host !== '');
  if (hosts.length === 0) return '*';
  const isCut = hosts.length >= shownEndpoints && rules.length > shownEndpoints;
  const shown = hosts.slice(0, shownEndpoints).join(',');
  return isCut ? `${shown} + ${rules.length - shownEndpoints} more...` : shown;
}

export const ingressTable = table(
  name,
  column('Class', text('spec.ingressClassName', '<none>')),
  column('Hosts', hostsText),
  column('Address', balancerText),
  column('Ports', (ingress) => (listAt(ingress, 'spec', 'tls').length === 0 ? '80' : '80, 443')),
  age,
);

function parametersText(ingressClass: JsonObject): string {
  const parameters = valueAt(ingressClass, 'spec', 'parameters');
  if (parameters === undefined) return '<none>';
  const group = textAt(parameters, 'apiGroup');
  const kind = textAt(parameters, 'kind');
  return `${group === '' ? kind : `${kind}.${group}`}/${textAt(parameters, 'name')}`;
}

export const ingressClassTable = table(
  column('Name', nameOfClass('ingressclass.kubernetes.io/is-default-class'), { format: 'name' }),
  column('Controller', text('spec.controller')),
  column('Parameters', parametersText),
  age,
);

export const networkPolicyTable = table(
  name,
  column('Pod-Selector', (policy) => selectorText(valueAt(policy, 'spec', 'podSelector'))),
  age,
);
