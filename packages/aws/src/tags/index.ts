/**
 * Tags on what Karpenter creates in AWS: at launch, after
 * registration, and which keys users may not set. Pure.
 */

export {
  ec2Tags,
  launchTags,
  missingInstanceTags,
  tagsOf,
} from './launch-tags.ts';
export { restrictedTagsMessage } from './restricted-tags.ts';
