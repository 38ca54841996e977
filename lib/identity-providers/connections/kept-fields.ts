import { cached } from '@/lib/base/cache/cache'
import { selectFilledFields } from './queries'

const nameCodes = ['fio', 'lastName', 'firstName', 'middleName']
/** The fields that every provider keeps, even without a mapper (docs/rules/people.md#directory-accounts). */
const alwaysKept = [...nameCodes, 'email', 'login']
const noFields: ReadonlySet<string> = new Set()

/**
 * Returns the codes of the fields that the provider of an account keeps; none for an account that the platform keeps.
 */
export type KeptFields = (providerId: string | null) => ReadonlySet<string>

/**
 * Returns which fields of its accounts each provider keeps now: names, login, e-mail, and the fields that its mappers
 * fill (docs/rules/providers.md#fields-that-a-provider-keeps).
 */
export async function keptFields(): Promise<KeptFields> {
  const filled = await cached('providers:kept', async () => {
    const byProvider = new Map<string, Set<string>>()
    // an OpenID provider sends a number once, and the person may change it later
    for (const { providerId, type, code } of await selectFilledFields())
      if (!(type === 'oidc' && code === 'mobile'))
        byProvider.set(providerId, (byProvider.get(providerId) ?? new Set(alwaysKept)).add(code))
    return byProvider
  })
  const keptByDefault = new Set(alwaysKept)
  return (providerId) => (providerId === null ? noFields : (filled.get(providerId) ?? keptByDefault))
}
