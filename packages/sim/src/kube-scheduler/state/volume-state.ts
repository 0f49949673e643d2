import type { PersistentVolume, PersistentVolumeClaim } from 'kubernetes-types/core/v1.js';
import type { CSINode, StorageClass } from 'kubernetes-types/storage/v1.js';
import { keyTextOf } from '../../objects/object-key.ts';
import type { PodInfo } from '../pods/pod-info.ts';

const defaultClassAnnotation = 'storageclass.kubernetes.io/is-default-class';

/** A volume as a CSI driver counts it on a node; a claim without a volume counts too. */
export interface CsiVolume {
  readonly driver: string;
  readonly handle: string;
}

/** Claims, volumes and storage classes, and the number of pods per node that use each claim. */
export class VolumeState {
  readonly #claims = new Map<string, PersistentVolumeClaim>();
  readonly #volumes = new Map<string, PersistentVolume>();
  readonly #classes = new Map<string, StorageClass>();
  readonly #csiNodes = new Map<string, CSINode>();
  /** The number of pods by node and claim. */
  readonly #users = new Map<string, Map<string, number>>();

  setClaim(claim: PersistentVolumeClaim): void {
    this.#claims.set(keyTextOf(claim), claim);
  }

  removeClaim(claim: PersistentVolumeClaim): void {
    this.#claims.delete(keyTextOf(claim));
  }

  setVolume(volume: PersistentVolume): void {
    this.#volumes.set(volume.metadata?.name ?? '', volume);
  }

  removeVolume(volume: PersistentVolume): void {
    this.#volumes.delete(volume.metadata?.name ?? '');
  }

  setClass(storageClass: StorageClass): void {
    this.#classes.set(storageClass.metadata?.name ?? '', storageClass);
  }

  removeClass(storageClass: StorageClass): void {
    this.#classes.delete(storageClass.metadata?.name ?? '');
  }

  setCsiNode(csiNode: CSINode): void {
    this.#csiNodes.set(csiNode.metadata?.name ?? '', csiNode);
  }

  removeCsiNode(csiNode: CSINode): void {
    this.#csiNodes.delete(csiNode.metadata?.name ?? '');
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    return this.#claims.get(`${namespace}/${name}`);
  }

  volume(name: string): PersistentVolume | undefined {
    return this.#volumes.get(name);
  }

  volumes(): Iterable<PersistentVolume> {
    return this.#volumes.values();
  }

  csiNode(name: string): CSINode | undefined {
    return this.#csiNodes.get(name);
  }

  /** A claim without a class uses the default class. */
  classOf({ spec }: PersistentVolumeClaim): StorageClass | undefined {
    if (spec?.storageClassName !== undefined) return this.#classes.get(spec.storageClassName);
    return [...this.#classes.values()].find(
      ({ metadata }) => metadata?.annotations?.[defaultClassAnnotation] === 'true',
    );
  }

  count(nodeName: string, pod: PodInfo, by: 1 | -1): void {
    if (pod.claims.length === 0) return;
    const users = this.#users.get(nodeName) ?? new Map<string, number>();
    this.#users.set(nodeName, users);
    for (const name of pod.claims) {
      const key = `${pod.identity.namespace}/${name}`;
      const count = (users.get(key) ?? 0) + by;
      if (count === 0) users.delete(key);
      else users.set(key, count);
    }
  }

  isInUse(claimKey: string): boolean {
    for (const users of this.#users.values()) if (users.has(claimKey)) return true;
    return false;
  }

  isInUseOn(nodeName: string, claimKey: string): boolean {
    return this.#users.get(nodeName)?.has(claimKey) ?? false;
  }

  /** The CSI volumes that pods on the node use, each once. */
  csiVolumesOn(nodeName: string): readonly CsiVolume[] {
    const keys = [...(this.#users.get(nodeName)?.keys() ?? [])];
    return keys.flatMap((key) => {
      const claim = this.#claims.get(key);
      const volume = claim && this.csiVolume(claim);
      return volume === undefined ? [] : [volume];
    });
  }

  /** A claim without a volume counts under its own key, for the provisioner of its class. */
  csiVolume(claim: PersistentVolumeClaim): CsiVolume | undefined {
    const volume = this.#volumes.get(claim.spec?.volumeName ?? '');
    const csi = volume?.spec?.csi;
    if (csi !== undefined) return { driver: csi.driver, handle: csi.volumeHandle };
    const provisioner = volume === undefined ? this.classOf(claim)?.provisioner : undefined;
    return provisioner === undefined ? undefined : { driver: provisioner, handle: keyTextOf(claim) };
  }
}
