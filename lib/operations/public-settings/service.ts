import { mainProfileFields } from '@/lib/fields/profile-fields/service'
import { platformSettings } from '@/lib/site/settings/service'

/** Returns the settings that are public. */
export async function getPublicSettings() {
  const [settings, fields] = await Promise.all([platformSettings(), mainProfileFields()])
  return {
    password: {
      min: settings.passwordMin,
      max: settings.passwordMax,
      symbols: settings.passwordSymbols,
      uppercase: settings.passwordUppercase,
      lowercase: settings.passwordLowercase,
      numbers: settings.passwordNumbers,
      generate: settings.passwordGenerate,
      custom: settings.passwordCustomRules,
    },
    // fields that people can't see aren't public
    fields: fields
      .filter(({ profile }) => profile.visible)
      .map(({ code, title, titleEn, fieldType, profile: { visible, required } }) => ({
        code,
        title,
        titleEn,
        fieldType,
        visible,
        required,
      })),
    codeDigits: settings.authCodeDigits,
    registrationEnabled: settings.registrationEnabled,
    identification: {
      login: settings.identificationLogin,
      email: settings.identificationEmail,
      mobile: settings.identificationMobile,
    },
  }
}
