/**
 * The checks of this API server without the server, for commands that plan with manifests. An entry point of its own,
 * because the server takes much longer to load.
 */
import { type FieldError, fieldErrorText, type JsonObject } from '@karpenter/core/schema';
import { runAtOnce } from '@karpenter/core/yielding';
import { builtInKinds } from './kinds/built-in-kinds.ts';
import type { ServedKind } from './kinds/served-kind.ts';
import { StatusError } from './status/status-error.ts';
import { validateMetadata } from './writes/metadata-validation.ts';

/**
 * Why an API server with strict field validation refuses to create an object: a message that names the field. Undefined
 * if it accepts the object, or if the kind is not a built-in one.
 */
export function creationProblem(object: JsonObject): string | undefined {
  const versions = builtInKinds().filter(({ kind }) => kind === object['kind']);
  if (versions.length === 0) return undefined;
  const served = versions.find((kind) => apiVersionOf(kind) === object['apiVersion']);
  return served === undefined ? versionProblem(object, versions) : problemOf(served, object);
}

function apiVersionOf({ group, version }: ServedKind): string {
  return group === '' ? version : `${group}/${version}`;
}

/** A kind of the same name in another group is another kind, such as a Service of Knative. */
function versionProblem(
  { apiVersion, kind }: JsonObject,
  versions: readonly ServedKind[],
): string | undefined {
  const known = versions.map(apiVersionOf).join(' or ');
  if (typeof apiVersion !== 'string' || apiVersion === '')
    return `apiVersion: Required value; write ${known}`;
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0] : '';
  const isOther = !versions.some((each) => each.group === group) && !formerGroups.has(group ?? '');
  return isOther
    ? undefined
    : `apiVersion: no kind ${JSON.stringify(kind)} in version ${JSON.stringify(apiVersion)}; write ${known}`;
}

/** Former groups of built-in kinds, which old manifests still name. */
const formerGroups: ReadonlySet<string> = new Set([
  'extensions',
  'apps',
  'batch',
  'policy',
  'storage.k8s.io',
]);

function problemOf(kind: ServedKind, body: JsonObject): string | undefined {
  try {
    const { object } = kind.behaviour.decode(body, 'Strict');
    const [error] = fieldErrors(kind, kind.behaviour.prepare(object, undefined, undefined));
    return error && fieldErrorText(error);
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return decodingProblem(error.message);
  }
}

function fieldErrors({ behaviour }: ServedKind, object: JsonObject): readonly FieldError[] {
  const { name = '' } = (object['metadata'] ?? {}) as { readonly name?: string };
  const problems = name === '' ? [] : (behaviour.nameProblems?.(name) ?? []);
  return [
    ...problems.map(
      (detail): FieldError => ({ type: 'Invalid', field: 'metadata.name', value: name, detail }),
    ),
    ...validateMetadata(object, undefined),
    ...runAtOnce(behaviour.validate(object, undefined, undefined)),
  ];
}

/** Rewords Go's message for a wrong type, because users read it next to their manifest. */
function decodingProblem(message: string): string {
  const problem = message
    .replace(/^.*? cannot be handled as a \w+: /, '')
    .replace(/^strict decoding error: /, '')
    .replace(/^json: /, '');
  const [, found, path, wanted] =
    /^cannot unmarshal (\w+) into Go (?:struct field \w+\.(\S+)|value) of type (\S+)$/.exec(problem) ?? [];
  return found === undefined ? problem : `${path ?? 'object'}: is of type ${found}, not ${wanted}`;
}
