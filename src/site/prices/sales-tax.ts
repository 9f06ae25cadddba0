export const addSalesTax = (amount: number, percent: number): number =>
  amount + Math.round(amount * percent) / 100;

/**
 * Computes the sales tax on an amount and the total with tax, as decimal numbers such as 11.90;
 * empty if no tax is added.
 */
export function computeTax(
  amount: string,
  percent: number | undefined,
): { tax?: string; total?: string } {
  if (percent === undefined) return {};
  const total = addSalesTax(Number(amount), percent);
  return { tax: (total - Number(amount)).toFixed(2), total: total.toFixed(2) };
}
