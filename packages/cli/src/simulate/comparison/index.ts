// `karpenter simulate --against`: plans manifests twice, the second time with other NodePools, and compares
// nodes, price and places. Reads no cluster and no cloud. Start reading at `compared-simulations.ts`.

export { comparedSimulations } from './compared-simulations.ts';
export { comparisonWriters } from './comparison-text.ts';
