export interface RefusalOptions {
  readonly statusCode?: number;
  readonly fault?: 'client' | 'server';
}

/** An AWS error without its call; the gateway adds service, operation and request id. */
export class Refusal extends Error {
  readonly code: string;
  readonly statusCode: number;
  readonly fault: 'client' | 'server';

  constructor(code: string, message: string, { statusCode = 400, fault = 'client' }: RefusalOptions = {}) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.statusCode = statusCode;
    this.fault = fault;
  }
}

export function invalidParameterValue(message: string): Refusal {
  return new Refusal('InvalidParameterValue', message);
}

export function missingParameter(name: string): Refusal {
  return new Refusal('MissingParameter', `The request must contain the parameter ${name}`);
}
