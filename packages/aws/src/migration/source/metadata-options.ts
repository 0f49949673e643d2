import type { EC2NodeClassSpec } from '../../node-class/index.ts';

type MetadataOptions = NonNullable<EC2NodeClassSpec['metadataOptions']>;

interface TemplateMetadata {
  readonly HttpEndpoint?: 'enabled' | 'disabled' | undefined;
  readonly HttpProtocolIpv6?: 'enabled' | 'disabled' | undefined;
  readonly HttpPutResponseHopLimit?: number | undefined;
  readonly HttpTokens?: 'required' | 'optional' | undefined;
}

/** Fields that a template leaves out have the defaults of EC2, which differ from those of an EC2NodeClass. */
export function metadataFrom(options: TemplateMetadata): MetadataOptions {
  return {
    httpEndpoint: options.HttpEndpoint ?? 'enabled',
    httpProtocolIPv6: options.HttpProtocolIpv6 ?? 'disabled',
    httpPutResponseHopLimit: options.HttpPutResponseHopLimit ?? 1,
    httpTokens: options.HttpTokens ?? 'optional',
  };
}
