import { isOptionalKind, type PlanningKindsContext } from '@karpenter/controllers/planning';
import type { Log } from '@karpenter/core/ports';
import type { OptionalKinds } from '@karpenter/kube/cache';
import type { Kind } from '@karpenter/kube/client';

/** Logs once when a kind that plans can do without is forbidden, with the missing rule, and once when it is allowed. */
export function optionalKinds(context: PlanningKindsContext, log: Log): OptionalKinds {
  return {
    has: (kind) => isOptionalKind(kind, context),
    onAccess: (kind, isAllowed) => {
      if (isAllowed)
        log.info('watching a kind that was forbidden, planning with its upcoming pods', of(kind));
      else log.error('watching a kind is forbidden, planning without its upcoming pods', missing(kind));
    },
  };
}

const of = ({ kind }: Kind) => ({ kind });

function missing({ group, kind, plural }: Kind) {
  return {
    kind,
    'missing-rule': { apiGroups: [group], resources: [plural], verbs: ['get', 'list', 'watch'] },
    advice: 'add the rule to the ClusterRole of the controller, or set PLAN_UPCOMING_PODS=false',
  };
}
