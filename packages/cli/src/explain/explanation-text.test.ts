import type { Explanation } from '@karpenter/core/explanation';
import { describe, expect, it } from 'vitest';
import { explanationText } from './explanation-text.ts';

const now = Date.UTC(2026, 0, 10, 12);

const explanation: Explanation = {
  subject: { kind: 'Pod', namespace: 'default', name: 'web' },
  summary: 'Pod default/web is pending: no node and no NodePool can take it.',
  sections: [
    {
      title: 'NodePools, nearest miss first',
      findings: [
        {
          text: 'NodePool default',
          verdict: 'blocked',
          details: [{ text: 'a window is open', verdict: 'blocked', until: now + 90 * 60_000 }],
        },
        { text: 'NodePool other could take a pod like it', verdict: 'met' },
      ],
    },
  ],
  changes: [
    {
      text: 'let the pod tolerate team=a:NoSchedule',
      object: { kind: 'Pod', name: 'web' },
      together: [{ text: 'request 1 cpu instead of 2 cpu', object: { kind: 'Pod', name: 'web' } }],
    },
  ],
};

describe('the text of an explanation', () => {
  it('is wrapped at the width, with changes before reasons', () => {
    expect(explanationText(explanation, { width: 50, hasColour: false, now })).toBe(`\
Pod default/web is pending: no node and no
NodePool can take it.
What would help
  → let the pod tolerate team=a:NoSchedule, and
    request 1 cpu instead of 2 cpu
NodePools, nearest miss first
  ✗ NodePool default
    ✗ a window is open (until 2026-01-10 13:30Z,
      1h30m from now)
  ✓ NodePool other could take a pod like it
`);
  });

  it('has colours only where they are wanted', () => {
    const coloured = explanationText(explanation, { width: 80, hasColour: true, now });
    expect(coloured).toContain('\u001b[31m✗\u001b[0m NodePool default');
    expect(explanationText(explanation, { width: 80, hasColour: false, now })).not.toContain('\u001b');
  });
});
