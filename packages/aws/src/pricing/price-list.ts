/** Hourly prices by instance type, or by zone. */
export type Prices = ReadonlyMap<string, number>;

/** The fields of a Pricing product that are read. */
interface Product {
  readonly product?: { readonly attributes?: { readonly instanceType?: unknown } };
  readonly terms?: { readonly OnDemand?: Readonly<Record<string, Term>> };
}

interface Term {
  readonly priceDimensions?: Readonly<Record<string, Dimension>>;
}

interface Dimension {
  readonly pricePerUnit?: Readonly<Record<string, unknown>>;
}

/**
 * Returns instance type and on-demand price of a product, which the service returns as JSON text. Skips
 * prices of zero, which belong to reservations and licences, and products that cannot be parsed.
 */
export function priceOfProduct(text: string, currency: string): readonly [string, number] | undefined {
  const product = parse(text);
  const name = product?.product?.attributes?.instanceType;
  const [price] = pricesOf(product, currency).filter((each) => each > 0);
  return typeof name === 'string' && price !== undefined ? [name, price] : undefined;
}

function pricesOf(product: Product | undefined, currency: string): readonly number[] {
  const terms = Object.values(product?.terms?.OnDemand ?? {});
  const dimensions = terms.flatMap(({ priceDimensions = {} }) => Object.values(priceDimensions));
  return dimensions.flatMap(({ pricePerUnit = {} }) => {
    const price = Number(pricePerUnit[currency] ?? Number.NaN);
    return Number.isFinite(price) ? [price] : [];
  });
}

function parse(text: string): Product | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Product {
  return typeof value === 'object' && value !== null;
}
