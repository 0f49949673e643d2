import { customResources } from '@karpenter/aws';
import { conversionPath, olderVersion } from '@karpenter/aws/conversion';
import type { CustomResourceDefinition } from '@karpenter/core/schema';
import { yamlDocument } from '../custom-resources/yaml-document.ts';
import type { GeneratedFile } from './generated-file.ts';

const annotations = `  {{- with .Values.additionalAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
`;

const conversion = `  conversion:
    strategy: Webhook
    webhook:
      clientConfig:
        service:
          namespace: {{ .Values.conversion.serviceNamespace | default .Release.Namespace | quote }}
          name: {{ .Values.conversion.serviceName }}
          port: {{ .Values.conversion.servicePort }}
          path: ${conversionPath}
      conversionReviewVersions:
        - v1
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
      {
        path: `charts/karpenter-crd/templates/${name}`,
        text: withAdditionalAnnotations(document) + olderVersionTemplate(definition),
      },
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

/** The version v1beta1 of a kind that had it, if the value is on. Valid because `versions` is last in a definition. */
function olderVersionTemplate(definition: CustomResourceDefinition): string {
  const older = olderVersion(definition);
  if (older === undefined) return '';
  const { spec } = definition;
  const alone = yamlDocument({ ...definition, spec: { ...spec, versions: [older] } });
  const version = alone.slice(alone.indexOf(versionsKey) + versionsKey.length);
  return `{{- if (.Values.conversion).enabled }}\n${version}${conversion}{{- end }}\n`;
}

const versionsKey = '\n  versions:\n';
