import { customResources } from '@karpenter/aws';
import type { CustomResourceDefinition } from '@karpenter/core/schema';
import { yamlDocument } from '../custom-resources/yaml-document.ts';
import type { GeneratedFile } from './generated-file.ts';

const annotations = `  {{- with .Values.additionalAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
`;

/** The CRDs as templates of the karpenter-crd chart. Helm upgrades templates; it never upgrades files in `crds/`. */
export function chartTemplates(): readonly GeneratedFile[] {
  return customResources.map(({ definition }) => ({
    path: `charts/karpenter-crd/templates/${fileName(definition)}`,
    text: withAdditionalAnnotations(yamlDocument(definition)),
  }));
}

function fileName({ spec }: CustomResourceDefinition): string {
  return `${spec.group}_${spec.names.plural}.yaml`;
}

/** Inserts the annotations right after the name. Valid because the definitions have no annotations of their own. */
function withAdditionalAnnotations(document: string): string {
  return document.replace(/^( {2}name: .*\n)/m, `$1${annotations}`);
}
