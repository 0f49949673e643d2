/**
 * Recorded prices of single types, by region: those that the factor of their family misses by more than 0.4 %,
 * and those that us-east-1 does not sell.
 */
export const regionListedPrices = `
region         | type:price
us-east-2      | hpc6a.48xlarge:2.88 hpc6id.32xlarge:5.7 hpc7a.12xlarge:7.2 hpc7a.24xlarge:7.2
us-east-2      | hpc7a.48xlarge:7.2 hpc7a.96xlarge:7.2 trn2.48xlarge:85.964
us-west-1      | c3.large:0.12 c4.large:0.124 m1.medium:0.095 m1.small:0.047 m3.medium:0.077 t2.small:0.0276
ca-central-1   | c4.xlarge:0.218 t2.small:0.0256
mx-central-1   | t3.nano:0.0055
sa-east-1      | m1.medium:0.117 m1.small:0.058 m3.medium:0.095 t2.small:0.0372 t3a.nano:0.0076
eu-central-1   | m3.medium:0.079 t2.small:0.0268
eu-north-1     | hpc6a.48xlarge:3.093 hpc6id.32xlarge:6.0352 hpc7a.12xlarge:7.7252 hpc7a.24xlarge:7.7252
eu-north-1     | hpc7a.48xlarge:7.7252 hpc7a.96xlarge:7.7252 i4i.large:0.179
eu-west-1      | c3.large:0.12 c4.large:0.113 hpc7a.12xlarge:7.7252 hpc7a.24xlarge:7.7252 hpc7a.48xlarge:7.7252
eu-west-1      | hpc7a.96xlarge:7.7252 m1.medium:0.095 m1.small:0.047 m3.medium:0.073 t2.medium:0.05
eu-west-2      | t2.medium:0.052 t2.small:0.026
eu-west-3      | hpc6id.32xlarge:6.77294 hpc7a.12xlarge:8.5553 hpc7a.24xlarge:8.5553 hpc7a.48xlarge:8.5553
eu-west-3      | hpc7a.96xlarge:8.5553 t2.small:0.0264
il-central-1   | c5d.large:0.114 t3a.nano:0.0054 t4g.micro:0.0097 t4g.nano:0.0048
me-central-1   | t3.nano:0.0063
me-south-1     | t3.nano:0.0063
ap-northeast-1 | c4.large:0.126 m1.medium:0.122 m3.medium:0.096 r3.large:0.2 t2.small:0.0304
ap-northeast-2 | m3.medium:0.091 r3.large:0.2 t2.small:0.0288 t3a.nano:0.0059
ap-northeast-3 | c4.large:0.126 t2.small:0.0304 t4g.nano:0.0054
ap-south-1     | c4.large:0.1 m5a.large:0.056 r3.large:0.19 r5a.large:0.072 t2.small:0.0248 t3a.micro:0.0062
ap-south-1     | t3a.nano:0.0031
ap-southeast-1 | c4.large:0.115 hpc6a.48xlarge:3.3205 m1.medium:0.117 m1.small:0.058 m3.medium:0.098
ap-southeast-1 | r3.large:0.2 t2.small:0.0292
ap-southeast-2 | c4.large:0.13 hpc6a.48xlarge:3.7609 m1.medium:0.117 m1.small:0.058 m3.medium:0.093 r3.large:0.2
ap-southeast-2 | t2.small:0.0292 t3a.nano:0.0059
ap-southeast-5 | hpc7a.12xlarge:9.0793 hpc7a.24xlarge:9.0793 hpc7a.48xlarge:9.0793 hpc7a.96xlarge:9.0793
ap-southeast-5 | t3.nano:0.0059 t4g.micro:0.0095 t4g.nano:0.0048
ap-southeast-7 | t3.nano:0.0059 t4g.micro:0.0095 t4g.nano:0.0048
us-gov-east-1  | c6gd.metal:2.9696 hpc6a.48xlarge:3.467 r6gd.metal:4.4288
us-gov-west-1  | c6gd.metal:2.9696 cc2.8xlarge:2.25 hpc6a.48xlarge:3.467 hpc6id.32xlarge:6.8544
us-gov-west-1  | hpc7a.12xlarge:8.6674 hpc7a.24xlarge:8.6674 hpc7a.48xlarge:8.6674 hpc7a.96xlarge:8.6674
us-gov-west-1  | hpc8a.96xlarge:9.5341 hs1.8xlarge:5.52 i3p.16xlarge:6.016 m1.medium:0.106 m3.medium:0.084
us-gov-west-1  | r3.large:0.2 r6gd.metal:4.4288 t2.small:0.0272
cn-north-1     | c4.large:1.134 c6g.metal:19.3909 m3.medium:0.868 m6g.metal:26.4863 r6g.metal:31.847
cn-north-1     | r6gd.metal:37.4613 t2.nano:0.0606 t2.small:0.212
`;

/**
 * Regions without a recorded price list, priced like another one times a factor; an estimate throughout.
 */
export const estimatedRegions = `
region         | like           | factor
ap-east-2      | ap-northeast-1 | 1
ap-southeast-6 | ap-southeast-2 | 1
cn-northwest-1 | cn-north-1     | 0.75
`;
