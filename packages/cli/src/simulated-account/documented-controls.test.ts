import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { accountActs, actUsage, isAct, nodeActs } from './controls.ts';
import { presetLines } from './fault-presets.ts';

const page = readFileSync(new URL('../../../../docs/simulated-cloud.md', import.meta.url), 'utf8');

describe('docs/simulated-cloud.md', () => {
  it.each([...Object.keys(nodeActs), ...Object.keys(accountActs)])('describes the act %s', (act) => {
    expect(page).toContain(`\`${isAct(act) ? actUsage(act) : act}\``);
  });

  it.each(presetLines())('describes the preset %s', (line) => {
    const [usage = '', meaning = ''] = line.trim().split(/ {2,}/);
    expect(page).toContain(`| \`${usage}\` | ${meaning} |`);
  });
});
