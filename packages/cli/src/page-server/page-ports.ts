import type { ObjectName } from '@karpenter/core/decisions';
import type { Explanation } from '@karpenter/core/explanation';
import type {
  DemoAction,
  DemoFacts,
  DemoResult,
  WhatIfAnswer,
  WhatIfQuestion,
} from '@karpenter/core/page-api';

/** Why an object is as it is. Rejects with a CodedError if there is no such object. */
export type Explainer = (subject: ObjectName) => Promise<Explanation>;

/** What would become of the cluster. It changes nothing. */
export type WhatIfPlanner = (question: WhatIfQuestion) => Promise<WhatIfAnswer>;

/** The demo of `dev`. */
export interface DemoControls {
  /** As they are now. */
  facts(): DemoFacts;
  perform(action: DemoAction): Promise<DemoResult>;
}
