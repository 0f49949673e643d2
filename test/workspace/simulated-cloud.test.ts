import { readFileSync } from 'node:fs';
import { type Faults, noFaults, parseFaults } from '@karpenter/sim/cloud';
import { describe, expect, it } from 'vitest';

const page = readFileSync(new URL('../../docs/simulated-cloud.md', import.meta.url), 'utf8');
const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];

describe('the documentation of the simulated cloud', () => {
  it('shows a valid fault file that names every field', () => {
    const faults: Partial<Faults> = parseFaults(example, 'the example');
    expect(Object.keys(faults).sort()).toEqual(Object.keys(noFaults).sort());
  });
});
