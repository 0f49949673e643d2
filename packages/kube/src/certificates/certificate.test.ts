import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { durationMs } from '@karpenter/core/values';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createAuthority, createLeaf, expiryOf } from './certificate.ts';

const day = 86_400_000;
const validity = { from: Date.now(), lasts: durationMs(day) };
const authority = createAuthority('tests', validity);
const names = ['karpenter.kube-system.svc', '127.0.0.1', '::1', '2001:db8::ff00:42:8329'];
const server = createLeaf(authority, { ...validity, commonName: 'server', usage: 'server', names });

describe('certificates', () => {
  it('verify against their CA, and against no other CA of the same name', () => {
    const leaf = new X509Certificate(server.cert);
    const issuer = new X509Certificate(authority.cert);
    expect(leaf.checkIssued(issuer)).toBe(true);
    expect(leaf.verify(issuer.publicKey)).toBe(true);
    expect(issuer.ca).toBe(true);
    expect(leaf.ca).toBe(false);
    expect(leaf.verify(new X509Certificate(createAuthority('tests', validity).cert).publicKey)).toBe(false);
  });

  it('contain host names and IP addresses', () => {
    const leaf = new X509Certificate(server.cert);
    expect(leaf.checkHost('karpenter.kube-system.svc')).toBeDefined();
    expect(leaf.checkHost('other.kube-system.svc')).toBeUndefined();
    for (const address of names.slice(1)) expect(leaf.checkIP(address)).toBe(address);
  });

  it('contain the user name and groups of a client', () => {
    const client = createLeaf(authority, {
      ...validity,
      commonName: 'jürgen',
      organizations: ['system:masters', 'ops'],
      usage: 'client',
    });
    const { subject, keyUsage } = new X509Certificate(client.cert);
    expect(subject).toBe('O=system:masters\nO=ops\nCN=jürgen');
    expect(keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  });

  it.each([
    ['this century', Date.UTC(2049, 11, 30)],
    ['after 2050, which uses GeneralizedTime', Date.UTC(2061, 4, 6, 7, 8, 9)],
  ])('expire at the requested time, %s', (_when, end) => {
    const { cert } = createAuthority('tests', { from: 0, lasts: durationMs(end) });
    expect(expiryOf(cert)).toBe(end);
  });

  it('are accepted by both sides of a TLS connection', async () => {
    const client = createLeaf(authority, { ...validity, commonName: 'me', usage: 'client' });
    const listener = createServer({ ...server, ca: authority.cert, requestCert: true }, (socket) =>
      socket.end(String(socket.authorized)),
    );
    listener.listen(0, '127.0.0.1');
    onTestFinished(() => {
      listener.close();
    });
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const socket = connect({ port, host: '127.0.0.1', ca: authority.cert, ...client });
    const [answer] = await once(socket, 'data');
    expect(String(answer)).toBe('true');
    expect(socket.authorized).toBe(true);
    socket.destroy();
  });
});
