import type { JsonObject } from '@karpenter/core/schema';
import {
  type Draft,
  draftOf,
  ensureObject,
  fill,
  listAt,
  objectsAt,
  textAt,
  valueAt,
} from '../kinds/draft.ts';
import { invalid } from '../status/status-errors.ts';
import type { Store } from '../store/index.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './admission.ts';

const network = '10.100';
const hosts = 2 ** 16;
/** Users who set a cluster IP choose low addresses, so the allocator uses these last. */
const firstHost = 256;
// The default node port range of kube-apiserver, 30000-32767.
const ports = { first: 30_000, count: 2_768 };
const nodePortTypes = new Set(['NodePort', 'LoadBalancer']);

/** Cluster IP of the service `default/kubernetes`. */
export const apiServerAddress = `${network}.0.1`;

/** Allocates cluster IPs and node ports of services. */
export class ServiceAddresses implements AdmissionPlugin {
  readonly #store: Store;
  // The search continues after the last allocation: two writes that are admitted at the same time, before
  // either is stored, must not get the same address.
  #lastHost = firstHost - 1;
  #lastPort = -1;

  constructor(store: Store) {
    this.#store = store;
  }

  mutate({ kind, subresource, object, oldObject, name }: AdmissionAttributes & { object: JsonObject }) {
    if (kind.group !== '' || kind.kind !== 'Service' || subresource !== '') return object;
    const service = draftOf(object);
    const spec = ensureObject(service, 'spec');
    if (textAt(spec, 'type') !== 'ExternalName') this.#allocateAddress(spec, oldObject, name);
    this.#allocatePorts(spec, oldObject);
    return service;
  }

  #allocateAddress(spec: Draft, old: JsonObject | undefined, name: string): void {
    fill(spec, { clusterIP: listAt(spec, 'clusterIPs')[0] ?? '' });
    const wanted = textAt(spec, 'clusterIP');
    if (wanted === '') spec['clusterIP'] = this.#freeAddress();
    else if (wanted !== 'None' && wanted !== textAt(old, 'spec', 'clusterIP'))
      this.#checkUnallocated(wanted, name);
    // As in kube-apiserver: a headless service without selector has endpoints written by hand, of either
    // family.
    const isDualStack = wanted === 'None' && valueAt(spec, 'selector') === undefined;
    fill(spec, {
      clusterIPs: [textAt(spec, 'clusterIP')],
      ipFamilies: isDualStack ? ['IPv4', 'IPv6'] : ['IPv4'],
      ipFamilyPolicy: isDualStack ? 'RequireDualStack' : 'SingleStack',
    });
  }

  #checkUnallocated(address: string, name: string): void {
    if (!this.#addresses().has(address)) return;
    const detail = `failed to allocate IP ${address}: provided IP is already allocated`;
    throw invalid({ group: '', kind: 'Service', name }, [
      { type: 'Invalid', field: 'spec.clusterIPs', value: [address], detail },
    ]);
  }

  #addresses(): ReadonlySet<string> {
    return new Set(this.#store.list('services').map(({ object }) => textAt(object, 'spec', 'clusterIP')));
  }

  #freeAddress(): string {
    const taken = this.#addresses();
    for (let tried = 0; tried < hosts; tried += 1) {
      this.#lastHost = (this.#lastHost + 1) % hosts;
      const address = `${network}.${this.#lastHost >> 8}.${this.#lastHost & 255}`;
      const isUsable = this.#lastHost !== 0 && this.#lastHost !== hosts - 1;
      if (isUsable && !taken.has(address)) return address;
    }
    throw new Error(`no address is left for services in ${network}.0.0/16`);
  }

  #allocatePorts(spec: Draft, old: JsonObject | undefined): void {
    const usesNodePorts = nodePortTypes.has(textAt(spec, 'type'));
    if (usesNodePorts && spec['allocateLoadBalancerNodePorts'] !== false) {
      for (const port of objectsAt(spec, 'ports')) port['nodePort'] ||= this.#freePort();
    }
    // A service that stops being NodePort or LoadBalancer loses the ports it had, unless the client set other
    // ones.
    if (usesNodePorts || !nodePortTypes.has(textAt(old, 'spec', 'type'))) return;
    const before = new Set(objectsAt(old, 'spec', 'ports').map(({ nodePort }) => nodePort));
    for (const port of objectsAt(spec, 'ports')) if (before.has(port['nodePort'])) delete port['nodePort'];
  }

  #freePort(): number {
    const services = this.#store.list('services');
    const taken = new Set(
      services.flatMap(({ object }) => objectsAt(object, 'spec', 'ports').map(({ nodePort }) => nodePort)),
    );
    for (let tried = 0; tried < ports.count; tried += 1) {
      this.#lastPort = (this.#lastPort + 1) % ports.count;
      if (!taken.has(ports.first + this.#lastPort)) return ports.first + this.#lastPort;
    }
    throw new Error('no port is left for services on nodes');
  }
}
