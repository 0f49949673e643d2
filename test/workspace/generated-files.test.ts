import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from '@karpenter/cli';
import { describe, expect, it } from 'vitest';
import { root } from './architecture/workspace.ts';

const files = generatedFiles();

describe('generated files', () => {
  it.each(files)('$path is up to date; otherwise run `npm run generate`', ({ path, text }) => {
    expect(readFileSync(join(root, path), 'utf8')).toBe(text);
  });

  it("the shapes of EC2's API match the installed SDK; otherwise run `npm run generate`", () => {
    const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/ec2-shapes.mjs')], {
      encoding: 'utf8',
    });
    const text = readFileSync(join(root, 'packages/aws/src/sdk/ec2/shapes.ts'), 'utf8');
    expect({ text, stderr }).toEqual({ text: stdout, stderr: '' });
  });

  it.each(['charts/karpenter-crd/templates', 'docs/reference'])('%s contains nothing else', (folder) => {
    const expected = files.filter(({ path }) => path.startsWith(`${folder}/`)).map(({ path }) => path);
    const found = readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
    expect(found.sort()).toEqual(expected.sort());
  });
});
