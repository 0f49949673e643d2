/**
 * Dollars a month in us-east-1 for a GiB of each EBS volume type, and for what `gp3` has beyond the IOPS and
 * MiB/s that come with it, and for provisioned IOPS of `io1` and `io2`. Other regions are in the table below.
 */
export const volumePrices = `
volume type | GiB   | IOPS  | free IOPS | MiB/s | free MiB/s
gp3         | 0.08  | 0.005 | 3000      | 0.04  | 125
gp2         | 0.1   | 0     | 0         | 0     | 0
io1         | 0.125 | 0.065 | 0         | 0     | 0
io2         | 0.125 | 0.065 | 0         | 0     | 0
st1         | 0.045 | 0     | 0         | 0     | 0
sc1         | 0.015 | 0     | 0         | 0     | 0
standard    | 0.05  | 0     | 0         | 0     | 0
`;

/**
 * Dollars a month for a GiB, and for one of the provisioned IOPS, in other regions, as published in July 2021. `io2`
 * costs what `io1` costs.
 */
export const regionVolumePrices = `
region         | gp3    | gp2    | io1     | st1    | sc1      | gp3 IOPS | io1 IOPS
us-east-2      | 0.08   | 0.1    | 0.125   | 0.045  | 0.015    | 0.005    | 0.065
us-west-1      | 0.096  | 0.12   | 0.138   | 0.054  | 0.018    | 0.006    | 0.072
us-west-2      | 0.08   | 0.1    | 0.125   | 0.045  | 0.015    | 0.005    | 0.065
ca-central-1   | 0.088  | 0.11   | 0.138   | 0.05   | 0.0168   | 0.0055   | 0.072
sa-east-1      | 0.152  | 0.19   | 0.238   | 0.086  | 0.0288   | 0.0095   | 0.091
eu-central-1   | 0.0952 | 0.119  | 0.149   | 0.054  | 0.018    | 0.006    | 0.078
eu-north-1     | 0.0836 | 0.1045 | 0.1311  | 0.0475 | 0.01596  | 0.0052   | 0.0684
eu-south-1     | 0.0924 | 0.1155 | 0.1449  | 0.0525 | 0.01764  | 0.0058   | 0.0756
eu-west-1      | 0.088  | 0.11   | 0.138   | 0.05   | 0.0168   | 0.0055   | 0.072
eu-west-2      | 0.0928 | 0.116  | 0.145   | 0.053  | 0.0174   | 0.0058   | 0.076
eu-west-3      | 0.0928 | 0.116  | 0.145   | 0.053  | 0.0174   | 0.0058   | 0.076
me-south-1     | 0.0968 | 0.121  | 0.1518  | 0.055  | 0.01848  | 0.0061   | 0.0792
af-south-1     | 0.1047 | 0.1309 | 0.16422 | 0.0595 | 0.019992 | 0.0065   | 0.08568
ap-east-1      | 0.1056 | 0.132  | 0.1518  | 0.0594 | 0.0198   | 0.0066   | 0.0792
ap-northeast-1 | 0.096  | 0.12   | 0.142   | 0.054  | 0.018    | 0.006    | 0.074
ap-northeast-2 | 0.0912 | 0.114  | 0.1278  | 0.051  | 0.0174   | 0.0057   | 0.0666
ap-northeast-3 | 0.096  | 0.12   | 0.142   | 0.054  | 0.018    | 0.006    | 0.074
ap-south-1     | 0.0912 | 0.114  | 0.131   | 0.051  | 0.0174   | 0.0057   | 0.068
ap-southeast-1 | 0.096  | 0.12   | 0.138   | 0.054  | 0.018    | 0.006    | 0.072
ap-southeast-2 | 0.096  | 0.12   | 0.138   | 0.054  | 0.018    | 0.006    | 0.072
`;

/** Regions that the table above lacks, priced like another one times a factor: estimates. China is in yuan. */
export const estimatedVolumeRegions = `
region         | like           | factor
ca-west-1      | ca-central-1   | 1
mx-central-1   | us-east-1      | 1.05
eu-central-2   | eu-central-1   | 1.1
eu-south-2     | eu-west-1      | 1
il-central-1   | eu-central-1   | 1
me-central-1   | me-south-1     | 1
ap-east-2      | ap-northeast-1 | 1
ap-south-2     | ap-south-1     | 1
ap-southeast-3 | ap-southeast-1 | 1
ap-southeast-4 | ap-southeast-2 | 1
ap-southeast-5 | ap-southeast-1 | 0.9
ap-southeast-6 | ap-southeast-2 | 1
ap-southeast-7 | ap-southeast-1 | 0.9
us-gov-east-1  | us-west-1      | 1
us-gov-west-1  | us-west-1      | 1
cn-north-1     | us-east-1      | 7.2
cn-northwest-1 | us-east-1      | 5.4
`;

/** Dollars for an hour of a public IPv4 address, which costs the same in every region. */
export const publicAddressPrice = 0.005;
