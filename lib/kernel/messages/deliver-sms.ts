import { type Hand, tryMessage } from './attempt'
import { DeliveryError } from './delivery-error'
import { noteSmsGateway } from './gateway-state'
import { sendSms } from './transports'

/** To numbers that nobody has proven yet: whoever types one that doesn't exist must not shut the gateway for others. */
const unproven = 'mobileCode'

/** Hands an SMS to the gateway and notes whether that works. */
export const handSms: Hand = async ({ id, recipient, template }, { text }) => {
  try {
    await sendSms({ id, to: recipient, text })
  } catch (error) {
    const refused = error instanceof DeliveryError && !error.away
    if (!refused || (template !== unproven && !error.permanent)) await noteSmsGateway(false)
    throw error
  }
  await noteSmsGateway(true)
}

/** Sends a queued SMS in the request that asked for it; there is no second try. Gives whether it left. */
export async function sendSmsNow(id: string, now: Date): Promise<boolean> {
  const tried = await tryMessage(id, handSms, { lastTry: true, now })
  // undefined: the job was there first
  return tried === undefined || tried.status === 'sent'
}
