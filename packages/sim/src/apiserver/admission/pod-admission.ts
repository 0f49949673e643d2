import { isJsonArray, isJsonObject, type Json, type JsonObject, member } from '@karpenter/core/schema';
import { objectOf } from '../lenient-json.ts';
import { forbidden } from '../status/status-errors.ts';
import { type Entry, metadataOf, type Store } from '../store/index.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './admission.ts';

const classes = 'priorityclasses.scheduling.k8s.io';
const tolerationSeconds = 300;

/** What a cluster fills in for every new pod: priority, the usual tolerations, its service account. */
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
        tolerations: withUsualTolerations(spec['tolerations']),
      },
    };
  }

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

  #defaultClass(): Entry | undefined {
    const [chosen] = this.#store
      .list(classes)
      .filter(({ object }) => object['globalDefault'] === true)
      .sort((a, b) => Number(a.object['value']) - Number(b.object['value']));
    return chosen;
  }
}

function runtimeOverhead(store: Store, spec: JsonObject): JsonObject {
  const name = spec['runtimeClassName'];
  if (typeof name !== 'string' || spec['overhead'] !== undefined) return {};
  const overhead = member(store.get('runtimeclasses.node.k8s.io', '', name)?.object['overhead'], 'podFixed');
  return overhead === undefined ? {} : { overhead };
}

/** A node that is lost for five minutes loses its pods, unless they say otherwise. */
function withUsualTolerations(tolerations: Json | undefined): Json {
  const present = tolerations !== undefined && isJsonArray(tolerations) ? tolerations : [];
  const added = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) => !present.some((toleration) => toleratesLoss(toleration, key)),
  );
  return [
    ...present,
    ...added.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds })),
  ];
}

function toleratesLoss(toleration: Json, key: string): boolean {
  const own = member(toleration, 'key');
  const effect = member(toleration, 'effect');
  return (own === key || !own) && (effect === 'NoExecute' || !effect);
}

/** The class that volume claims get when they name none. */
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
