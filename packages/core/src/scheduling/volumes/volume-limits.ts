import type { PodWithVolumes, Storage } from './storage.ts';

/** In-tree drivers that Kubernetes has moved to CSI. */
const movedDrivers: ReadonlyMap<string, string> = new Map([['kubernetes.io/aws-ebs', 'ebs.csi.aws.com']]);

/** Claims by the driver that attaches them; claims of unknown drivers are not counted. */
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

/** What attaches the volume of a claim, if anybody can tell. */
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

/** Whether a node can attach more volumes: a driver without a limit takes any number. */
export function volumesFit(
  limits: ReadonlyMap<string, number>,
  used: VolumesByDriver,
  wanted: VolumesByDriver,
): boolean {
  for (const [driver, claims] of wanted) {
    const limit = limits.get(driver);
    if (limit === undefined) continue;
    const together = new Set([...(used.get(driver) ?? []), ...claims]);
    if (together.size > limit) return false;
  }
  return true;
}

export function attachVolumes(used: VolumesByDriver, wanted: VolumesByDriver): void {
  for (const [driver, claims] of wanted) {
    used.set(driver, new Set([...(used.get(driver) ?? []), ...claims]));
  }
}
