import { customResources } from '@karpenter/aws';
import { type ConversionService, convertingDefinition } from '@karpenter/aws/conversion';
import { CodedError } from '@karpenter/core/errors';
import type { CustomResourceDefinition } from '@karpenter/core/schema';
import { type Command, InvalidArgumentError } from 'commander';
import { yamlDocument } from '../custom-resources/yaml-document.ts';
import { type DataFormat, documentText, listText, outputOption } from '../output/index.ts';
import type { Terminal } from '../terminal.ts';

const definitions = customResources.map(({ definition }) => definition);

export function addCrdsCommand(program: Command, terminal: Terminal): void {
  program
    .command('crds')
    .description('print the custom resource definitions, ready for `kubectl apply -f -`')
    .argument('[resource...]', `only these: ${definitions.map(({ spec }) => spec.names.plural).join(', ')}`)
    .addOption(outputOption(['yaml', 'json', 'jsonl'], 'how to print them'))
    .option(
      '--conversion-service <namespace/name:port>',
      'serve v1beta1 too, converted by the webhook of the controllers behind this Service',
      conversionService,
    )
    .action((names: readonly string[], { output, conversionService: service }: CrdsOptions) => {
      const named = names.length === 0 ? definitions : names.map(definitionNamed);
      const chosen = service ? named.map((each) => convertingDefinition(each, service)) : named;
      terminal.out(crdsText(chosen, output));
    });
}

interface CrdsOptions {
  readonly output: DataFormat;
  readonly conversionService?: ConversionService;
}

const serviceName = '[a-z]([-a-z0-9]{0,61}[a-z0-9])?';
const servicePattern = new RegExp(
  `^(?<namespace>${serviceName})/(?<name>${serviceName}):(?<port>[0-9]{1,5})$`,
);
const maxPort = 65_535;

function conversionService(text: string): ConversionService {
  const { namespace = '', name = '', port = '' } = servicePattern.exec(text)?.groups ?? {};
  if (namespace === '' || Number(port) < 1 || Number(port) > maxPort)
    throw new InvalidArgumentError('Write it as namespace/name:port, such as kube-system/karpenter:8443.');
  return { namespace, name, port: Number(port) };
}

/** Accepts the names that kubectl accepts: plural, singular, short and full name, in any case. */
function definitionNamed(name: string): CustomResourceDefinition {
  const wanted = name.toLowerCase();
  const found = definitions.find(({ metadata, spec: { names } }) =>
    [metadata.name, names.plural, names.singular, ...(names.shortNames ?? [])].includes(wanted),
  );
  if (found !== undefined) return found;
  const known = definitions.map(({ spec }) => spec.names.plural).join(', ');
  throw new CodedError(
    'unknown-resource',
    `there is no custom resource ${JSON.stringify(name)}; choose from ${known}`,
    {
      details: { name },
    },
  );
}

/** Each format is what kubectl applies; JSON for kubectl is a List. */
function crdsText(items: readonly CustomResourceDefinition[], format: DataFormat): string {
  if (format === 'yaml') return items.map(yamlDocument).join('---\n');
  if (format === 'jsonl') return listText(items, format);
  return documentText({ apiVersion: 'v1', kind: 'List', items }, format);
}
