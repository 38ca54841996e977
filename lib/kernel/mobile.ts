import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'

/**
 * Returns a typed mobile number as E.164, such as +79000000000; null when it can not be one. A number without a calling
 * code belongs to `country` (ISO 3166-1 alpha-2, Russia by default).
 */
export function mobileFrom(typed: string, country = 'RU'): string | null {
  const home: CountryCode = isSupportedCountry(country) ? country : 'RU'
  const phone = parsePhoneNumberFromString(typed.trim(), home)
  return phone?.isPossible() ? phone.number : null
}

/**
 * Returns an E.164 number as readers of a locale write it: Russian numbers with hyphens in Russian, others in
 * international format.
 */
export function mobileText(mobile: string, locale: string): string {
  const phone = parsePhoneNumberFromString(mobile)
  if (!phone) return mobile
  const text = phone.formatInternational()
  return locale === 'ru' && phone.country === 'RU' ? text.replace(/ (\d\d) (\d\d)$/, '-$1-$2') : text
}
