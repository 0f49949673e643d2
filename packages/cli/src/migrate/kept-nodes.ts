import type { SourceGroup } from '@karpenter/aws/migration';
import { CodedError } from '@karpenter/core/errors';

/** Reads `group=nodes` as `--keep` takes it. */
export function keptNodes(
  texts: readonly string[],
  groups: readonly SourceGroup[],
): ReadonlyMap<string, number> {
  return new Map(texts.map((text) => keptOf(text, groups)));
}

function keptOf(text: string, groups: readonly SourceGroup[]): readonly [string, number] {
  const [, name = '', count] = /^(.+)=(\d+)$/.exec(text) ?? [];
  if (count === undefined) throw invalid(text, 'write it as GROUP=NODES, such as system=2');
  if (groups.some((group) => group.name === name)) return [name, Number(count)];
  throw invalid(text, `there is no group ${name}; there are ${groups.map((group) => group.name).join(', ')}`);
}

function invalid(text: string, advice: string): CodedError {
  return new CodedError('invalid-setting', `--keep ${text} cannot be used: ${advice}`, {
    details: { flag: '--keep' },
  });
}
