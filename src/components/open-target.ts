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
open();
