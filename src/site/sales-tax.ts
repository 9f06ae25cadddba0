/** An action whose effect may add sales tax to its prices. */
interface TaxedAction {
  effect?: { kind: string; salesTaxPercent?: number | undefined } | undefined;
}

/** The sales tax that is added to the prices of an action, in percent; undefined if none is. */
export const salesTaxPercentOf = (action: TaxedAction | undefined): number | undefined =>
  action?.effect?.salesTaxPercent;

export const addSalesTax = (amount: number, percent: number): number =>
  amount + Math.round(amount * percent) / 100;
