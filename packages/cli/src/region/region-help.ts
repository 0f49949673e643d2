import { defaultRegion } from './known-zones.ts';

/** The help of every flag `--region` that does not default to AWS_REGION. */
export const regionHelp = `where nodes are (default: where subnets of EC2NodeClasses or zones of NodePools are, else ${defaultRegion})`;
