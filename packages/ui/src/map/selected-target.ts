import type { SelectedObject } from '../address/index.ts';
import { podName } from '../store/index.ts';
import type { MapTarget } from './scene/index.ts';

/** How the address names what is on the map. */
export function selectionOf(target: MapTarget | undefined): SelectedObject | undefined {
  if (target?.pod !== undefined) return { kind: 'pod', name: podName(target.pod) };
  return target?.node === undefined ? undefined : { kind: 'node', name: target.node.name };
}
