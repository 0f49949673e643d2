import { readFileSync } from 'node:fs';
import type { Fault } from './fault-proxy.ts';
import { version } from './moto-account.ts';

const images: unknown = JSON.parse(readFileSync(new URL('./images.json', import.meta.url), 'utf8'));

/**
 * Serves the SSM parameters with the recommended EKS images, without which no case could launch anything:
 * moto has none, and does not let tests create them, because their names are reserved.
 */
export const recommendedImages: Fault = async ({ operation, body }) => {
  if (operation !== 'GetParameter') return undefined;
  const { Name }: { readonly Name?: unknown } = JSON.parse(body);
  const Value = parameters().get(String(Name));
  if (Value === undefined) return undefined;
  return {
    status: 200,
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': 'recommended-image' },
    body: JSON.stringify({ Parameter: { Name, Value, Type: 'String', Version: 1 } }),
  };
};

function parameters(): ReadonlyMap<string, string> {
  const rows = Array.isArray(images) ? images : [];
  return new Map(
    rows.map(({ architecture, ami_id }) => [
      `/aws/service/eks/optimized-ami/${version}/amazon-linux-2023/${architecture}/standard/recommended/image_id`,
      String(ami_id),
    ]),
  );
}
