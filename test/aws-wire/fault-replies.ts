import type { Fault, WireReply } from './fault-proxy.ts';

const xml = { 'content-type': 'text/xml', 'x-amzn-requestid': 'request-1' };

/** An error as EC2 writes it. */
export function ec2Refusal(status: number, code: string, message: string): WireReply {
  const error = `<Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  const body = `<Response><Errors>${error}</Errors><RequestID>request-1</RequestID></Response>`;
  return { status, headers: xml, body };
}

/** Replies to one operation with each of these in turn, and then no longer applies. */
export function replies(operation: string, ...list: readonly WireReply[]): Fault {
  const left = [...list];
  return async (request) => (request.operation === operation ? left.shift() : undefined);
}

/** Drops the connection of so many requests. */
export function drops(operation: string, times: number): Fault {
  let left = times;
  return async (request, _ask, exchange) => {
    if (request.operation !== operation || left === 0) return undefined;
    left -= 1;
    exchange.drop();
    return 'silence';
  };
}

/** Never replies. */
export function silenceOn(operation: string): Fault {
  return async (request) => (request.operation === operation ? 'silence' : undefined);
}

/** Changes the body of the server's reply. */
export function alters(operation: string, change: (body: string) => string): Fault {
  return async (request, ask) => {
    if (request.operation !== operation) return undefined;
    const reply = await ask();
    return { ...reply, body: change(reply.body) };
  };
}

/** Adds an error of one capacity pool to the reply of a fleet. */
export function withFleetError(
  body: string,
  error: { readonly type: string; readonly code: string },
): string {
  const overrides = `<launchTemplateAndOverrides><overrides><instanceType>${error.type}</instanceType><availabilityZone>us-west-2a</availabilityZone></overrides></launchTemplateAndOverrides>`;
  const item = `<item>${overrides}<lifecycle>on-demand</lifecycle><errorCode>${error.code}</errorCode><errorMessage>no capacity</errorMessage></item>`;
  const end = '</CreateFleetResponse>';
  return body
    .replace(/<errorSet\s*\/>|<errorSet>.*<\/errorSet>/s, '')
    .replace(end, `<errorSet>${item}</errorSet>${end}`);
}
