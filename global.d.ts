import type { TextLocale } from '@/lib/kernel/i18n/choose-locale'
import type { Texts } from '@/lib/kernel/i18n/texts.generated'

declare module 'next-intl' {
  interface AppConfig {
    Locale: TextLocale
    Messages: Texts
  }
}
