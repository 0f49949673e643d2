import type { Instant } from '@karpenter/kube/runtime';
import { invalidParameterValue, missingParameter, Refusal } from '../calls/refusal.ts';
import { tagsOf } from '../world/tags.ts';
import type { CloudWorld } from '../world/world.ts';
import { refuseDryRun } from './dry-run.ts';
import { templateNotFound } from './launch-spec.ts';
import type { InputOf } from './shapes.ts';

const maxTags = 50;

/**
 * Tags all given resources or none. Throws NotFound for an instance that describe calls do not show yet, as
 * EC2 does while it is eventually consistent.
 */
export function createTags(world: CloudWorld, input: InputOf<'createTags'>, now: Instant): object {
  const added = tagsOf(input.Tags);
  if ((input.Resources ?? []).length === 0) throw missingParameter('resourceIdSet');
  if (added.size === 0) throw missingParameter('tagSet');
  const reserved = [...added.keys()].find((key) => key.startsWith('aws:'));
  if (reserved !== undefined) {
    throw invalidParameterValue("Tag keys starting with 'aws:' are reserved for internal use");
  }
  const targets = (input.Resources ?? []).map((id) => tagsOfResource(world, id, now));
  for (const tags of targets) checkLimit(tags, added);
  refuseDryRun(input.DryRun);
  for (const tags of targets) for (const [key, value] of added) tags.set(key, value);
  return {};
}

function checkLimit(tags: ReadonlyMap<string, string>, added: ReadonlyMap<string, string>): void {
  const keys = new Set([...tags.keys(), ...added.keys()].filter((key) => !key.startsWith('aws:')));
  if (keys.size <= maxTags) return;
  throw new Refusal('TagLimitExceeded', `More than ${maxTags} tags specified`);
}

function tagsOfResource(world: CloudWorld, id: string, now: Instant): Map<string, string> {
  const instance = world.instances.get(id);
  const found =
    (instance !== undefined && instance.visibleAt <= now ? instance : undefined) ??
    world.launchTemplates.get(id) ??
    world.subnets.get(id) ??
    world.securityGroups.get(id) ??
    world.capacityReservations.get(id) ??
    world.placementGroups.get(id);
  if (found !== undefined) return found.tags;
  throw notFound(id);
}

function notFound(id: string): Refusal {
  const [prefix] = id.split('-');
  if (prefix === 'i')
    return new Refusal('InvalidInstanceID.NotFound', `The instance ID '${id}' does not exist`);
  if (prefix === 'lt') return templateNotFound({ id });
  return new Refusal('InvalidID', `The ID '${id}' is not valid`);
}
