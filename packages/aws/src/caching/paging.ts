interface Page {
  readonly NextToken?: string | undefined;
}

/** Reads all pages of a list. An empty page may be followed by others. Rejects with the first failed page. */
export async function allPages<P extends Page, T>(
  fetchPage: (token: string | undefined) => Promise<P>,
  itemsOf: (page: P) => readonly T[] | undefined,
): Promise<readonly T[]> {
  const items: T[] = [];
  let token: string | undefined;
  do {
    const page = await fetchPage(token);
    items.push(...(itemsOf(page) ?? []));
    token = page.NextToken === '' ? undefined : page.NextToken;
  } while (token !== undefined);
  return items;
}

/** Request field for the page after a token; nothing for the first page. */
export function pageAfter(token: string | undefined): { readonly NextToken?: string } {
  return token === undefined ? {} : { NextToken: token };
}
