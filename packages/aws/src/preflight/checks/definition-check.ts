import { isDeepStrictEqual } from 'node:util';
import { customResources } from '../../custom-resources.ts';
import {
  type CheckResult,
  type InstalledDefinition,
  outcomes,
  type PreflightCheck,
} from '../preflight-check.ts';

const result = outcomes('crds');
const upgrade = 'helm upgrade --install karpenter-crd charts/karpenter-crd --namespace kube-system';

/** Checks that the installed CRDs are those of this version and that no older version is stored. */
export const checkDefinitions: PreflightCheck = async ({ cluster: { definitions } }) => {
  if ('unreadable' in definitions) return [result.unknown(definitions.unreadable)];
  const found = customResources.flatMap(({ definition }) =>
    problemsOf(
      definition,
      definitions.value.find(({ metadata }) => metadata?.name === definition.metadata.name),
    ),
  );
  return found.length > 0
    ? found
    : [result.passed('the CustomResourceDefinitions are those of this version')];
};

type OwnDefinition = (typeof customResources)[number]['definition'];

function problemsOf(own: OwnDefinition, installed: InstalledDefinition | undefined): readonly CheckResult[] {
  const { name } = own.metadata;
  if (installed === undefined)
    return [result.failed(`CustomResourceDefinition ${name} is not installed`, upgrade)];
  const [current] = own.spec.versions;
  const old = (installed.status?.storedVersions ?? []).filter((version) => version !== current?.name);
  const served = installed.spec?.versions?.find((version) => version.name === current?.name);
  if (served?.served !== true)
    return [result.failed(`${name} does not serve version ${current?.name}`, upgrade)];
  return [
    ...(old.length > 0 ? [storedAs(old, installed)] : []),
    ...(isDeepStrictEqual(served.schema, current?.schema)
      ? []
      : [result.warning(`${name} has another schema than this version`, upgrade)]),
  ];
}

/** Only a warning with a conversion webhook, which can read older objects as long as it runs. */
function storedAs(old: readonly string[], { metadata, spec }: InstalledDefinition): CheckResult {
  const [name, versions] = [metadata?.name, old.join(', ')];
  const fix = `kubectl get ${name} -o yaml | kubectl replace -f -, then remove ${versions} from status.storedVersions`;
  return spec?.conversion?.strategy === 'Webhook'
    ? result.warning(
        `objects of ${name} are stored as ${versions}, which only its conversion webhook reads`,
        fix,
      )
    : result.failed(`objects of ${name} are stored as ${versions}, which this version does not read`, fix);
}
