import type { ServerCallContext } from '@a2a-js/sdk/server';

/** A typed value of a call. The SDK passes a call on with its `state`, whose values have no types. */
interface CallValue<Value> {
  set: (call: ServerCallContext, value: Value) => void;
  find: (call: ServerCallContext) => Value | undefined;
  /** @throws {Error} if the call has none */
  of: (call: ServerCallContext) => Value;
}

/** Declares a value that calls carry under this name. */
export function callValue<Value>(name: string): CallValue<Value> {
  const find = ({ state }: ServerCallContext) => state.get(name) as Value | undefined;
  return {
    set: ({ state }, value) => void state.set(name, value),
    find,
    of(call) {
      const value = find(call);
      if (value === undefined) throw new Error(`The call has no ${name}.`);
      return value;
    },
  };
}
