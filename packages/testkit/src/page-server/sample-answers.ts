import type { Explanation } from '@karpenter/core/explanation';
import type { WhatIfAnswer, WhatIfQuestion } from '@karpenter/core/page-api';
import { stuckPod, stuckReason } from './sample-cluster.ts';

interface Asked {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

const kinds = { pod: 'Pod', node: 'Node', nodeclaim: 'NodeClaim', nodepool: 'NodePool' } as const;

/** An explanation with every kind of finding. */
export function sampleExplanation({ kind, namespace, name }: Asked): Explanation {
  const subject = { kind: kinds[kind as keyof typeof kinds] ?? 'Pod', namespace, name };
  if (name !== stuckPod.name)
    return {
      subject,
      summary: `${subject.kind} ${name} is as it should be.`,
      sections: [{ title: 'Placement', findings: [{ text: 'It fits its node.', verdict: 'met' }] }],
      changes: [],
    };
  return {
    subject,
    summary: `Pod ${namespace}/${name} stays pending: it ${stuckReason}.`,
    sections: [
      {
        title: 'NodePool default',
        findings: [
          {
            text: stuckReason,
            verdict: 'blocked',
            details: [
              { text: 'm7i.4xlarge has 16 cpu, 484 too few', verdict: 'blocked' },
              { text: 'm7i.2xlarge has 8 cpu, 492 too few', verdict: 'blocked' },
            ],
          },
          { text: 'The pod tolerates all taints.', verdict: 'met' },
          { text: 'Spot in us-west-2a is short.', verdict: 'fact', until: Date.UTC(2026, 0, 1, 12) },
        ],
      },
    ],
    changes: [{ text: 'Request at most 15.9 cpu.', object: subject }],
  };
}

export function sampleAnswer(question: WhatIfQuestion): WhatIfAnswer {
  const removed = question.removeNodes ?? [];
  return {
    text: [
      `nodes removed: ${removed.join(', ') || 'none'}`,
      `pods moved:    ${removed.length * 12}`,
      'new nodes:     1  m7i.xlarge  spot  $0.0706/h',
    ].join('\n'),
    priceBefore: 12.4,
    priceAfter: 12.4 - 0.2 * removed.length,
  };
}
