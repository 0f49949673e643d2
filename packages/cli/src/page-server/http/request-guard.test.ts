import { describe, expect, it } from 'vitest';
import { ownHosts } from './own-hosts.ts';
import { type GuardedRequest, pathOf, refuseForeign } from './request-guard.ts';

const own = ownHosts({ host: '127.0.0.1', port: 8090, allowedHosts: ['page.example.com', 'proxy.test:444'] });

function refusal(parts: Partial<GuardedRequest>, target: 'page' | 'api' = 'api'): number | undefined {
  try {
    refuseForeign({ method: 'GET', url: '/', headers: {}, hosts: ['127.0.0.1:8090'], ...parts }, own, target);
    return undefined;
  } catch (error) {
    return (error as { status: number }).status;
  }
}

const host = (...hosts: readonly string[]) => refusal({ hosts });
const origin = (value: string, hosts = ['127.0.0.1:8090']) => refusal({ hosts, headers: { origin: value } });

describe('a request to the page', () => {
  it.each([
    '127.0.0.1:8090',
    'localhost:8090',
    'LOCALHOST:8090',
    '[::1]:8090',
    'page.example.com',
    'page.example.com:8090',
    'proxy.test:444',
  ])('is answered under the host %s', (name) => expect(host(name)).toBeUndefined());

  it.each([
    ['a name that resolves here', ['evil.example:8090']],
    ['another port', ['127.0.0.1:80']],
    ['no port', ['localhost']],
    ['a name that ends alike', ['evil-localhost:8090']],
    ['a name that begins alike', ['localhost:8090.evil.example']],
    ['a trailing dot', ['localhost.:8090']],
    ['user information', ['localhost:8090@evil.example']],
    ['another port of an allowed name', ['proxy.test:445']],
    ['all interfaces', ['0.0.0.0:8090']],
    ['two hosts', ['127.0.0.1:8090', 'evil.example']],
    ['an empty host', ['']],
    ['no host', []],
  ])('is refused under %s', (_, hosts) => expect(host(...hosts)).toBe(421));

  it('is answered to scripts of its own origin only', () => {
    expect(origin('http://127.0.0.1:8090')).toBeUndefined();
    expect(origin('https://page.example.com', ['page.example.com'])).toBeUndefined();
    for (const foreign of [
      'http://evil.example',
      'null',
      'http://127.0.0.1:3000',
      'https://127.0.0.1:8090',
      'http://localhost:8090',
      'http://127.0.0.1:8090.evil.example',
      '',
    ])
      expect([foreign, origin(foreign)]).toEqual([foreign, 403]);
  });

  it.each([
    ['same-origin', undefined],
    ['none', undefined],
    ['cross-site', 403],
    ['same-site', 403],
    ['anything', 403],
  ])('caused by a site that is %s is answered with %j', (site, status) => {
    expect(refusal({ headers: { 'sec-fetch-site': site } })).toBe(status);
  });

  it('opens the page from a link on another site, but neither its data nor a frame', () => {
    const headers = {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    };
    expect(refusal({ headers }, 'page')).toBeUndefined();
    expect(refusal({ headers }, 'api')).toBe(403);
    expect(refusal({ headers: { ...headers, 'sec-fetch-dest': 'iframe' } }, 'page')).toBe(403);
    expect(refusal({ headers, method: 'POST' }, 'page')).toBe(403);
  });

  it('has to name a path', () => {
    expect(pathOf('/api/explain?kind=pod&name=a%2Fb').query.get('name')).toBe('a/b');
    expect(pathOf('//evil.example/').path).toBe('//evil.example/');
    for (const url of ['http://evil.example/', '*', '', 'evil.example:443'])
      expect(() => pathOf(url)).toThrow('the request does not name a path');
  });
});

describe('the hosts of a page', () => {
  it('include the address it listens on, in brackets if it is IPv6', () => {
    expect([...ownHosts({ host: 'fd00::1', port: 1, allowedHosts: [] }).keys()]).toContain('[fd00::1]:1');
    expect([...ownHosts({ host: '0.0.0.0', port: 1, allowedHosts: [] }).keys()]).toEqual([
      'localhost:1',
      '127.0.0.1:1',
      '[::1]:1',
    ]);
  });

  it('need no port where it is that of HTTP', () => {
    expect([...ownHosts({ host: '127.0.0.1', port: 80, allowedHosts: [] }).keys()]).toContain('localhost');
  });
});
