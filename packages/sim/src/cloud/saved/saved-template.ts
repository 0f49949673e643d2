import type { SavedTags } from '../world/tags.ts';
import type { LaunchTemplate } from '../world/world.ts';

type TemplateFacts = Omit<LaunchTemplate, 'tags'>;

export interface SavedTemplate {
  /** The immutable part. The same object at every save, so that its text is serialized once. */
  readonly facts: TemplateFacts;
  readonly tags: SavedTags;
}

const factsByTemplate = new WeakMap<LaunchTemplate, TemplateFacts>();

export function saveTemplate(template: LaunchTemplate): SavedTemplate {
  const { tags, ...rest } = template;
  const facts = factsByTemplate.get(template) ?? rest;
  factsByTemplate.set(template, facts);
  return { facts, tags: [...tags] };
}

export function restoreTemplate({ facts, tags }: SavedTemplate): LaunchTemplate {
  const template = { ...facts, tags: new Map(tags) };
  factsByTemplate.set(template, facts);
  return template;
}
