import { nameAmong } from '@/lib/base/i18n/local-name'
import { platformSettings } from '@/lib/site/settings/service'
import type { PasswordRules } from './rules'

/** Returns the password rules of the settings, with the titles of custom rules in a language. */
export async function passwordRules(locale: string): Promise<PasswordRules> {
  const settings = await platformSettings()
  return {
    min: settings.passwordMin,
    max: settings.passwordMax,
    symbols: settings.passwordSymbols,
    uppercase: settings.passwordUppercase,
    lowercase: settings.passwordLowercase,
    numbers: settings.passwordNumbers,
    generate: settings.passwordGenerate,
    custom: settings.passwordCustomRules.map(({ pattern, title }) => ({
      pattern,
      title: nameAmong(title, locale, pattern),
    })),
  }
}
