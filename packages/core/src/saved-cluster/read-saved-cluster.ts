import { CodedError } from '../errors/index.ts';
import { fieldErrorText, type Json, member, type PatternMatcher, validate } from '../schema/index.ts';
import { type SavedCluster, savedClusterKind, savedClusterVersion } from './saved-cluster.ts';
import { factFields, savedClusterSchema } from './saved-cluster-schema.ts';

/** Whether a document says that it is a saved cluster; it may still be of another version, or damaged. */
export function isSavedCluster(value: Json): boolean {
  return member(value, 'kind') === savedClusterKind;
}

/**
 * Checks everything but the objects of the lists, which their kinds describe. Throws `invalid-object` with
 * one sentence without the name of the file, which only the caller knows.
 */
export function readSavedCluster(value: Json, patterns: PatternMatcher): SavedCluster {
  const version = member(value, 'apiVersion');
  if (version !== savedClusterVersion) {
    throw unusable(`its apiVersion is ${JSON.stringify(version) ?? 'missing'}, not ${savedClusterVersion}`);
  }
  const [error] = validate(savedClusterSchema, value, { patterns });
  if (error !== undefined) throw unusable(fieldErrorText(error));
  const saved = value as unknown as SavedCluster;
  checkTypeLists(saved);
  checkFacts(saved);
  return saved;
}

function checkTypeLists({ instanceTypes: { lists, nodePools } }: SavedCluster): void {
  for (const [pool, index] of Object.entries(nodePools)) {
    if (index >= lists.length) throw unusable(`instanceTypes.nodePools.${pool}: there is no list ${index}`);
  }
}

/** Which fields a fact has depends on its type, which the schema cannot say. */
function checkFacts({ facts }: SavedCluster): void {
  for (const [index, fact] of facts.entries()) {
    const missing = factFields[fact.type].find((field) => !Object.hasOwn(fact, field));
    if (missing !== undefined) throw unusable(`facts[${index}].${missing}: Required value`);
  }
}

function unusable(problem: string): CodedError {
  return new CodedError('invalid-object', `${problem}; save the cluster again`);
}
