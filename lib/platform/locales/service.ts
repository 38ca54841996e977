import { cached } from '@/lib/kernel/cache'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { searchLocales } from './contract'
import { allEnabledLocales } from './queries'

type EnabledLocale = { id: string; code: string; name: string }

/** The platform's enabled locales, by name; a domain may offer fewer. */
export const enabledLocales = (): Promise<EnabledLocale[]> => cached('locales', async () => allEnabledLocales())

/** Those of them that are asked for. */
export async function foundLocales(_: Ctx, { query: { searchValue, ids } }: VerbInput<typeof searchLocales>) {
  const text = searchValue?.toLocaleLowerCase() ?? ''
  const locales = (await enabledLocales()).filter(
    ({ id, code, name }) =>
      (ids === undefined || ids.includes(id)) && [code, name].some((value) => value.toLocaleLowerCase().includes(text)),
  )
  return { locales }
}
