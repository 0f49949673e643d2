import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from '@karpenter/cli';
import { describe, expect, it } from 'vitest';
import { root } from './architecture/workspace.ts';

const files = generatedFiles();

describe('generated files', () => {
  it.each(files)('$path is as the source says; run `npm run generate` when it is not', ({ path, text }) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  });

  it.each(['charts/karpenter-crd/templates', 'docs/reference'])('%s holds nothing else', (folder) => {
    const expected = files.filter(({ path }) => path.startsWith(`${folder}/`)).map(({ path }) => path);
    const found = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
    expect(found.sort()).toEqual(expected.sort());
  });
});
