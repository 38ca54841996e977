import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js'

/**
 * A mobile as E.164, such as +79000000000, from what somebody typed; without a calling code it is of `country`
 * (ISO 3166-1 alpha-2, Russia unless told). Null when it can't be one.
 */
export function mobileFrom(typed: string, country = 'RU'): string | null {
  const home: CountryCode = isSupportedCountry(country) ? country : 'RU'
  const phone = parsePhoneNumberFromString(typed.trim(), home)
  return phone?.isPossible() ? phone.number : null
}

/** An E.164 number as the readers of a locale write it: Russian numbers with hyphens in Russian, else by the country's habit. */
export function mobileText(mobile: string, locale: string): string {
  const phone = parsePhoneNumberFromString(mobile)
  if (!phone) return mobile
  const text = phone.formatInternational()
  return locale === 'ru' && phone.country === 'RU' ? text.replace(/ (\d\d) (\d\d)$/, '-$1-$2') : text
}
