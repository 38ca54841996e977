import { type Deliver, tryMessage } from './attempt'
import { noteSmsGateway } from './gateway-state'
import { SendError } from './send-error'
import { sendOverGateway } from './transports'

/**
 * The template for numbers that nobody has proven yet: a number that does not exist must not mark the gateway as down
 * for others.
 */
const unproven = 'mobileCode'

/** Sends an SMS by the gateway and stores whether that works. */
export const sendQueuedSms: Deliver = async ({ id, recipient, template }, { text }) => {
  try {
    await sendOverGateway({ id, to: recipient, text })
  } catch (error) {
    const refused = error instanceof SendError && !error.away
    if (!refused || (template !== unproven && !error.permanent)) await noteSmsGateway(false)
    throw error
  }
  await noteSmsGateway(true)
}

/** Sends a queued SMS in the request that asked for it, without a second try. Returns whether it was sent. */
export async function sendSmsNow(id: string, now: Date): Promise<boolean> {
  const tried = await tryMessage(id, sendQueuedSms, { lastTry: true, now })
  // undefined: the job has already sent it
  return tried === undefined || tried.status === 'sent'
}
