import type { DisruptionMethod } from '@karpenter/core/decisions';
import { ConsolidationMethod } from './consolidation-method.ts';
import { DriftMethod, StaticDriftMethod } from './drift-method.ts';
import { EmptinessMethod } from './emptiness-method.ts';
import type { Method, MethodContext } from './method.ts';

const methods: Readonly<Record<DisruptionMethod, new (context: MethodContext) => Method>> = {
  emptiness: EmptinessMethod,
  'static-drift': StaticDriftMethod,
  drift: DriftMethod,
  consolidation: ConsolidationMethod,
};

export function newMethod(name: DisruptionMethod, context: MethodContext): Method {
  return new methods[name](context);
}
