import { type Check, CheckFault } from '@/lib/base/runtime/monitoring'
import { isDirectoryFailure } from './directory'
import { findIssuer } from './openid'
import { type ProviderRow, selectCheckedProviders } from './queries'
import { directories, secretOf } from './service'

/** Names that nobody can have (RFC 2606): samples and demo data use them. */
const isNobodys = (url: string) => /(^|\.)(example|test|invalid)$/.test(new URL(url).hostname)

/**
 * Signs in and reads one person, as the check of its card does; of an OpenID provider, which has no people to read, finds
 * the metadata. Such calls are not kept, because they come each minute.
 */
const lookAt = (row: ProviderRow) => async () => {
  const { type, url, realm, clientId } = row
  const connection = { id: null, url, realm: realm ?? '', clientId, clientSecret: secretOf(row) }
  try {
    if (type === 'oidc') await findIssuer({ ...connection, type })
    else await directories[type](connection).check()
  } catch (error) {
    throw isDirectoryFailure(error) ? new CheckFault(error.code) : error
  }
}

/** Returns a check of each enabled provider (docs/rules/monitoring.md#what-is-checked). */
export async function providerChecks(): Promise<Check[]> {
  const checked = (await selectCheckedProviders()).filter(({ row }) => !isNobodys(row.url))
  return checked.map(({ row, signsIn }) => ({
    key: `provider:${row.id}`,
    kind: 'provider',
    // without it its people can't sign in
    critical: signsIn ? 3 : 2,
    named: { name: row.name, nameEn: null },
    look: lookAt(row),
  }))
}
