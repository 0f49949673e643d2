interface Page {
  readonly NextToken?: string | undefined;
}

/** Asks page by page until there are no more; a page may be empty though others follow. */
export async function allPages<P extends Page, T>(
  ask: (token: string | undefined) => Promise<P>,
  itemsOf: (page: P) => readonly T[] | undefined,
): Promise<readonly T[]> {
  const items: T[] = [];
  let token: string | undefined;
  do {
    const page = await ask(token);
    items.push(...(itemsOf(page) ?? []));
    token = page.NextToken === '' ? undefined : page.NextToken;
  } while (token !== undefined);
  return items;
}

/** The field of a request that asks for the page after a token. */
export function pageAfter(token: string | undefined): { readonly NextToken?: string } {
  return token === undefined ? {} : { NextToken: token };
}
