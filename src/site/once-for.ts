/**
 * Caches the result of `make` for each object as long as the object lives: records, sites and
 * databases are never replaced in place, and a changed copy is another object. The result may
 * itself be filled over time.
 */
export function onceFor<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const known = new WeakMap<Of, { made: Made }>();
  return (of) => {
    let kept = known.get(of);
    if (!kept) known.set(of, (kept = { made: make(of) }));
    return kept.made;
  };
}
