import { type Check, CheckFault } from '@/lib/base/runtime/monitoring'
import { isDirectoryFailure } from './directory'
import { findIssuer } from './openid'
import { type ProviderRow, selectCheckedProviders } from './queries'
import { directories, secretOf } from './service'

/** Whether a host has a reserved name (RFC 2606), as samples and demo data have. */
const isReservedName = (url: string) => /(^|\.)(example|test|invalid)$/.test(new URL(url).hostname)

/**
 * Returns a check that signs in at a directory and reads one person, as the check on its card does; at an OpenID
 * provider, which lists no people, it reads the metadata. These calls are not recorded, because they run each minute.
 */
const checkOf = (row: ProviderRow) => async () => {
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
  const checked = (await selectCheckedProviders()).filter(({ row }) => !isReservedName(row.url))
  return checked.map(({ row, signsIn }) => ({
    key: `provider:${row.id}`,
    kind: 'provider',
    // people can't sign in without this provider
    critical: signsIn ? 3 : 2,
    named: { name: row.name, nameEn: null },
    look: checkOf(row),
  }))
}
