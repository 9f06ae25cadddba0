import type { ServerCallContext } from '@a2a-js/sdk/server';

/** A typed value of a call. The SDK passes values along in the `state` of a call, without types. */
interface CallValue<Value> {
  set: (call: ServerCallContext, value: Value) => void;
  find: (call: ServerCallContext) => Value | undefined;
  /** @throws {Error} if the call has no such value */
  get: (call: ServerCallContext) => Value;
}

/** Declares a call value with this name. */
export function createCallValue<Value>(name: string): CallValue<Value> {
  const find = ({ state }: ServerCallContext) => state.get(name) as Value | undefined;
  return {
    set: ({ state }, value) => void state.set(name, value),
    find,
    get(call) {
      const value = find(call);
      if (value === undefined) throw new Error(`The call has no ${name}.`);
      return value;
    },
  };
}
