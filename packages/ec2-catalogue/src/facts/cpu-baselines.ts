/**
 * The part of each vCPU that a burstable type may use on average at its price, in percent by size, as the EC2
 * user guide lists it. `t` stands for all generations that are not listed, and `larger` for larger sizes.
 */
export const cpuBaselines = `
family | by size
t2     | nano:5 micro:10 small:20 medium:20 large:30 xlarge:22.5 2xlarge:17 larger:17
t      | nano:5 micro:10 small:20 medium:20 large:30 xlarge:40 2xlarge:40 larger:40
`;

/** Dollars for an hour of a vCPU beyond the baseline in unlimited mode; the same in all regions. */
export const surplusCpuPrices = { arm64: 0.04, amd64: 0.05, windows: 0.096 } as const;
