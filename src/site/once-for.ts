/**
 * `make`, whose answer is kept for each object as long as the object lives: records, sites and
 * databases do not change into others, and a copy with something else in it is another object. What
 * is made may itself be filled over time.
 */
export function onceFor<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const known = new WeakMap<Of, { made: Made }>();
  return (of) => {
    let kept = known.get(of);
    if (!kept) known.set(of, (kept = { made: make(of) }));
    return kept.made;
  };
}
