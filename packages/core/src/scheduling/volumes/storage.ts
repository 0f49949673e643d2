import type { NodeSelectorTerm } from '../../requirements/index.ts';

/** The fields of storage objects that placement reads, spelt as in the API. */
export interface StorageView {
  readonly claims: readonly PersistentVolumeClaimView[];
  readonly volumes: readonly PersistentVolumeView[];
  readonly classes: readonly StorageClassView[];
}

export interface PersistentVolumeClaimView {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly spec: { readonly volumeName?: string; readonly storageClassName?: string };
  readonly status?: { readonly phase?: string };
}

export interface PersistentVolumeView {
  readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
  readonly spec: {
    readonly nodeAffinity?: {
      readonly required?: { readonly nodeSelectorTerms?: readonly NodeSelectorTerm[] };
    };
    readonly csi?: { readonly driver: string };
    readonly awsElasticBlockStore?: object;
    readonly local?: object;
    readonly hostPath?: object;
  };
}

export interface StorageClassView {
  readonly metadata: { readonly name: string };
  readonly provisioner: string;
  /** `Immediate` binds a claim before a pod uses it. */
  readonly volumeBindingMode?: string;
  readonly allowedTopologies?: readonly {
    readonly matchLabelExpressions?: readonly { readonly key: string; readonly values: readonly string[] }[];
  }[];
}

/** A volume of a pod, reduced to the references to PersistentVolumeClaims. */
export interface PodVolume {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string };
  /** Kubernetes names its claim `<pod>-<volume>`. */
  readonly ephemeral?: object;
}

/** Storage objects by name. */
export class Storage {
  readonly #claims: ReadonlyMap<string, PersistentVolumeClaimView>;
  readonly #volumes: ReadonlyMap<string, PersistentVolumeView>;
  readonly #classes: ReadonlyMap<string, StorageClassView>;

  constructor({ claims, volumes, classes }: StorageView) {
    this.#claims = new Map(
      claims.map((claim) => [`${claim.metadata.namespace}/${claim.metadata.name}`, claim]),
    );
    this.#volumes = new Map(volumes.map((volume) => [volume.metadata.name, volume]));
    this.#classes = new Map(classes.map((storageClass) => [storageClass.metadata.name, storageClass]));
  }

  /** `namespace/name` of the claims that a pod uses. */
  claimNames(pod: PodWithVolumes): readonly string[] {
    const { name, namespace } = pod.metadata;
    return (pod.spec.volumes ?? []).flatMap((volume) => {
      if (volume.persistentVolumeClaim !== undefined)
        return [`${namespace}/${volume.persistentVolumeClaim.claimName}`];
      return volume.ephemeral === undefined ? [] : [`${namespace}/${name}-${volume.name}`];
    });
  }

  claim(name: string): PersistentVolumeClaimView | undefined {
    return this.#claims.get(name);
  }

  volumeOf({ spec }: PersistentVolumeClaimView): PersistentVolumeView | undefined {
    return spec.volumeName === undefined ? undefined : this.#volumes.get(spec.volumeName);
  }

  classOf({ spec }: PersistentVolumeClaimView): StorageClassView | undefined {
    return spec.storageClassName === undefined ? undefined : this.#classes.get(spec.storageClassName);
  }
}

export interface PodWithVolumes {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: { readonly volumes?: readonly PodVolume[] };
}
