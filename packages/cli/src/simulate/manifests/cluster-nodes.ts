import type { NodeView } from '@karpenter/core/scheduling';
import { nodeOnItsWay, type WrittenNodeClaim, withNodeClaim } from '../cluster/node-claim-view.ts';
import { nodeView } from '../cluster/node-view.ts';
import { podsByNode } from '../cluster/pods-by-node.ts';
import { csiNodeShape, nodeClaimShape } from '../input/companion-shapes.ts';
import type { WrittenNode, WrittenPod } from '../input/objects.ts';
import { at } from '../input/origin.ts';
import { nodeShape } from '../input/pod-shape.ts';
import { readShape } from '../input/shape.ts';
import type { ManifestsOfKind } from './inventory.ts';
import { manifestText, type NamedManifest } from './manifest.ts';

/** The nodes that are there and those on their way, with what runs on them. */
export function clusterNodes(
  ofKind: ManifestsOfKind,
  pods: readonly WrittenPod[],
  note: (text: string) => void,
): readonly NodeView[] {
  const byNode = podsByNode(pods);
  const claims = ofKind('NodeClaim').map(readNodeClaim);
  const limits = volumeLimits(ofKind('CSINode'));
  const nodes = ofKind('Node').map((manifest) => {
    const { name, object, origin } = manifest;
    const subject = manifestText(manifest);
    const node = readShape<WrittenNode>(nodeShape, object, origin, subject);
    return at(origin, subject, () => nodeView(name, node, byNode.get(name) ?? []));
  });
  const joined = nodes.map((node) => {
    const found = claims.find(({ name, claim }) => isClaimOf(node, name, claim));
    return found === undefined ? node : withNodeClaim(node, found.name, found.claim);
  });
  const known = new Set(joined.flatMap(({ nodeClaim }) => nodeClaim ?? []));
  const alone = claims.filter(({ name }) => !known.has(name));
  const launched = alone.filter(({ claim }) => claim.status?.allocatable !== undefined);
  noteUnlaunched(alone.length - launched.length, note);
  const onTheirWay = launched.map(({ name, claim, manifest }) => {
    const running = byNode.get(claim.status?.nodeName ?? name) ?? [];
    return at(manifest.origin, manifestText(manifest), () => nodeOnItsWay(name, claim, running));
  });
  return [...joined, ...onTheirWay].map((node) => withVolumeLimits(node, limits));
}

interface ReadNodeClaim {
  readonly name: string;
  readonly claim: WrittenNodeClaim;
  readonly manifest: NamedManifest;
}

function readNodeClaim(manifest: NamedManifest): ReadNodeClaim {
  const { name, object, origin } = manifest;
  return { name, claim: readShape(nodeClaimShape, object, origin, manifestText(manifest)), manifest };
}

function isClaimOf(node: NodeView, name: string, { status }: WrittenNodeClaim): boolean {
  return node.nodeClaim === name || status?.nodeName === node.name;
}

function noteUnlaunched(claims: number, note: (text: string) => void): void {
  if (claims === 0) return;
  const subject = claims === 1 ? 'one NodeClaim is' : `${claims} NodeClaims are`;
  note(`${subject} not launched yet, and left out`);
}

interface CsiNode {
  readonly spec?: {
    readonly drivers?: readonly {
      readonly name: string;
      readonly allocatable?: { readonly count?: number };
    }[];
  };
}

type VolumeLimits = ReadonlyMap<string, Readonly<Record<string, number>>>;

/** How many volumes nodes can attach; a driver that says nothing has no limit, one that says no number has none to give. */
function volumeLimits(csiNodes: readonly NamedManifest[]): VolumeLimits {
  return new Map(
    csiNodes.map((manifest) => {
      const { name, object, origin } = manifest;
      const { spec } = readShape<CsiNode>(csiNodeShape, object, origin, manifestText(manifest));
      const limits = (spec?.drivers ?? []).flatMap((driver) =>
        driver.allocatable === undefined ? [] : [[driver.name, driver.allocatable.count ?? 0] as const],
      );
      return [name, Object.fromEntries(limits)];
    }),
  );
}

function withVolumeLimits(node: NodeView, limits: VolumeLimits): NodeView {
  const own = limits.get(node.name);
  return own === undefined ? node : { ...node, volumeLimits: own };
}
