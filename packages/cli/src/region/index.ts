// Where a cluster is: the region and zones that commands without AWS plan nodes in, found in manifests; the
// flag `--region` wins. The same for `simulate`, `render`, `instance-types`, `explain` and `lint`. Pure, from
// manifests and the EC2 catalogue. Start reading at `cluster-place.ts`.

export {
  type ClusterPlace,
  clusterPlace,
  notesOnOtherRegions,
  type PlacedObject,
  placeOf,
  refuseUnknownZones,
  usualPlace,
} from './cluster-place.ts';
export { defaultRegion, regionOfZone } from './known-zones.ts';
export { regionHelp } from './region-help.ts';
