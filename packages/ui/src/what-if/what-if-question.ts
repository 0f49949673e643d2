import type { WhatIfQuestion } from '@karpenter/core/page-api';

/** What people fill in. */
export interface WhatIfForm {
  readonly removeNodes: string;
  readonly add: string;
  readonly set: string;
  readonly isConsolidated: boolean;
}

/** The question to ask; undefined if nothing is filled in. */
export function whatIfQuestion({
  removeNodes,
  add,
  set,
  isConsolidated,
}: WhatIfForm): WhatIfQuestion | undefined {
  const nodes = removeNodes.split(/[\s,]+/).filter(Boolean);
  const fields = set
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  const question: WhatIfQuestion = {
    ...(add.trim() !== '' && { add }),
    ...(nodes.length > 0 && { removeNodes: nodes }),
    ...(fields.length > 0 && { set: fields }),
    ...(isConsolidated && { consolidate: true }),
  };
  return Object.keys(question).length === 0 ? undefined : question;
}
