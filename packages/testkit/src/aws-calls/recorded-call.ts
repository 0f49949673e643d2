/** A call with a canned answer that records its inputs. */
export interface RecordedCall<Input, Output> {
  (input: Input): Promise<Output>;
  readonly inputs: readonly Input[];
}

export function recordedCall<Input, Output>(
  answer: (input: Input, count: number) => Output,
): RecordedCall<Input, Output> {
  const inputs: Input[] = [];
  const call = async (input: Input) => answer(input, inputs.push(input));
  return Object.assign(call, { inputs });
}
