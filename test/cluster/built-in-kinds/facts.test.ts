import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, it } from 'vitest';

const script = fileURLToPath(new URL('../../../scripts/kubernetes-facts.mjs', import.meta.url));

describe('the facts about Kubernetes in the repository', () => {
  it('match the release that the tests run; npm run kubernetes-facts regenerates them', () => {
    const input = JSON.stringify(inject('controlPlane'));
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--check'], {
      input,
      encoding: 'utf8',
    });
    expect({ status, stdout, stderr }).toMatchObject({ status: 0, stdout: '' });
  });
});
