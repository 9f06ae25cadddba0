/* Opens the details element that is or contains the target of the URL fragment. */
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
