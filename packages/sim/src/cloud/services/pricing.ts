import type { Pricing } from '@karpenter/aws/ports';
import { currencyOf, instanceType, instanceTypes, onDemandPrice } from '@karpenter/ec2-catalogue';
import { hashText } from '../../objects/chance.ts';
import type { Gateway } from '../calls/gateway.ts';
import { Refusal } from '../calls/refusal.ts';
import { pageOf } from '../ec2/paging.ts';
import type { CloudWorld } from '../world/world.ts';

interface Product {
  readonly sku: string;
  readonly productFamily: string;
  readonly price: number;
  readonly attributes: Readonly<Record<string, string>>;
}

type Input = Parameters<Pricing['getProducts']>[0];
type Filters = NonNullable<Input['Filters']>;
type Output = Awaited<ReturnType<Pricing['getProducts']>>;

/** The Price List API with the on-demand prices of the region in the catalogue, in the JSON that AWS returns. */
export function pricingService(gateway: Gateway, world: CloudWorld): Pricing {
  // Built at the first call, because the list covers every instance type.
  let products: readonly Product[] | undefined;
  let latest: { readonly key: string; readonly found: readonly Product[] } | undefined;
  const foundBy = (filters: Filters): readonly Product[] => {
    const key = JSON.stringify(filters);
    products ??= productsOf(world.region);
    if (latest?.key !== key) latest = { key, found: matchingProducts(products, filters) };
    return latest.found;
  };
  return {
    getProducts: gateway.operation(
      { service: 'Pricing', operation: 'GetProducts', family: 'pricing', action: 'pricing:GetProducts' },
      (input: Input): Output => productPage(input, foundBy, currencyOf(world.region)),
    ),
  };
}

function productPage(
  input: Input,
  foundBy: (filters: Filters) => readonly Product[],
  currency: string,
): Output {
  if (input.ServiceCode !== 'AmazonEC2') {
    throw new Refusal('NotFoundException', `The service code ${input.ServiceCode} is not known.`);
  }
  const { items, NextToken } = pageOf(foundBy(input.Filters ?? []), ({ sku }) => sku, input, {
    min: 1,
    max: 100,
  });
  return {
    FormatVersion: 'aws_v1',
    PriceList: items.map((product) => JSON.stringify(listed(product, currency))),
    ...(NextToken !== undefined && { NextToken }),
  };
}

/** Sorted by SKU, because `pageOf` sorts for each page, which is fast on a sorted list. */
function matchingProducts(products: readonly Product[], filters: Filters): readonly Product[] {
  return products
    .filter((product) => filters.every(({ Field = '', Value }) => attributeOf(product, Field) === Value))
    .toSorted((a, b) => (a.sku < b.sku ? -1 : 1));
}

function attributeOf({ attributes, productFamily, sku }: Product, field: string): string | undefined {
  if (field === 'productFamily') return productFamily;
  if (field === 'sku') return sku;
  return field === 'serviceCode' || field === 'ServiceCode' ? 'AmazonEC2' : attributes[field];
}

function productsOf(region: string): readonly Product[] {
  return instanceTypes().flatMap(({ InstanceType }) => {
    const price = onDemandPrice(InstanceType, region);
    if (price === undefined) return [];
    return ['Shared', 'Dedicated'].map((tenancy) =>
      productOf({ type: InstanceType, region, tenancy, price }),
    );
  });
}

interface ListedType {
  readonly type: string;
  readonly region: string;
  readonly tenancy: string;
  readonly price: number;
}

function productOf({ type, region, tenancy, price }: ListedType): Product {
  const info = instanceType(type);
  return {
    sku:
      hashText(`${type} ${region} ${tenancy}`).toString(36).toUpperCase().padStart(8, '0') +
      type.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''),
    productFamily: info?.BareMetal === true ? 'Compute Instance (bare metal)' : 'Compute Instance',
    price,
    attributes: {
      servicecode: 'AmazonEC2',
      servicename: 'Amazon Elastic Compute Cloud',
      instanceType: type,
      regionCode: region,
      locationType: 'AWS Region',
      operatingSystem: 'Linux',
      preInstalledSw: 'NA',
      capacitystatus: 'Used',
      marketoption: 'OnDemand',
      tenancy,
      vcpu: String(info?.VCpuInfo.DefaultVCpus ?? 0),
    },
  };
}

function listed({ sku, productFamily, attributes, price }: Product, currency: string): object {
  const offer = `${sku}.JRTCKXETXF`;
  return {
    product: { sku, productFamily, attributes },
    serviceCode: 'AmazonEC2',
    terms: {
      OnDemand: {
        [offer]: {
          sku,
          offerTermCode: 'JRTCKXETXF',
          termAttributes: {},
          priceDimensions: {
            [`${offer}.6YS6EN2CT7`]: {
              unit: 'Hrs',
              rateCode: `${offer}.6YS6EN2CT7`,
              appliesTo: [],
              pricePerUnit: { [currency]: price.toFixed(10) },
            },
          },
        },
      },
    },
    version: '20260101000000',
  };
}
