import { readFileSync } from 'node:fs';
import { type Faults, noFaults, parseFaults } from '@karpenter/sim/cloud';
import { describe, expect, it } from 'vitest';

const page = readFileSync(new URL('../../docs/simulated-cloud.md', import.meta.url), 'utf8');
const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];

describe('the page about the simulated cloud', () => {
  it('shows a file of faults that can be read and names every part', () => {
    const faults: Partial<Faults> = parseFaults(example, 'the example');
    expect(Object.keys(faults).sort()).toEqual(Object.keys(noFaults).sort());
  });
});
