import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentSettings } from '@karpenter/termination-handler';
import { expect, it } from 'vitest';
import { root } from '../architecture/workspace.ts';

const page = readFileSync(join(root, 'docs/termination-handler.md'), 'utf8');
const values = readFileSync(join(root, 'charts/node-termination-handler/values.yaml'), 'utf8');

it('the page names only settings and chart values that exist', () => {
  const flags = new Set(Object.values(agentSettings).map(({ flag }) => flag));
  const named = [...page.matchAll(/`(?:--)?([a-z]+(?:-[a-z]+)+)(?:=[a-z]+)?`/g)].map(([, flag = '']) => flag);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((flag) => !flags.has(flag) && flag !== 'node-termination-handler')).toEqual([]);
  const inChart = [...page.matchAll(/`([a-z]+[A-Z]\w+)(?:: \w+)?`/g)].map(([, value = '']) => value);
  expect(inChart.filter((value) => !values.includes(`\n${value}:`))).toEqual([]);
});
