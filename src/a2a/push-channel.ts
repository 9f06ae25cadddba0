import { type Channel, PUSH } from '../leads/deliveries/channel.ts';
import type { PushOptions } from './push-notification.ts';

/**
 * The channel to the clients that set push notifications for the task of a lead. The SDK is loaded
 * with the first of them: it would slow the start.
 */
export const pushChannel = (options: PushOptions): Channel => ({
  name: PUSH,
  // Its deliveries are written with the change itself.
  takes: () => false,
  async send(event, context, target) {
    const { pushSender } = await import('./push-notification.ts');
    return pushSender(options)(event, context, target);
  },
});
