import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'

/** Russian notations of an extension in addition to «доб. 12», which the library knows. */
const extension = /[\s(,]*(?:доб(?:авочный)?|вн(?:утр(?:енний)?)?)\.?\s*(\d{1,7})\s*\)?$/i

/** Returns the phone number if the whole text is one, null otherwise: nothing around a number is ignored. */
function numberFrom(typed: string, country: string) {
  const homeCountry: CountryCode = isSupportedCountry(country) ? country : 'RU'
  const text = typed.trim().replace(extension, ' ext. $1')
  const phone = parsePhoneNumberFromString(text, { defaultCountry: homeCountry, extract: false })
  return phone?.isPossible() ? phone : null
}

/**
 * Returns a typed mobile number as E.164, such as +79000000000; null if it can't be one, or has an extension or other
 * text. A number without a calling code belongs to `country` (ISO 3166-1 alpha-2, Russia by default).
 */
export function mobileFrom(typed: string, country = 'RU'): string | null {
  const phone = numberFrom(typed, country)
  return phone && !phone.ext ? phone.number : null
}

/** The same for any phone. Its extension stays, in the form of RFC 3966: +74951234567;ext=12. */
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
