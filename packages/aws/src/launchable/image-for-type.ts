import { Requirements } from '@karpenter/core/requirements';
import type { AmiStatus } from '../node-class/index.ts';
import type { Catalogue, LaunchableType } from './launchable-type.ts';

/**
 * Returns a function that finds the AMI of a type: the first
 * compatible one, and the status lists the newest first.
 */
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
