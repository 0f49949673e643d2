import { PricingClient, type PricingClientResolvedConfig } from '@aws-sdk/client-pricing';
import { AwsEc2QueryProtocol } from '@aws-sdk/core/protocols';
import { makeBuilder, ServiceException } from '@smithy/core/client';
import { getEndpointPlugin } from '@smithy/core/endpoints';
import { TypeRegistry } from '@smithy/core/schema';
import type { MetadataBearer } from '@smithy/types';
import type { ClientConfig, SendOptions } from '../service-binding.ts';
import { ec2Endpoint } from './endpoint.ts';
import { namespace, readOperations } from './shape-notation.ts';
import { ec2Shapes } from './shapes.ts';

const apiVersion = '2016-11-15';
const service = 'AmazonEC2';

/** Which settings of a client its endpoint goes by. */
const endpointParameters = {
  UseFIPS: { type: 'builtInParams', name: 'useFipsEndpoint' },
  UseDualStack: { type: 'builtInParams', name: 'useDualstackEndpoint' },
  Endpoint: { type: 'builtInParams', name: 'endpoint' },
  Region: { type: 'builtInParams', name: 'region' },
} as const;

const commandOf = makeBuilder<PricingClientResolvedConfig, object, MetadataBearer>(
  endpointParameters,
  service,
  'EC2Client',
  getEndpointPlugin,
);
const operations = readOperations(ec2Shapes);

/**
 * EC2 by the SDK, with the operations in use. The SDK's own client has 750 of them, and 50 MB are left of loading it.
 * Clients of the SDK differ in what they say, in which protocol and to whom; credentials, signatures, second attempts,
 * user agent and settings are the same. So this is one of those that are loaded anyway, the smallest, and told to
 * speak as EC2's does; a test holds the two against each other.
 */
export class Ec2Client extends PricingClient {
  constructor(config: ClientConfig) {
    super({
      ...config,
      apiVersion,
      serviceId: 'EC2',
      protocol: AwsEc2QueryProtocol,
      protocolSettings: {
        defaultNamespace: namespace,
        errorTypeRegistries: [refusals()],
        xmlNamespace: `http://ec2.amazonaws.com/doc/${apiVersion}`,
        version: apiVersion,
        serviceTarget: service,
      },
      endpointProvider: ec2Endpoint,
    });
  }

  request<Input extends object, Answer extends object>(
    operation: string,
    input: Input,
    options: SendOptions,
  ): Promise<Answer> {
    const schema = operations.get(operation);
    if (schema === undefined) throw new TypeError(`the client of EC2 has no operation ${operation}`);
    const Command = commandOf<Input, Answer & MetadataBearer>({}, () => [], operation, schema);
    return this.send(new Command(input), options);
  }
}

/** EC2 tells its errors by codes alone, so that they are of one class. */
function refusals(): TypeRegistry {
  const synthetic = `smithy.ts.sdk.synthetic.${namespace}`;
  const registry = new TypeRegistry(synthetic);
  registry.registerError([-3, synthetic, 'EC2ServiceException', 0, [], []], ServiceException);
  return registry;
}
