import { cached } from '@/lib/kernel/cache'
import { allEnabledLocales } from './queries'

type EnabledLocale = { id: string; code: string; name: string }

/** The platform's enabled locales, by name; a domain may offer fewer. */
export const enabledLocales = (): Promise<EnabledLocale[]> => cached('locales', async () => allEnabledLocales())
