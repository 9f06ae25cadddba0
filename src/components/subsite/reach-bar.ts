/* Hides the bar while a form, a game or one of the buttons that it repeats is visible. */
for (const bar of document.querySelectorAll<HTMLElement>('.reach-bar')) {
  const visibleElements = new Set<Element>();
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      if (isIntersecting) visibleElements.add(target);
      else visibleElements.delete(target);
    bar.classList.toggle('is-away', visibleElements.size > 0);
  });
  for (const element of document.querySelectorAll(
    'main :is(.calls, .panel > .button, form, .puzzle)',
  ))
    observer.observe(element);
  // A link to something already visible is useless. A heading represents its section.
  const link = bar.querySelector<HTMLAnchorElement>('a[href*="#"]');
  const target =
    link?.pathname === location.pathname && document.querySelector(link.hash)?.closest('section');
  if (link && target)
    new IntersectionObserver((entries) => {
      link.hidden = entries.at(-1)!.isIntersecting;
    }).observe(target);
}
