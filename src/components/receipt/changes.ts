import type { ReceiptView } from '../../http/views.ts';
import type { customerForm } from '../../text/index.ts';

/** What a person may want to change with a message: booked or held days, or what they wrote. */
export const changesOf = ({
  state,
  days,
}: Pick<ReceiptView, 'state' | 'days'>): keyof typeof customerForm.change =>
  state.held || days ? 'days' : 'text';
