import type { SmsContent } from './content'
import type { SmsTemplate, SmsValues } from './templates'
import { texts } from './texts'
import { oneLine, shortened, unlinked } from './values'

// GSM 03.38, with what counts twice; anything else makes the whole SMS one of 70 characters
const plain = /^[@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà^{}\\[~\]|€]*$/
const twice = /[\^{}\\[~\]|€]/g

/** In how many parts an SMS goes out: 160 characters of the plain alphabet or 70 of any, a few less when there are more. */
export function smsParts(text: string): number {
  const isPlain = plain.test(text)
  const length = text.length + (isPlain ? (text.match(twice)?.length ?? 0) : 0)
  const [one, each] = isPlain ? [160, 153] : [70, 67]
  return length <= one ? 1 : Math.ceil(length / each)
}

/** More than this is paid for and read by nobody. */
const mostParts = 2

/**
 * Puts an SMS into words. One with a code ends in the line that binds it to the domain, so that phones fill it in
 * only there. Names are shortened until it fits two parts.
 */
export async function composeSms<T extends SmsTemplate>(
  template: T,
  locale: string,
  values: SmsValues[T],
  { project, origin }: { project: string; origin: string },
): Promise<SmsContent> {
  const { say } = await texts(locale, 'sms')
  const write = (longest: number) => {
    const short = (text: string) => shortened(unlinked(oneLine(text)), longest)
    const filled: Record<string, string | Date> = { project: short(project) }
    for (const [name, value] of Object.entries(values) as [string, string | Date][])
      filled[name] = typeof value === 'string' && name !== 'code' ? short(value) : value
    const said = say(template, filled)
    return 'code' in values ? `${said}\n\n@${new URL(origin).hostname} #${values.code}` : said
  }
  let text = write(60)
  for (let longest = 56; longest >= 4 && smsParts(text) > mostParts; longest -= 4) text = write(longest)
  return { text }
}
