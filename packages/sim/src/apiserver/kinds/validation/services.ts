import { isIP } from 'node:net';
import { type FieldError, itemPath, type JsonObject } from '@karpenter/core/schema';
import { listAt, objectAt, objectsAt, textAt, textsAt, valueAt } from '../draft.ts';
import { invalid, oneOf, portNumber, repeated, required } from './field-errors.ts';
import { labelMap, strictLabel, subdomain } from './names.ts';
import { portReference } from './pods/handlers.ts';

const protocols = ['SCTP', 'TCP', 'UDP'];

export function service(object: JsonObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  const type = textAt(spec, 'type');
  const ports = objectsAt(spec, 'ports');
  const isHeadless = textAt(spec, 'clusterIP') === 'None';
  // A headless service only has DNS records, and ExternalName only a CNAME; neither proxies a port.
  const needsPorts = ports.length === 0 && !isHeadless && type !== 'ExternalName';
  return [
    ...(needsPorts ? [required('spec.ports')] : []),
    ...externalName(spec, type),
    ...ports.flatMap((port, index) => servicePort(itemPath('spec.ports', index), port, ports.length > 1)),
    ...repeated(
      'spec.ports',
      ports.map((port) => textAt(port, 'name')),
    ),
    ...labelMap('spec.selector', textsAt(spec, 'selector')),
    ...oneOf('spec.sessionAffinity', valueAt(spec, 'sessionAffinity'), ['ClientIP', 'None']),
    ...oneOf('spec.type', type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort']),
  ];
}

function externalName(spec: JsonObject, type: string): readonly FieldError[] {
  if (type !== 'ExternalName') return [];
  const name = textAt(spec, 'externalName').replace(/\.$/, '');
  return name === '' ? [required('spec.externalName')] : subdomain('spec.externalName', name);
}

/** A single port needs no name; several are distinguished by their names, in DNS and in endpoints. */
function servicePort(field: string, port: JsonObject, needsName: boolean): readonly FieldError[] {
  const name = textAt(port, 'name');
  return [
    ...(needsName && name === '' ? [required(`${field}.name`)] : []),
    ...(name === '' ? [] : strictLabel(`${field}.name`, name)),
    ...portNumber(`${field}.port`, valueAt(port, 'port')),
    ...oneOf(`${field}.protocol`, valueAt(port, 'protocol'), protocols),
    ...portReference(`${field}.targetPort`, valueAt(port, 'targetPort')),
  ];
}

/** A service that keeps its type also keeps its cluster IP. */
export function serviceUpdate(object: JsonObject, old: JsonObject): readonly FieldError[] {
  const [before, after] = [textAt(old, 'spec', 'clusterIP'), textAt(object, 'spec', 'clusterIP')];
  const isExternal = [object, old].some((entry) => textAt(entry, 'spec', 'type') === 'ExternalName');
  if (isExternal || before === '' || after === before) return [];
  const addresses = listAt(object, 'spec', 'clusterIPs');
  return [invalid('spec.clusterIPs[0]', String(addresses[0] ?? after), 'may not change once set')];
}

const ipRule = 'must be a valid IP address';
const ipExample = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)';

function address(field: string, entry: JsonObject): readonly FieldError[] {
  const ip = textAt(entry, 'ip');
  return isIP(ip) === 0 ? [invalid(`${field}.ip`, ip, ipExample), invalid(`${field}.ip`, ip, ipRule)] : [];
}

export function endpoints(object: JsonObject): readonly FieldError[] {
  return objectsAt(object, 'subsets').flatMap((subset, index) => {
    const field = itemPath('subsets', index);
    const lists = ['addresses', 'notReadyAddresses'];
    const isEmpty = lists.every((name) => listAt(subset, name).length === 0);
    const ports = objectsAt(subset, 'ports');
    return [
      ...(isEmpty ? [required(field, 'must specify `addresses` or `notReadyAddresses`')] : []),
      ...lists.flatMap((name) =>
        objectsAt(subset, name).flatMap((entry, place) =>
          address(itemPath(`${field}.${name}`, place), entry),
        ),
      ),
      ...ports.flatMap((port, place) => [
        ...(ports.length > 1 && textAt(port, 'name') === ''
          ? [required(`${itemPath(`${field}.ports`, place)}.name`)]
          : []),
        ...portNumber(`${itemPath(`${field}.ports`, place)}.port`, valueAt(port, 'port')),
        ...oneOf(`${itemPath(`${field}.ports`, place)}.protocol`, valueAt(port, 'protocol'), protocols),
      ]),
    ];
  });
}

const addressTypes = ['FQDN', 'IPv4', 'IPv6'];

export function endpointSlice(object: JsonObject): readonly FieldError[] {
  const type = textAt(object, 'addressType');
  return type === '' ? [required('addressType')] : oneOf('addressType', type, addressTypes);
}

export function ingress(object: JsonObject): readonly FieldError[] {
  const spec = objectAt(object, 'spec') ?? {};
  const isEmpty = objectsAt(spec, 'rules').length === 0 && objectAt(spec, 'defaultBackend') === undefined;
  const detail = 'either `defaultBackend` or `rules` must be specified';
  return [
    ...(isEmpty ? [invalid('spec', null, detail)] : []),
    ...objectsAt(spec, 'rules').flatMap((rule, index) =>
      objectsAt(rule, 'http', 'paths').flatMap((path, place) =>
        ingressPath(itemPath(`${itemPath('spec.rules', index)}.http.paths`, place), path),
      ),
    ),
  ];
}

function ingressPath(field: string, path: JsonObject): readonly FieldError[] {
  const type = valueAt(path, 'pathType');
  const text = textAt(path, 'path');
  if (type === undefined) return [required(`${field}.pathType`, 'pathType must be specified')];
  return [
    ...oneOf(`${field}.pathType`, type, ['Exact', 'ImplementationSpecific', 'Prefix']),
    ...(type !== 'ImplementationSpecific' && !text.startsWith('/')
      ? [invalid(`${field}.path`, text, 'must be an absolute path')]
      : []),
  ];
}
