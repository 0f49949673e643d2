export {
  ec2Tags,
  type InstanceTagFacts,
  launchTags,
  missingInstanceTags,
  type TagFacts,
  tagsOf,
} from './launch-tags.ts';
export { restrictedTagsMessage } from './restricted-tags.ts';
