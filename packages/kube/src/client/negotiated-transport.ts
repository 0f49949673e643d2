import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import type { Clock, WriteFence } from '../runtime/index.ts';
import type { ClusterConfig } from './cluster-config.ts';
import { GuardedSocket } from './guarded-socket.ts';
import { Http1Transport } from './http1-transport.ts';
import { Http2SessionPool } from './http2-session-pool.ts';
import { Http2Transport } from './http2-transport.ts';
import type { HttpRequest, HttpResponse, Transport } from './transport.ts';

/**
 * Chooses HTTP/2 or HTTP/1.1 by ALPN on the first connection and
 * keeps that choice. Plain HTTP and proxies always use HTTP/1.1.
 */
export class NegotiatedTransport implements Transport {
  readonly #config: ClusterConfig;
  readonly #server: URL;
  readonly #clock: Clock;
  readonly #fence: WriteFence | undefined;
  #chosen: Promise<Transport> | undefined;

  /** @param fence checked before any data leaves on a connection that carries writes */
  constructor(config: ClusterConfig, clock: Clock, fence?: WriteFence) {
    this.#config = config;
    this.#fence = fence;
    this.#server = new URL(config.server);
    this.#clock = clock;
  }

  async send(request: HttpRequest): Promise<HttpResponse> {
    this.#chosen ??= this.#choose();
    let transport: Transport;
    try {
      transport = await this.#chosen;
    } catch (error) {
      // Forget the failed attempt, so that the next request connects again.
      this.#chosen = undefined;
      throw error;
    }
    return transport.send(request);
  }

  async close(): Promise<void> {
    const chosen = await this.#chosen?.catch(() => undefined);
    await chosen?.close();
  }

  async #choose(): Promise<Transport> {
    if (this.#server.protocol !== 'https:' || this.#config.agent !== undefined) return this.#http1();
    const socket = await this.#dial();
    if (socket.alpnProtocol !== 'h2') {
      socket.destroy();
      return this.#http1();
    }
    const reads = this.#pool(() => this.#dial());
    reads.adopt(socket);
    const watches = this.#pool(() => this.#dial());
    return new Http2Transport({ reads, watches, writes: this.#pool(() => this.#dialGuarded()) });
  }

  #pool(dial: () => Promise<Duplex>): Http2SessionPool {
    return new Http2SessionPool(this.#server, dial, this.#clock);
  }

  async #dialGuarded(): Promise<Duplex> {
    const socket = await this.#dial();
    return new GuardedSocket(socket, () => this.#fence?.check());
  }

  async #http1(): Promise<Transport> {
    return new Http1Transport(this.#server, await this.#tlsOptions(), this.#config.agent);
  }

  async #dial(): Promise<TLSSocket> {
    const options = await this.#tlsOptions();
    return new Promise((resolve, reject) => {
      const socket = connectTls({
        ...options,
        // URL keeps the brackets of an IPv6 address, which connect does not accept.
        host: this.#server.hostname.replace(/^\[|\]$/g, ''),
        port: Number(this.#server.port || 443),
        ALPNProtocols: ['h2', 'http/1.1'],
      });
      socket.setKeepAlive(true, 30_000);
      socket.once('error', reject);
      socket.once('secureConnect', () => {
        socket.off('error', reject);
        resolve(socket);
      });
    });
  }

  async #tlsOptions(): Promise<ConnectionOptions> {
    const { ca, insecure, tlsServerName, credentials } = this.#config;
    const certificate = (await credentials?.current())?.certificate;
    const host = this.#server.hostname;
    // SNI takes host names only; RFC 6066 forbids IP addresses in it.
    const servername = tlsServerName ?? (isIP(host) === 0 && !host.startsWith('[') ? host : undefined);
    return {
      ...(ca === undefined ? {} : { ca }),
      ...(insecure === true ? { rejectUnauthorized: false } : {}),
      ...(servername === undefined ? {} : { servername }),
      ...certificate,
    };
  }
}
