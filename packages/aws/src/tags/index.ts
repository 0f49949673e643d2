/**
 * Tags on what Karpenter creates in AWS: at launch, after registration, and which keys users may not set.
 * Pure. Start with `launch-tags.ts`.
 */

export {
  ec2Tags,
  launchTags,
  missingInstanceTags,
  tagsOf,
} from './launch-tags.ts';
export { restrictedTagsMessage } from './restricted-tags.ts';
