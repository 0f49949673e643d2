export {
  ec2Tags,
  type InstanceTagFacts,
  launchTags,
  missingInstanceTags,
  type TagFacts,
  tagsOf,
} from './launch-tags.ts';
