import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'

/** How Russians write an extension, besides «доб. 12», which the library knows. */
const extension = /[\s(,]*(?:доб(?:авочный)?|вн(?:утр(?:енний)?)?)\.?\s*(\d{1,7})\s*\)?$/i

/** Reads a text that is a number as a whole: nothing that stands beside a number is dropped. */
function numberFrom(typed: string, country: string) {
  const home: CountryCode = isSupportedCountry(country) ? country : 'RU'
  const text = typed.trim().replace(extension, ' ext. $1')
  const phone = parsePhoneNumberFromString(text, { defaultCountry: home, extract: false })
  return phone?.isPossible() ? phone : null
}

/**
 * Returns a typed mobile number as E.164, such as +79000000000; null when it can not be one, or when there is more beside
 * it. A number without a calling code belongs to `country` (ISO 3166-1 alpha-2, Russia by default).
 */
export function mobileFrom(typed: string, country = 'RU'): string | null {
  const phone = numberFrom(typed, country)
  return phone && !phone.ext ? phone.number : null
}

/** The same for any phone, whose extension is kept as RFC 3966 writes it: +74951234567;ext=12. */
export function phoneFrom(typed: string, country = 'RU'): string | null {
  const phone = numberFrom(typed, country)
  if (!phone) return null
  return phone.ext ? `${phone.number};ext=${phone.ext}` : phone.number
}

/**
 * Returns an E.164 number as readers of a locale write it: Russian numbers with hyphens in Russian, others in
 * international format. An extension stands after it.
 */
export function mobileText(mobile: string, locale: string): string {
  const phone = parsePhoneNumberFromString(mobile)
  if (!phone) return mobile
  const { ext } = phone
  if (ext) phone.setExt('')
  const text = phone.formatInternational()
  const number = locale === 'ru' && phone.country === 'RU' ? text.replace(/ (\d\d) (\d\d)$/, '-$1-$2') : text
  if (!ext) return number
  return `${number} ${locale === 'ru' ? 'доб.' : 'ext.'} ${ext}`
}
