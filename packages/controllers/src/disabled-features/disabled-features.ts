import { type CoreFeatureGate, controllerNames, events, minutes } from '@karpenter/core/api';
import { type Kind, type KubeObject, parseKey } from '@karpenter/kube/client';
import type { Runnable } from '@karpenter/kube/runtime';
import { capacityBuffers, nodeOverlays, nodePools } from '../cluster/index.ts';
import type { ControllerContext } from '../context/index.ts';
import { OptionalWatch } from './optional-watch.ts';

type GateContext = Pick<ControllerContext, 'client' | 'clock' | 'recorder' | 'settings'>;

/** Objects of a kind that have no effect while a gate is off. */
interface GatedKind<T extends KubeObject> {
  readonly name: string;
  readonly gate: CoreFeatureGate;
  readonly kind: Kind<T>;
  /** What needs the gate, with its article, and what does not happen. */
  readonly subject: string;
  readonly effect: string;
  readonly needsGate?: (object: T) => boolean;
}

/** Shorter than the hour after which the API server deletes events by default. */
const renewal = { requeueAfter: minutes(30) };

/** A controller for each gate that is off. */
export function disabledFeatures(context: GateContext): readonly Runnable[] {
  const { featureGates } = context.settings;
  const ofKind = <T extends KubeObject>(gated: GatedKind<T>) =>
    featureGates[gated.gate] ? [] : [disabledFeature(context, gated)];
  return [
    ...ofKind({
      name: controllerNames.staticCapacityGate,
      gate: 'StaticCapacity',
      kind: nodePools,
      subject: 'A NodePool with spec.replicas',
      effect: 'no nodes are created for it',
      needsGate: ({ spec }) => spec.replicas !== undefined,
    }),
    ...ofKind({
      name: controllerNames.nodeOverlayGate,
      gate: 'NodeOverlay',
      kind: nodeOverlays,
      subject: 'A NodeOverlay',
      effect: 'it changes no instance type',
    }),
    ...ofKind({
      name: controllerNames.capacityBufferGate,
      gate: 'CapacityBuffer',
      kind: capacityBuffers,
      subject: 'A CapacityBuffer',
      effect: 'no capacity is kept for it',
    }),
  ];
}

function disabledFeature<T extends KubeObject>(
  { client, clock, recorder }: GateContext,
  { name, gate, kind, subject, effect, needsGate = () => true }: GatedKind<T>,
): Runnable {
  const watch = new OptionalWatch({ client, clock, kind });
  const message = `${subject} needs the feature gate ${gate}, which is off, so ${effect}; set --feature-gates=${gate}=true`;
  return {
    controller: {
      name,
      kind,
      reconcile: async (key) => {
        const object = watch.get(parseKey(key));
        if (object === undefined || !needsGate(object)) return undefined;
        recorder.publish({ definition: events.featureGateDisabled, kind, object, message });
        return renewal;
      },
    },
    sources: [watch],
  };
}
