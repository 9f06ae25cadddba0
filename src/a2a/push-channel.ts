import { type Channel, PUSH_CHANNEL } from '../leads/deliveries/channel.ts';
import type { PushOptions } from './push-notification.ts';

/**
 * The delivery channel for push notifications of lead tasks. The SDK is loaded on first use because
 * it would slow down startup.
 */
export const createPushChannel = (options: PushOptions): Channel => ({
  name: PUSH_CHANNEL,
  // The transaction of each lead change also writes this channel's deliveries.
  accepts: () => false,
  async send(event, context, target) {
    const { createPushSender } = await import('./push-notification.ts');
    return createPushSender(options)(event, context, target);
  },
});
