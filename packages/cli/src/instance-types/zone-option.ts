import { invalidValue } from '@karpenter/core/errors';
import { type Zone, zones } from '@karpenter/ec2-catalogue';

const zonePattern = /^[a-z0-9-]+$/;

/** Parses `us-east-1a:use1-az1,us-east-1b`. A missing zone id defaults to the one that most accounts have. */
export function readZones(text: string, region: string): readonly Zone[] {
  return text.split(',').map((part) => readZone(part.trim(), text, region));
}

function readZone(part: string, text: string, region: string): Zone {
  const [name = '', given] = part.split(':');
  const id = given ?? zones(region).find((zone) => zone.name === name)?.id;
  if (zonePattern.test(name) && id !== undefined && zonePattern.test(id)) return { name, id };
  throw invalidValue({
    code: 'invalid-setting',
    field: '--zones',
    value: text,
    expected: `a list of zones of ${region}`,
    advice: 'write names with their ids, such as us-east-1a:use1-az1,us-east-1b:use1-az2',
  });
}
