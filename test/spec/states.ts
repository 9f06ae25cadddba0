/** Allowed state changes. “new: any” means every other state. */
export const specStates: Readonly<Record<string, readonly string[]>> = {
  new: [
    'acknowledged',
    'needs_info',
    'quoted',
    'confirmed',
    'declined',
    'withdrawn',
    'expired',
    'erased',
  ],
  acknowledged: ['needs_info', 'quoted', 'confirmed', 'declined', 'withdrawn', 'expired', 'erased'],
  needs_info: ['acknowledged', 'declined', 'withdrawn', 'expired', 'erased'],
  quoted: ['accepted', 'acknowledged', 'confirmed', 'declined', 'withdrawn', 'expired', 'erased'],
  accepted: ['confirmed', 'declined', 'withdrawn', 'expired', 'erased'],
  confirmed: ['declined', 'withdrawn', 'erased'],
  declined: ['erased'],
  withdrawn: ['erased'],
  expired: ['erased'],
  erased: [],
};
