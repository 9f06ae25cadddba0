/*
 * Leads back to the receipt that the visitor came from. The document never contains its address,
 * which is for the owner alone.
 */
const receipt = URL.parse(document.referrer);
const back = document.querySelector<HTMLElement>('[data-back]');
if (back && receipt?.origin === location.origin && receipt.pathname.startsWith('/receipt/')) {
  back.querySelector('a')!.href = receipt.pathname;
  back.hidden = false;
}
