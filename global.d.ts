import type { TextLocale } from '@/lib/base/i18n/choose-locale'
import type { Texts } from '@/lib/base/i18n/texts.generated'

declare module 'next-intl' {
  interface AppConfig {
    Locale: TextLocale
    Messages: Texts
  }
}
