import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedTemplate } from '@karpenter/aws';
import { instanceTypes } from '@karpenter/ec2-catalogue';
import { describe, expect, it } from 'vitest';
import { defaultSettings, nodeClassOf, nodePoolOf, typeList } from '../instance-types/index.ts';
import { usualPlace } from '../region/index.ts';
import { completeClass } from './aws-facts.ts';
import { anyNodePool, claimOf } from './pool-claim.ts';
import { renderLaunch, templateRequests, userDataText } from './rendered-launch.ts';

// Set UPDATE_GOLDEN to write the texts again, and review the difference as you would code.
const isUpdate = process.env['UPDATE_GOLDEN'] !== undefined;
const directory = join(import.meta.dirname, 'golden');
const cases = readdirSync(directory)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.slice(0, -'.yaml'.length));

const region = 'us-east-1';
/** Few enough to read, different enough to need templates of their own. */
const ordinaryTypes = ['m7i.large', 'm7g.xlarge'];
const typesWithEfa = ['c6in.32xlarge'];

function shownTypes(text: string) {
  const names = text.includes('efa-only') ? typesWithEfa : ordinaryTypes;
  return instanceTypes().filter(({ InstanceType: name }) => names.includes(name));
}

function rendered(name: string): string {
  const file = { name: `${name}.yaml`, text: readFileSync(join(directory, `${name}.yaml`), 'utf8') };
  const { nodeClass } = completeClass(nodeClassOf(file), { place: usualPlace(region), clusterName: 'dev' });
  const nodePool = file.text.includes('kind: NodePool') ? nodePoolOf(file) : anyNodePool(nodeClass);
  const types = typeList({ nodeClass, region, settings: defaultSettings, types: shownTypes(file.text) });
  const launch = renderLaunch({
    nodeClass,
    nodePool: nodePool.metadata.name,
    nodeClaim: claimOf(nodePool),
    instanceTypes: types,
    region,
    cluster: {
      name: 'dev',
      endpoint: 'https://dev.example',
      caBundle: 'Y2E=',
      cidr: '10.100.0.0/16',
      dnsIp: '10.100.0.10',
    },
  });
  return [...launch.templates.map(templateText), `=== CreateFleet\n${json(launch.fleet)}`].join('\n');
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** User data is shown as a node reads it, so a template only refers to it. */
function templateText(template: NamedTemplate): string {
  const names = template.types.map(({ name }) => name).join(', ');
  const request = json(templateRequests([template])).replace(/"UserData": ".*"/, '"UserData": "(as above)"');
  return `=== User data: ${names}\n${userDataText(template)}\n=== CreateLaunchTemplate: ${names}\n${request}`;
}

describe('the requests to EC2', () => {
  it.each(cases)('match the reviewed text: %s', (name) => {
    const path = join(directory, `${name}.txt`);
    const text = rendered(name);
    if (isUpdate) writeFileSync(path, text);
    expect(existsSync(path) ? readFileSync(path, 'utf8') : 'nothing was reviewed yet').toBe(text);
  });

  it('have a reviewed text for every class and no other', () => {
    const texts = readdirSync(directory).filter((name) => name.endsWith('.txt'));
    expect(texts.sort()).toEqual(cases.map((name) => `${name}.txt`).sort());
    expect(cases.length).toBeGreaterThanOrEqual(30);
  });
});
