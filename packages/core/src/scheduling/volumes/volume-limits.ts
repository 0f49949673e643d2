import type { PodWithVolumes, Storage } from './storage.ts';

/** In-tree drivers that Kubernetes migrates to CSI, with the CSI driver that attaches their volumes. */
const movedDrivers: ReadonlyMap<string, string> = new Map([['kubernetes.io/aws-ebs', 'ebs.csi.aws.com']]);

/** PersistentVolumeClaims by CSI driver. Claims whose driver is unknown are not counted, as in Karpenter. */
export type VolumesByDriver = Map<string, Set<string>>;

export function volumesByDriver(storage: Storage, pods: Iterable<PodWithVolumes>): VolumesByDriver {
  const found: VolumesByDriver = new Map();
  for (const pod of pods) {
    for (const name of storage.claimNames(pod)) {
      const driver = driverOf(storage, name);
      if (driver === undefined) continue;
      const claims = found.get(driver) ?? new Set();
      found.set(driver, claims.add(name));
    }
  }
  return found;
}

/** The CSI driver that attaches the volume of a claim: that of the bound volume, else of the StorageClass. */
export function driverOf(storage: Storage, name: string): string | undefined {
  const claim = storage.claim(name);
  if (claim === undefined) return undefined;
  const volume = storage.volumeOf(claim);
  if (volume !== undefined) {
    return (
      volume.spec.csi?.driver ??
      (volume.spec.awsElasticBlockStore === undefined ? undefined : 'ebs.csi.aws.com')
    );
  }
  const provisioner = storage.classOf(claim)?.provisioner;
  return provisioner === undefined ? undefined : (movedDrivers.get(provisioner) ?? provisioner);
}

/** Whether a node can attach more volumes. A claim that several pods share counts once. */
export function volumesFit(
  limits: ReadonlyMap<string, number>,
  used: VolumesByDriver,
  added: VolumesByDriver,
): boolean {
  for (const [driver, claims] of added) {
    const limit = limits.get(driver);
    if (limit === undefined) continue;
    const together = new Set([...(used.get(driver) ?? []), ...claims]);
    if (together.size > limit) return false;
  }
  return true;
}

export function attachVolumes(used: VolumesByDriver, added: VolumesByDriver): void {
  for (const [driver, claims] of added) {
    used.set(driver, new Set([...(used.get(driver) ?? []), ...claims]));
  }
}
