import { describe, expect, it } from 'vitest';
import { sbomProblems } from '../../distribution/cyclonedx.ts';

const { billOfMaterials } = await import(new URL('../../../scripts/image/sbom.mjs', import.meta.url).href);

const contents = {
  version: '0.1.0',
  commit: '0123456789012345678901234567890123456789',
  packages: ['@aws-sdk/client-ec2@3.1054.0', 'commander@14.0.3', 'unlocked@1.0.0'],
  nodeVersion: '24.21.0',
  debian: [
    { name: 'libc6', version: '2.36-9+deb12u13' },
    { name: 'libstdc++6', version: '1:12.2.0-14' },
  ],
  architecture: 'arm64',
};

describe('the SBOM', () => {
  it('is valid CycloneDX 1.6', () => {
    expect(sbomProblems(billOfMaterials(contents))).toEqual([]);
    const { commit, ...withoutCommit } = contents;
    expect(sbomProblems(billOfMaterials(withoutCommit))).toEqual([]);
  });

  it.each([
    ['a component without a name', { components: [{ type: 'library' }] }, "required property 'name'"],
    ['an unknown field', { made: 'today' }, 'must NOT have additional properties'],
    [
      'a hash of an unknown kind',
      { components: [{ type: 'library', name: 'a', hashes: [{ alg: 'SHA512', content: 'ab' }] }] },
      '/components/0/hashes/0/alg',
    ],
    [
      'the same component twice',
      {
        components: [
          { type: 'library', name: 'a' },
          { type: 'library', name: 'a' },
        ],
      },
      'must NOT have duplicate items',
    ],
  ])('would not be valid with %s', (_, change, problem) => {
    expect(sbomProblems({ ...billOfMaterials(contents), ...change }).join('\n')).toContain(problem);
  });
});
