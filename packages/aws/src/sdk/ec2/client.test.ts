import * as sdk from '@aws-sdk/client-ec2';
import { type ServerExchange, startHttpServer, type TestHttpServer } from '@karpenter/testkit/http-server';
import { type NormalizedSchema, NormalizedSchema as Schema } from '@smithy/core/schema';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ClientConfig } from '../service-binding.ts';
import { Ec2Client } from './client.ts';
import { readOperations } from './shape-notation.ts';
import { ec2Shapes } from './shapes.ts';

// The SDK's own client and ours are asked and answered the same, with every member of every shape.

const operations = [...readOperations(ec2Shapes).keys()];
const config: ClientConfig = {
  region: 'eu-west-1',
  maxAttempts: 1,
  customUserAgent: [['karpenter.sh-1.2.3']],
  requestHandler: { requestTimeout: 10_000, throwOnRequestTimeout: true },
};

const command = (operation: string, input: object) =>
  Object(Reflect.construct(Reflect.get(sdk, `${operation}Command`), [input]));

/** What goes in and what comes out, as the SDK's own client knows it. */
function schemasOf(operation: string): readonly [input: NormalizedSchema, output: NormalizedSchema] {
  const [, , , , input, output] = command(operation, {}).schema;
  return [Schema.of(input), Schema.of(output)];
}

/** Every member is set, to something of its own. */
function sample(schema: NormalizedSchema, path: string): unknown {
  if (schema.isUnitSchema()) return {};
  if (schema.isStructSchema())
    return Object.fromEntries(
      [...schema.structIterator()].map(([name, member]) => [name, sample(member, `${path}.${name}`)]),
    );
  if (schema.isListSchema())
    return [0, 1].map((index) => sample(schema.getValueSchema(), `${path}.${index}`));
  if (schema.isTimestampSchema()) return new Date(1_800_000_000_000 + path.length * 1000);
  if (schema.isBooleanSchema()) return path.length % 2 === 0;
  if (schema.isNumericSchema()) return path.length;
  return `${path} & é`;
}

/** The same in XML, as EC2 would send it. */
function xmlOf(schema: NormalizedSchema, value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value))
    return value.map((item) => tagged(schema.getValueSchema(), 'member', item)).join('');
  if (!schema.isStructSchema()) return String(value).replaceAll('&', '&amp;');
  return [...schema.structIterator()]
    .map(([name, member]) => tagged(member, name, Reflect.get(Object(value), name)))
    .join('');
}

function tagged(schema: NormalizedSchema, name: string, value: unknown): string {
  const tag = schema.getMergedTraits().xmlName ?? name;
  return `<${tag}>${xmlOf(schema, value)}</${tag}>`;
}

describe('the client of EC2', () => {
  const kept = { ...process.env };
  let server: TestHttpServer;
  let seen: { readonly headers: ServerExchange['headers']; readonly body: string }[];
  let answer: readonly [status: number, body: string];

  beforeEach(async () => {
    process.env['AWS_ACCESS_KEY_ID'] = 'key';
    process.env['AWS_SECRET_ACCESS_KEY'] = 'secret';
    [seen, answer] = [[], [200, '<Empty/>']];
    server = await startHttpServer(
      async (exchange) => {
        seen.push({ headers: exchange.headers, body: await exchange.body() });
        exchange.start(answer[0], { 'x-amzn-requestid': 'req-1' });
        exchange.end(answer[1]);
      },
      { protocol: 'http' },
    );
  });

  afterEach(async () => {
    process.env = { ...kept };
    await server.close();
  });

  /** What each of the two clients makes of the same. */
  async function both(operation: string, input: object): Promise<readonly [own: unknown, ours: unknown]> {
    const settings = { ...config, endpoint: server.url };
    const own = new sdk.EC2Client(settings);
    const ours = new Ec2Client(settings);
    return [
      await own.send(command(operation, input)).catch((error: unknown) => error),
      await ours.request(operation, input, {}).catch((error: unknown) => error),
    ];
  }

  it.each(operations)("asks for %s in the words of the SDK's own", async (operation) => {
    await both(operation, Object(sample(schemasOf(operation)[0], '')));
    const [own, ours] = seen;
    expect(ours?.body).toBe(own?.body);
    expect(ours?.body.length).toBeGreaterThan(100);
  });

  it.each(operations)("reads what comes of %s as the SDK's own", async (operation) => {
    const [, output] = schemasOf(operation);
    const told = sample(output, '');
    answer = [200, `<Answer>${xmlOf(output, told)}</Answer>`];
    const [own, ours] = await both(operation, {});
    expect(ours).toEqual(own);
    expect(ours).toMatchObject(Object(told));
  });

  it("refuses as the SDK's own", async () => {
    answer = [
      412,
      '<Response><Errors><Error><Code>DryRunOperation</Code><Message>it would have</Message></Error></Errors><RequestID>r</RequestID></Response>',
    ];
    const [own, ours] = await both('RunInstances', { DryRun: true });
    const fields = (error: unknown) => ({ ...Object(error), message: Object(error).message });
    expect(fields(ours)).toMatchObject({ Code: 'DryRunOperation', message: 'it would have' });
    const { $response: _, ...expected } = fields(own);
    expect(fields(ours)).toMatchObject(expected);
  });

  it('signs for EC2 and says who asks, as the SDK says it', async () => {
    await both('DescribeSubnets', {});
    const [own, ours] = seen.map(({ headers }) => headers);
    // The clients are from packages of other versions.
    const product = (agent: unknown) => String(agent).replace(/([/#])3\.\d+\.\d+/g, '$1version');
    const comparable = (headers: ServerExchange['headers'] = {}) => ({
      ...headers,
      authorization: String(headers['authorization']).replace(/Signature=.*/, ''),
      'amz-sdk-invocation-id': 'any',
      'x-amz-date': 'any',
      'user-agent': product(headers['user-agent']),
      'x-amz-user-agent': product(headers['x-amz-user-agent']),
    });
    expect(comparable(ours)).toEqual(comparable(own));
    expect(ours?.['authorization']).toMatch(/Credential=key\/\d{8}\/eu-west-1\/ec2\/aws4_request/);
  });

  it('makes up a token where none is given, so that a second attempt launches nothing twice', async () => {
    const client = new Ec2Client({ ...config, maxAttempts: 2, endpoint: server.url });
    answer = [503, '<Response><Errors><Error><Code>Unavailable</Code></Error></Errors></Response>'];
    await client.request('CreateFleet', { Type: 'instant' }, {}).catch(() => undefined);
    const tokens = seen.map(({ body }) => new URLSearchParams(body).get('ClientToken'));
    expect(tokens).toHaveLength(2);
    expect(tokens[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(tokens[1]).toBe(tokens[0]);
  });

  it('goes where the environment says', async () => {
    process.env['AWS_ENDPOINT_URL_EC2'] = server.url;
    await new Ec2Client(config).request('DescribeSubnets', {}, {});
    expect(seen).toHaveLength(1);
  });

  it('takes FIPS and both stacks from the environment', async () => {
    process.env['AWS_USE_FIPS_ENDPOINT'] = 'true';
    process.env['AWS_USE_DUALSTACK_ENDPOINT'] = 'true';
    const { useFipsEndpoint, useDualstackEndpoint } = new Ec2Client(config).config;
    expect(await Promise.all([useFipsEndpoint(), useDualstackEndpoint()])).toEqual([true, true]);
  });

  it('has no operation but those in use', () => {
    expect(() => new Ec2Client(config).request('DeleteVpc', {}, {})).toThrow('no operation DeleteVpc');
  });
});
