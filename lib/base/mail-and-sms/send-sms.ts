import { type SendMessage, tryMessage } from './attempt'
import { storeSmsGatewayState } from './gateway-state'
import { SendError } from './send-error'
import { sendOverGateway } from './transports'

/**
 * The template for numbers that nobody has proven yet: a number that does not exist must not pause the gateway for
 * others.
 */
const unprovenTemplate = 'mobileCode'

/** Sends an SMS by the gateway and stores whether the gateway works. */
export const sendQueuedSms: SendMessage = async ({ id, recipient, template }, { text }) => {
  try {
    await sendOverGateway({ id, to: recipient, text })
  } catch (error) {
    const isRefusal = error instanceof SendError && !error.away
    if (!isRefusal || (template !== unprovenTemplate && !error.permanent)) await storeSmsGatewayState(false)
    throw error
  }
  await storeSmsGatewayState(true)
}

/** Sends a queued SMS in the request that caused it, without a second try. Returns whether it was sent. */
export async function sendSmsNow(id: string, now: Date): Promise<boolean> {
  const result = await tryMessage(id, sendQueuedSms, { lastTry: true, now })
  // undefined: the job has already sent it
  return result === undefined || result.status === 'sent'
}
