import { heldMethodIds } from '@/lib/access/roles/service'
import { pictureAddress } from '@/lib/accounts/pictures/address'
import { env } from '@/lib/base/runtime/env'
import { asciiEmail } from '@/lib/base/text/email'
import { claimOf, storedUnder } from '@/lib/fields/values/definition'
import { peopleFields } from '@/lib/fields/values/service'
import { usableClient } from '../clients/service'
import { type AccountRow, selectAccount, selectContractors, selectFieldValues, selectRoles } from './queries'

/** The claims of each scope. `roles`, `contractors` and `fields` are the platform's own scopes. */
export const scopeClaims = {
  openid: ['sub', 'sid', 'acr', 'amr'],
  profile: [
    'name',
    'family_name',
    'given_name',
    'middle_name',
    'preferred_username',
    'picture',
    'locale',
    'updated_at',
  ],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  roles: ['roles', 'role_ids', 'methods'],
  contractors: ['contractors'],
  fields: ['fields'],
}

type Row = Awaited<ReturnType<typeof selectContractors>>[number]

/** Groups rows into contractors, each with the organizations in which the user has roles. */
export function contractorClaim(rows: readonly Row[]) {
  const byId = new Map<string, { row: Row; organizations: Map<string, { name: string; roles: object[] }> }>()
  for (const row of rows) {
    const contractor = byId.get(row.id) ?? { row, organizations: new Map() }
    byId.set(row.id, contractor)
    if (!row.organizationId || !row.roleId) continue
    const organization = contractor.organizations.get(row.organizationId) ?? { name: row.organization ?? '', roles: [] }
    contractor.organizations.set(row.organizationId, organization)
    organization.roles.push({ id: row.roleId, name: row.role })
  }
  return [...byId.values()].map(({ row: { id, name, inn, kpp }, organizations }) => ({
    id,
    name,
    inn,
    kpp,
    organizations: [...organizations].map(([organizationId, organization]) => ({
      id: organizationId,
      ...organization,
    })),
  }))
}

/** Returns a locale's code as a language tag (BCP 47); undefined for an invalid one. */
export function languageTag(code: string | null): string | undefined {
  try {
    return code ? Intl.getCanonicalLocales(code.replaceAll('_', '-'))[0] : undefined
  } catch {
    return undefined
  }
}

/** Returns what other systems receive of a user's dynamic fields; fields without a value are left out. */
async function fieldClaim(userId: string) {
  const [fields, values] = await Promise.all([peopleFields(), selectFieldValues(userId)])
  const claimed = fields.filter((field) => field.integration && !field.systemic)
  const claims = claimed.map((field) => [field.code, claimOf(field, storedUnder(values, field.code))] as const)
  return Object.fromEntries(claims.filter(([, claim]) => claim !== undefined))
}

/**
 * What a caller has read about a user and a client: the row of the enabled account, and the ids of the methods of the
 * client's application that the user holds.
 */
type Given = { account: AccountRow; methodIds: readonly string[] } | undefined

/** Returns the codes of the methods of the client's application that the user holds. */
async function methodsFor(userId: string, clientId: string, given?: Given): Promise<string[]> {
  const methods = (await usableClient(clientId))?.application.methods ?? []
  const heldIds = given
    ? new Set(given.methodIds)
    : await heldMethodIds(
        userId,
        methods.map(({ id }) => id),
      )
  return methods.filter(({ id }) => heldIds.has(id)).map(({ code }) => code)
}

/** Returns whether a user may use the client's application: it has no methods, or the user holds one of them. */
export async function mayUse(userId: string, clientId: string, given?: Given): Promise<boolean> {
  const client = await usableClient(clientId)
  if (!client) return false
  return client.application.methods.length === 0 || (await methodsFor(userId, clientId, given)).length > 0
}

/**
 * Returns a function that gives the claims about a user for scopes and a client; null for an unknown or disabled user.
 * `given` is for one client.
 */
export async function accountClaims(userId: string, given?: Given) {
  const account = await selectAccount(userId, given?.account)
  if (!account) return null
  const { lastName, firstName, middleName, fio } = account
  return async (scope: string, clientId: string) => {
    const scopes = new Set(scope.split(' '))
    const [roles, methods, contractors, fields] = await Promise.all([
      scopes.has('roles') ? selectRoles(userId) : [],
      scopes.has('roles') ? methodsFor(userId, clientId, given) : [],
      scopes.has('contractors') ? selectContractors(userId) : [],
      scopes.has('fields') ? fieldClaim(userId) : undefined,
    ])
    return {
      sub: userId,
      name: fio || [lastName, firstName, middleName].filter(Boolean).join(' '),
      family_name: lastName || undefined,
      given_name: firstName || undefined,
      middle_name: middleName || undefined,
      preferred_username: account.login,
      picture: account.picture ? new URL(pictureAddress(account.picture, 'large'), env().PUBLIC_URL).href : undefined,
      locale: languageTag(account.lang ?? account.locale),
      updated_at: Math.floor(account.updatedAt.getTime() / 1000),
      email: account.email ? asciiEmail(account.email) : undefined,
      email_verified: account.email ? account.emailVerifiedAt !== null : undefined,
      phone_number: account.mobile ?? undefined,
      phone_number_verified: account.mobile ? account.mobileVerifiedAt !== null : undefined,
      roles: roles.map(({ id, code, name, organizationId, organization }) => ({
        id,
        ...(code ? { code } : {}),
        name,
        ...(organizationId ? { organization: { id: organizationId, name: organization } } : {}),
      })),
      // plain strings, for products that can not map objects
      role_ids: [...new Set(roles.map(({ id }) => id))],
      methods,
      contractors: contractorClaim(contractors),
      fields,
    }
  }
}
