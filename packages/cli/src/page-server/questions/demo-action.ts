import type { DemoAction } from '@karpenter/core/page-api';
import { HttpRefusal } from '../http/index.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string' && value !== '';
const isFlag: Check = (value) => typeof value === 'boolean';
/** More would not show more, and takes the one process of `dev` minutes. */
const maxReplicas = 1_000;
const isReplicas: Check = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= maxReplicas;

const shapes: Readonly<Record<DemoAction['action'], Readonly<Record<string, Check>>>> = {
  scale: { deployment: isText, replicas: isReplicas },
  removeSpot: { zone: isText },
  restoreSpot: { zone: isText },
  interrupt: { node: isText },
  failBoots: { isFailing: isFlag },
};

export function demoAction(body: unknown): DemoAction {
  const fields = typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  const { action } = fields;
  const shape =
    typeof action === 'string' && Object.hasOwn(shapes, action)
      ? shapes[action as DemoAction['action']]
      : undefined;
  if (shape === undefined)
    throw new HttpRefusal(400, `the body names no action; it is one of ${Object.keys(shapes).join(', ')}`);
  for (const [name, isValid] of Object.entries(shape))
    if (!isValid(fields[name]))
      throw new HttpRefusal(
        400,
        `${name} of ${String(action)} cannot be ${JSON.stringify(fields[name] ?? null)}; names are texts, replicas a whole number up to ${maxReplicas}`,
      );
  return body as DemoAction;
}
