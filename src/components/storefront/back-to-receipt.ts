/*
 * Links back to the receipt that the visitor came from. The document never contains the receipt’s
 * URL, which is private to the owner.
 */
const receipt = URL.parse(document.referrer);
const backNotice = document.querySelector<HTMLElement>('[data-back]');
if (backNotice && receipt?.origin === location.origin && receipt.pathname.startsWith('/receipt/')) {
  backNotice.querySelector('a')!.href = receipt.pathname;
  backNotice.hidden = false;
}
