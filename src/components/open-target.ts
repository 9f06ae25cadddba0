/* Opens the details element that is or contains the target of the URL fragment. */
function open(): void {
  for (
    let element = document
      .getElementById(decodeURIComponent(location.hash.slice(1)))
      ?.closest('details');
    element;
    element = element.parentElement?.closest('details')
  )
    element.open = true;
}

addEventListener('hashchange', open);
// A link to the current fragment does not navigate, but may lead to a closed element.
addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('a')?.hash === location.hash) open();
});
open();
