/*
 * Leads back to the receipt that the visitor came from. The document never contains its address,
 * which is for the owner alone.
 */
const receipt = URL.parse(document.referrer);
const backNotice = document.querySelector<HTMLElement>('[data-back]');
if (backNotice && receipt?.origin === location.origin && receipt.pathname.startsWith('/receipt/')) {
  backNotice.querySelector('a')!.href = receipt.pathname;
  backNotice.hidden = false;
}
