import type { Call, Operation, Outcome } from '../operation/operation.ts';
import type { Context } from '../operation/context.ts';
import { type InputFault, Problem } from '../operation/problem.ts';
import { isValidKey, KEY_RULE, withKeyLocation } from '../operation/idempotency.ts';
import { isObject } from '../site/json-object.ts';
import { allowAlso } from '../operation/unknown-names.ts';
import { throwIfAnyFaults } from '../operation/validate.ts';

/** The errors in an invalid_input problem. Rethrows anything else. */
function faultsOf(thrown: unknown): readonly InputFault[] {
  if (thrown instanceof Problem && thrown.code === 'invalid_input' && thrown.errors)
    return thrown.errors;
  throw thrown;
}

/**
 * Calls an operation with unvalidated arguments that may include `idempotencyKey`, for channels
 * without headers. The default is the key of `call`, which A2A derives from the message ID. `read`
 * converts the other arguments to the operation's input.
 * @throws {Problem} invalid_input with all errors at once, including an error in the key
 */
export async function callWithKey<Input, Output>(
  operation: Operation<Input, Output>,
  args: unknown,
  call: Call,
  context: Context,
  read = (input: unknown): unknown => input,
): Promise<Outcome<Output>> {
  const { idempotencyKey: sentKey, ...rest } = isObject(args) ? args : {};
  operation.authorize?.(rest, call, context);
  const errors: InputFault[] = [];
  if (sentKey !== undefined && !(typeof sentKey === 'string' && isValidKey(sentKey)))
    errors.push({ pointer: '/idempotencyKey', message: KEY_RULE });
  let input: Input | undefined;
  try {
    input = operation.parse(read(isObject(args) ? rest : args), context);
  } catch (thrown) {
    errors.push(...allowAlso(faultsOf(thrown), 'idempotencyKey'));
  }
  throwIfAnyFaults(errors);
  try {
    return await operation.handle(
      input!,
      { ...call, ...(typeof sentKey === 'string' && { idempotencyKey: sentKey }) },
      context,
    );
  } catch (thrown) {
    const [pointer, name] =
      sentKey === undefined ? ['/messageId', 'This messageId'] : ['/idempotencyKey', 'This key'];
    throw withKeyLocation(thrown, pointer, name);
  }
}
