import { Requirements } from '@karpenter/core/requirements';
import type { AmiStatus } from '../node-class/index.ts';
import type { Catalogue, LaunchableType } from './launchable-type.ts';

/** Tells which image a type is started from: the first, of images that are listed newest first, that suits it. */
export function imageFinder(
  amis: readonly AmiStatus[],
  { vocabulary, wellKnown }: Pick<Catalogue, 'vocabulary' | 'wellKnown'>,
): (type: Pick<LaunchableType, 'requirements'>) => AmiStatus | undefined {
  const compiled = amis.map((ami) => ({
    ami,
    requirements: Requirements.fromItems(vocabulary, ami.requirements),
  }));
  return (type) =>
    compiled.find(({ requirements }) => type.requirements.compatible(requirements, wellKnown))?.ami;
}
