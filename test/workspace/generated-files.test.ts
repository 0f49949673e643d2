import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from '@karpenter/cli';
import { describe, expect, it } from 'vitest';
import { root } from './architecture/workspace.ts';

const files = generatedFiles((path) => readFileSync(join(root, path), 'utf8'));

describe('generated files', () => {
  it.each(files)('$path is up to date; otherwise run `npm run generate`', ({ path, text }) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  });

  const folders = [
    'charts/karpenter-crd/templates',
    'charts/karpenter/crds',
    'dashboards',
    'deploy/cloudformation',
    'deploy/prometheus',
    'deploy/terraform',
    'docs/reference',
  ];
  it.each(folders)('%s contains nothing else', (folder) => {
    const expected = files.filter(({ path }) => path.startsWith(`${folder}/`)).map(({ path }) => path);
    const found = readdirSync(join(root, folder))
      .filter((name) => name !== 'NOTES.txt')
      .map((name) => `${folder}/${name}`);
    expect(found.sort()).toEqual(expected.sort());
  });
});
