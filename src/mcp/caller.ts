const addresses = new WeakMap<Request, string>();

/** Keeps the IP address that a request came from, for the tool that it calls: the SDK hands on the request alone. */
export const noteAddress = (request: Request, address: string): void =>
  void addresses.set(request, address);

/** The IP address that a request came from; undefined where nobody noted it. */
export const addressOf = (request: Request | undefined): string | undefined =>
  request && addresses.get(request);
