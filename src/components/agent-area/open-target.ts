/* Opens the details element that the address points to, or that holds what it points to. */
function open(): void {
  for (
    let at = document
      .getElementById(decodeURIComponent(location.hash.slice(1)))
      ?.closest('details');
    at;
    at = at.parentElement?.closest('details')
  )
    at.open = true;
}

addEventListener('hashchange', open);
open();
