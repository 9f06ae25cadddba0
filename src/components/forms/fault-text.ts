import type { FormFault } from '../form-fault.ts';

/** A fault’s message for the person at the form, who sees the choices beside it and not their codes. */
export const faultText = ({ message }: FormFault['errors'][number]): string => message.replace(/Choose one of: .*/, 'Choose one of these.');
