import { cached } from '@/lib/base/cache/cache'
import { selectFilledFields } from './queries'

const nameCodes = ['fio', 'lastName', 'firstName', 'middleName']
/** What every provider keeps of its accounts, whatever its mappers fill (docs/rules/people.md#directory-accounts). */
const always = [...nameCodes, 'email', 'login']
const none: ReadonlySet<string> = new Set()

/** The codes of the fields that the provider of an account keeps; none for an account that the platform itself keeps. */
export type KeptFields = (providerId: string | null) => ReadonlySet<string>

/**
 * Returns which fields of its accounts each provider keeps: those of what people sign in with and are called, and those
 * that its mappers fill, as of now (docs/rules/providers.md#fields-that-a-provider-keeps).
 */
export async function keptFields(): Promise<KeptFields> {
  const filled = await cached('providers:kept', async () => {
    const all = new Map<string, Set<string>>()
    // an OpenID provider tells of a number once, and its person may have another one later
    for (const { providerId, type, code } of await selectFilledFields())
      if (!(type === 'oidc' && code === 'mobile'))
        all.set(providerId, (all.get(providerId) ?? new Set(always)).add(code))
    return all
  })
  const others = new Set(always)
  return (providerId) => (providerId === null ? none : (filled.get(providerId) ?? others))
}
