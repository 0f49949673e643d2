/**
 * Dollars a month in us-east-1 for a GiB of each EBS volume type, and for what `gp3` has beyond the IOPS and
 * MiB/s that come with it, and for provisioned IOPS of `io1` and `io2`.
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

/** Dollars for an hour of a public IPv4 address. */
export const publicAddressPrice = 0.005;
