import { describe, expect, it } from 'vitest';
import { requestUrl } from './request-url.ts';

describe('the URL of a request', () => {
  it.each([
    ['/a?b=c', '/a', 'c'],
    ['http://host:1/a?b=c', '/a', 'c'],
    ['//', '//', null],
    ['//host/a', '//host/a', null],
    ['/\\', '//', null],
    ['/%?b=%', '/%', '%'],
    ['*', '/', null],
    ['http://[', '/', null],
    ['', '/', null],
    [undefined, '/', null],
  ])('of %j has the path %s', (url, pathname, b) => {
    const { pathname: path, searchParams } = requestUrl({ url });
    expect([path, searchParams.get('b')]).toEqual([pathname, b]);
  });
});
