import type { JsonObject } from '@karpenter/core/schema';
import { rounds, seeds } from '@karpenter/testkit/rounds';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { convertText, manifestPairs } from '../conversion/pairs.ts';
import { RandomManifests, randomSource } from '../conversion/random-manifests.ts';

const count = { quick: 40, full: 200 };

const textsOf = (text: string) => [...text.matchAll(/# (comment-\d+)/g)].map(([, comment = '']) => comment);

/** Puts comments before and behind random lines of a block style text without block scalars. */
function commented(text: string, random: () => number): string {
  let number = 0;
  const next = () => {
    number += 1;
    return `# comment-${number}`;
  };
  const lines = text.split('\n').flatMap((line) => {
    if (line === '' || line === '---') return [line];
    const indent = /^ */.exec(line)?.[0] ?? '';
    const before = random() < 0.2 ? [`${indent}${next()}`] : [];
    const canFollow = !/["'#]/.test(line);
    return [...before, canFollow && random() < 0.2 ? `${line} ${next()}` : line];
  });
  return lines.join('\n');
}

function manifests(seed: number): string {
  const random = new RandomManifests(seed);
  const objects = [random.provisioner(), random.nodeTemplate(), random.nodePool(), random.nodeClass()];
  const named = objects.map((object, index) => ({
    ...object,
    metadata: { ...(object['metadata'] as JsonObject), name: `class-${'abcd'[index]}` },
  }));
  return named.map((object) => stringify(object)).join('---\n');
}

describe('karpenter convert', () => {
  it(`keeps every comment, in ${rounds(count)} rounds`, async () => {
    for (const seed of seeds(count)) {
      const text = commented(manifests(seed), randomSource(seed));
      const { code, out } = await convertText(text);
      if (code === 1) continue;
      const kept = textsOf(out).toSorted();
      expect([...new Set(kept)], `seed ${seed}\n${text}\n>>>\n${out}`).toEqual(textsOf(text).toSorted());
      expect((await convertText(out)).out, `seed ${seed}`).toBe(out);
    }
  });

  it.each(manifestPairs().filter(({ path, exitCode }) => path.endsWith('.yaml') && exitCode !== 1))(
    'keeps every comment of $name',
    async ({ input, expected }) => {
      const lines = input.split('\n').flatMap((line) => /(?:^|\s)(# .*?)\r?$/.exec(line)?.[1] ?? []);
      expect(lines.filter((line) => !expected.includes(line))).toEqual([]);
    },
  );
});
