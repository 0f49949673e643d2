import type { NodePrice } from '@karpenter/core/cluster-view';

/** Dollars per hour in us-east-1 on Linux and x86. */
const perVcpu = 0.04048;
const perGigabyte = 0.004445;

/** The price of a size such as `0.25vCPU 0.5GB`, as Fargate annotates its pods with it. */
export function fargatePrice(size: string | undefined): NodePrice | undefined {
  const match = /^(\d+(?:\.\d+)?)vCPU (\d+(?:\.\d+)?)GB$/.exec(size ?? '');
  if (match === null) return undefined;
  const hourly = Math.round((Number(match[1]) * perVcpu + Number(match[2]) * perGigabyte) * 1e6) / 1e6;
  return { hourly, onDemand: hourly, source: 'catalogue' };
}
