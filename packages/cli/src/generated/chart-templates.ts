import { customResources } from '@karpenter/aws';
import type { CustomResourceDefinition } from '@karpenter/core/schema';
import { yamlDocument } from '../custom-resources/yaml-document.ts';
import type { GeneratedFile } from './generated-file.ts';

const annotations = `  {{- with .Values.additionalAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
`;

/**
 * The CRDs for both charts: as templates of karpenter-crd, which Helm upgrades, and under `crds/` of karpenter,
 * which Helm installs once and never upgrades.
 */
export function chartTemplates(): readonly GeneratedFile[] {
  return customResources.flatMap(({ definition }) => {
    const document = yamlDocument(definition);
    const name = fileName(definition);
    return [
      { path: `charts/karpenter-crd/templates/${name}`, text: withAdditionalAnnotations(document) },
      { path: `charts/karpenter/crds/${name}`, text: document },
    ];
  });
}

function fileName({ spec }: CustomResourceDefinition): string {
  return `${spec.group}_${spec.names.plural}.yaml`;
}

/** Inserts the annotations right after the name. Valid because the definitions have no annotations of their own. */
function withAdditionalAnnotations(document: string): string {
  return document.replace(/^( {2}name: .*\n)/m, `$1${annotations}`);
}
