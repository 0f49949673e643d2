import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import { objectOf } from '../lenient-json.ts';
import { forbidden } from '../status/status-errors.ts';
import { type Entry, metadataOf, type Store } from '../store/index.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './admission.ts';

const classes = 'priorityclasses.scheduling.k8s.io';
// The default of kube-apiserver's flags default-not-ready-toleration-seconds and its unreachable twin.
const tolerationSeconds = 300;

/**
 * The Priority, RuntimeClass and DefaultTolerationSeconds plugins in one, plus the service account name:
 * everything that a cluster sets in the spec of a new pod. Only a create is mutated; a pod's spec is
 * immutable afterwards.
 */
export class PodAdmission implements AdmissionPlugin {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  mutate({
    operation,
    kind,
    subresource,
    object,
    name,
  }: AdmissionAttributes & { object: JsonObject }): JsonObject {
    if (kind.kind !== 'Pod' || kind.group !== '' || operation !== 'CREATE' || subresource !== '')
      return object;
    const { spec } = object;
    if (spec === undefined || !isJsonObject(spec)) return object;
    const account = spec['serviceAccountName'] || 'default';
    return {
      ...object,
      spec: {
        ...spec,
        serviceAccountName: account,
        serviceAccount: account,
        ...this.#priority(spec, name),
        ...runtimeOverhead(this.#store, spec),
        tolerations: withDefaultTolerations(spec['tolerations']),
      },
    };
  }

  /** Resolves the PriorityClass. A pod without a class gets the global default, else priority 0. */
  #priority(spec: JsonObject, podName: string): JsonObject {
    const name = spec['priorityClassName'];
    const entry =
      typeof name === 'string' && name !== '' ? this.#classNamed(name, podName) : this.#defaultClass();
    if (entry === undefined) return { priority: 0, preemptionPolicy: 'PreemptLowerPriority' };
    const { value, preemptionPolicy } = entry.object;
    return {
      priorityClassName: entry.name,
      priority: value ?? 0,
      preemptionPolicy: spec['preemptionPolicy'] ?? preemptionPolicy ?? 'PreemptLowerPriority',
    };
  }

  #classNamed(name: string, podName: string): Entry {
    const entry = this.#store.get(classes, '', name);
    if (entry !== undefined) return entry;
    throw forbidden(
      { group: '', plural: 'pods', name: podName },
      `no PriorityClass with name ${name} was found`,
    );
  }

  /** Of several global defaults the lowest value wins, as in kube-apiserver. */
  #defaultClass(): Entry | undefined {
    const [chosen] = this.#store
      .list(classes)
      .filter(({ object }) => object['globalDefault'] === true)
      .sort((a, b) => Number(a.object['value']) - Number(b.object['value']));
    return chosen;
  }
}

/** Copies the overhead of the RuntimeClass into the pod. A pod that sets an overhead keeps it. */
function runtimeOverhead(store: Store, spec: JsonObject): JsonObject {
  const name = spec['runtimeClassName'];
  if (typeof name !== 'string' || spec['overhead'] !== undefined) return {};
  const overhead = member(store.get('runtimeclasses.node.k8s.io', '', name)?.object['overhead'], 'podFixed');
  return overhead === undefined ? {} : { overhead };
}

/**
 * Adds tolerations that keep a pod for five minutes on a node that is not ready or unreachable. A pod that
 * tolerates one of these taints itself keeps its own toleration.
 */
function withDefaultTolerations(tolerations: Json | undefined): Json {
  const present = tolerations !== undefined && isJsonArray(tolerations) ? tolerations : [];
  const added = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) => !present.some((toleration) => toleratesNodeFailure(toleration, key)),
  );
  return [
    ...present,
    ...added.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds })),
  ];
}

function toleratesNodeFailure(toleration: Json, key: string): boolean {
  const own = member(toleration, 'key');
  const effect = member(toleration, 'effect');
  return (own === key || !own) && (effect === 'NoExecute' || !effect);
}

/**
 * The DefaultStorageClass plugin: sets the default class in claims that name none. An empty name counts as
 * named.
 */
export class DefaultStorageClass implements AdmissionPlugin {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  mutate({ operation, kind, object }: AdmissionAttributes & { object: JsonObject }): JsonObject {
    const { spec } = object;
    if (kind.kind !== 'PersistentVolumeClaim' || operation !== 'CREATE' || !isJsonObject(spec ?? null))
      return object;
    if (member(spec, 'storageClassName') !== undefined) return object;
    const name = this.#defaultName();
    return name === undefined ? object : { ...object, spec: { ...objectOf(spec), storageClassName: name } };
  }

  #defaultName(): string | undefined {
    const isDefault = ({ object }: Entry): boolean =>
      member(metadataOf(object)['annotations'], 'storageclass.kubernetes.io/is-default-class') === 'true';
    return this.#store.list('storageclasses.storage.k8s.io').find(isDefault)?.name;
  }
}
