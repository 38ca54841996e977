import type { OwnTexts } from '../i18n/own-texts'
import { defaultTimeZone, zoneLabel } from '../text/time-zone'
import type { SmsContent } from './content'
import type { SmsTemplate, SmsValues } from './templates'
import { texts } from './texts'
import { cleanLine, shortened, unlinked } from './values'

// the GSM 03.38 alphabet, with the characters that count twice; any other character limits the whole SMS to 70
const plainAlphabet = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/
const doubleSigns = /[\^{}\\[~\]|€]/g

/**
 * Returns the number of parts of an SMS. A single part has 160 characters of the plain alphabet or 70 of any; each of
 * several parts has a few less.
 */
export function smsParts(text: string): number {
  const isPlain = plainAlphabet.test(text)
  const length = text.length + (isPlain ? (text.match(doubleSigns)?.length ?? 0) : 0)
  const [singlePart, partLength] = isPlain ? [160, 153] : [70, 67]
  return length <= singlePart ? 1 : Math.ceil(length / partLength)
}

/** The most parts of an SMS: each one costs money. */
export const maxSmsParts = 2

/**
 * Composes an SMS. One with a code ends in the line that binds the code to the domain, so that phones fill it in only
 * there. Names are shortened until the SMS fits two parts. `tried` are texts for a preview, not stored yet, by key.
 */
export async function composeSms<T extends SmsTemplate>(
  template: T,
  locale: string,
  values: SmsValues[T],
  { project, origin, domainId }: { project: string; origin: string; domainId?: string | undefined },
  timeZone = defaultTimeZone,
  tried?: OwnTexts,
): Promise<SmsContent> {
  const { translate } = await texts(locale, 'sms', timeZone, { domainId, tried })
  const write = (maxNameLength: number) => {
    const shortName = (text: string) => shortened(unlinked(cleanLine(text)), maxNameLength)
    const filled: Record<string, string | Date> = { project: shortName(project) }
    for (const [name, value] of Object.entries(values) as [string, string | Date][])
      filled[name] = typeof value === 'string' && name !== 'code' ? shortName(value) : value
    if (filled.date instanceof Date) filled.zone = zoneLabel(timeZone, filled.date, translate('common.moscow'))
    // times have a narrow space, and zones a minus sign, which aren't in the plain alphabet
    const text = translate(template, filled)
      .replace(/\p{Zs}/gu, ' ')
      .replaceAll('−', '-')
    return 'code' in values ? `${text}\n\n@${new URL(origin).hostname} #${values.code}` : text
  }
  let text = write(60)
  for (let maxNameLength = 56; maxNameLength >= 4 && smsParts(text) > maxSmsParts; maxNameLength -= 4)
    text = write(maxNameLength)
  return { text }
}
