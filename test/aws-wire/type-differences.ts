const region = 'not sold where the list of moto was taken';
const twoArchitectures = 'not found by the filter of moto on architectures, because it has two';

/** Types of the catalogue that moto does not list. */
export const onlyInCatalogue: Readonly<Record<string, string>> = {
  'c1.medium': twoArchitectures,
  'c3.large': twoArchitectures,
  'dl1.24xlarge': region,
  'g3.16xlarge': region,
  'g3.4xlarge': region,
  'g3.8xlarge': region,
  'g3s.xlarge': region,
  'g4ad.16xlarge': region,
  'g4ad.2xlarge': region,
  'g4ad.4xlarge': region,
  'g4ad.8xlarge': region,
  'g4ad.xlarge': region,
  'i3.metal': region,
  'm1.medium': twoArchitectures,
  'm1.small': twoArchitectures,
  'p2.16xlarge': region,
  'p2.8xlarge': region,
  'p2.xlarge': region,
  'p3.16xlarge': region,
  'p3.2xlarge': region,
  'p3.8xlarge': region,
  't1.micro': twoArchitectures,
  't2.medium': twoArchitectures,
  't2.micro': twoArchitectures,
  't2.nano': twoArchitectures,
  't2.small': twoArchitectures,
};

/**
 * Types whose published baseline bandwidth, which is the label, differs from the sum over the network cards
 * in the EC2 record; the published value counts. Families r9g and r9gd are not published at all.
 */
export const otherBaselines: Readonly<Record<string, string>> = {
  'published in hundredths of a gigabit': `
    c8gb.4xlarge c8gb.8xlarge c8gb.16xlarge m8gb.4xlarge m8gb.8xlarge m8gb.16xlarge
    r8gb.4xlarge r8gb.8xlarge r8gb.16xlarge c8ib.8xlarge c8ib.16xlarge c8ib.32xlarge
    m8ib.8xlarge m8ib.16xlarge m8ib.32xlarge r8ib.8xlarge r8ib.16xlarge r8ib.32xlarge
    m8idb.8xlarge m8idb.16xlarge m8idb.32xlarge r8idb.8xlarge r8idb.16xlarge r8idb.32xlarge
    i4i.12xlarge i7i.12xlarge i8g.12xlarge vt1.3xlarge`,
  'the record gives each card the bandwidth of all of them': `
    c6in.32xlarge c6in.metal m6in.32xlarge m6in.metal r6in.32xlarge r6in.metal
    m6idn.32xlarge m6idn.metal r6idn.32xlarge r6idn.metal i7ie.48xlarge i7ie.metal-48xl
    g6e.24xlarge g6e.48xlarge hpc6id.32xlarge hpc8a.96xlarge`,
  'the published figure is another one': `
    h1.8xlarge i3.8xlarge i8g.metal-48xl i8ge.48xlarge i8ge.metal-48xl
    g7.2xlarge g7.4xlarge g7.8xlarge c3.8xlarge r3.8xlarge r4.8xlarge p6-b200.48xlarge p6-b300.48xlarge trn2.3xlarge`,
};
