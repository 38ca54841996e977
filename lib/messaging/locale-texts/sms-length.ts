import type { OwnTexts } from '@/lib/base/i18n/own-texts'
import { composeSms, maxSmsParts, smsParts } from '@/lib/base/mail-and-sms/compose-sms'
import type { Sender } from '@/lib/base/mail-and-sms/letter'
import type { SmsTemplate, SmsValues } from '@/lib/base/mail-and-sms/templates'
import type { FieldError } from '@/lib/base/runtime/errors'
import { servedDomains } from '@/lib/site/domains/service'
import { senderOf } from '../sender/service'
import { knownMessages } from './messages'
import { smsSamples } from './samples'

/**
 * Composes an SMS with sample values and these own texts, as a domain would send it in a language. Returns it with its
 * length.
 */
export async function sampleSms(template: SmsTemplate, code: string, sender: Sender, tried: OwnTexts) {
  const values = smsSamples(code === 'en' ? 'en' : 'ru')[template] as SmsValues[typeof template]
  const { text } = await composeSms(template, code, values, sender, undefined, tried)
  return { text, characters: [...text].length, parts: smsParts(text), most: maxSmsParts }
}

type Fault = Omit<FieldError, 'field'> & { at: number }

/**
 * Returns the faults of these checked texts, by their index, that make an SMS of more than two parts even with the
 * shortest names, for any domain or for this one (docs/rules/messages.md#sms).
 */
export async function smsFaults(
  code: string,
  texts: readonly { key: string; text: string }[],
  domainId?: string,
): Promise<Fault[]> {
  const faults: Fault[] = []
  const sms = [...texts.entries()].filter(([, { key, text }]) => text !== '' && key.startsWith('sms.'))
  if (sms.length === 0) return faults
  const served = await servedDomains()
  const selected = served.filter(({ id }) => domainId === undefined || id === domainId)
  // a domain that isn't served yet has no address: the base domain stands for it
  const domains = selected.length > 0 ? selected : served.slice(0, 1)
  for (const [at, { key, text }] of sms) {
    const message = knownMessages.find(({ prefix }) => prefix === key)
    if (message?.kind !== 'sms') continue
    for (const domain of domains) {
      const sender = (await senderOf(domain))(domain.locales.includes(code) ? code : (domain.locales[0] ?? code))
      const { parts } = await sampleSms(message.template, code, sender, new Map([[key, text]]))
      if (parts <= maxSmsParts) continue
      faults.push({ at, code: 'errorTextSms', params: { count: parts, most: maxSmsParts } })
      break
    }
  }
  return faults
}
