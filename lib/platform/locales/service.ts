import { cached } from '@/lib/kernel/cache'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type * as calls from './contract'
import { selectEnabledLocales } from './queries'

type EnabledLocale = { id: string; code: string; name: string }

/** Returns the platform's enabled locales, sorted by name; a domain may offer fewer. */
export const enabledLocales = (): Promise<EnabledLocale[]> => cached('locales', async () => selectEnabledLocales())

/** Returns the enabled locales whose name or code contains `searchValue` and, if given, whose ids are among `ids`. */
export async function searchLocales(_: Ctx, { query: { searchValue, ids } }: VerbInput<typeof calls.searchLocales>) {
  const text = searchValue?.toLocaleLowerCase() ?? ''
  const locales = (await enabledLocales()).filter(
    ({ id, code, name }) =>
      (ids === undefined || ids.includes(id)) && [code, name].some((value) => value.toLocaleLowerCase().includes(text)),
  )
  return { locales }
}
