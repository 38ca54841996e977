import { cached } from '@/lib/kernel/cache'
import { usableClient } from '@/lib/oidc/clients/service'
import { heldAmong } from '@/lib/people/roles/service'
import { contractorsOf, fieldValuesOf, findAccount, integrationFieldCodes, rolesOf } from './queries'

/** Scopes with the claims that they give. `roles`, `contractors` and `fields` are the platform's own. */
export const scopeClaims = {
  openid: ['sub', 'sid', 'acr', 'amr'],
  profile: ['name', 'family_name', 'given_name', 'middle_name', 'preferred_username', 'locale', 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  roles: ['roles', 'role_ids', 'methods'],
  contractors: ['contractors'],
  fields: ['fields'],
}

type Row = Awaited<ReturnType<typeof contractorsOf>>[number]

/** Rows as contractors, each with the organizations in which roles are held. */
export function contractorClaim(rows: readonly Row[]) {
  const list = new Map<string, { row: Row; organizations: Map<string, { name: string; roles: object[] }> }>()
  for (const row of rows) {
    const contractor = list.get(row.id) ?? { row, organizations: new Map() }
    list.set(row.id, contractor)
    if (!row.organizationId || !row.roleId) continue
    const organization = contractor.organizations.get(row.organizationId) ?? { name: row.organization ?? '', roles: [] }
    contractor.organizations.set(row.organizationId, organization)
    organization.roles.push({ id: row.roleId, name: row.role })
  }
  return [...list.values()].map(({ row: { id, name, inn, kpp }, organizations }) => ({
    id,
    name,
    inn,
    kpp,
    organizations: [...organizations].map(([organizationId, said]) => ({ id: organizationId, ...said })),
  }))
}

/** A locale's code as a language tag (BCP 47); undefined for what is none. */
export function languageTag(code: string | null): string | undefined {
  try {
    return code ? Intl.getCanonicalLocales(code.replaceAll('_', '-'))[0] : undefined
  } catch {
    return undefined
  }
}

/** What other systems are given of a user's dynamic fields; fields without a value are left out. */
async function fieldClaim(userId: string) {
  const [codes, values] = await Promise.all([
    cached('dynamic-fields:integration', integrationFieldCodes),
    fieldValuesOf(userId),
  ])
  return Object.fromEntries(codes.flatMap((code) => ((values[code] ?? '') === '' ? [] : [[code, values[code]]])))
}

/** Codes of the client's application's methods that the user holds. */
async function methodsFor(userId: string, clientId: string): Promise<string[]> {
  const methods = (await usableClient(clientId))?.application.methods ?? []
  const held = await heldAmong(
    userId,
    methods.map(({ id }) => id),
  )
  return methods.filter(({ id }) => held.has(id)).map(({ code }) => code)
}

/** Whether the user may use the client's application: it asks for no method, or they hold one of its. */
export async function mayUse(userId: string, clientId: string): Promise<boolean> {
  const client = await usableClient(clientId)
  if (!client) return false
  return client.application.methods.length === 0 || (await methodsFor(userId, clientId)).length > 0
}

/** What a client is told about a user by the scopes that it was granted; null for nobody and the disabled. */
export async function accountClaims(userId: string) {
  const account = await findAccount(userId)
  if (!account) return null
  const { lastName, firstName, middleName, fio } = account
  return async (scope: string, clientId: string) => {
    const scopes = new Set(scope.split(' '))
    const [held, methods, contractors, fields] = await Promise.all([
      scopes.has('roles') ? rolesOf(userId) : [],
      scopes.has('roles') ? methodsFor(userId, clientId) : [],
      scopes.has('contractors') ? contractorsOf(userId) : [],
      scopes.has('fields') ? fieldClaim(userId) : undefined,
    ])
    return {
      sub: userId,
      name: fio || [lastName, firstName, middleName].filter(Boolean).join(' '),
      family_name: lastName || undefined,
      given_name: firstName || undefined,
      middle_name: middleName || undefined,
      preferred_username: account.login,
      locale: languageTag(account.lang ?? account.locale),
      updated_at: Math.floor(account.updatedAt.getTime() / 1000),
      email: account.email ?? undefined,
      email_verified: account.email ? account.emailVerifiedAt !== null : undefined,
      phone_number: account.mobile ?? undefined,
      phone_number_verified: account.mobile ? account.mobileVerifiedAt !== null : undefined,
      roles: held.map(({ id, code, name, organizationId, organization }) => ({
        id,
        ...(code ? { code } : {}),
        name,
        ...(organizationId ? { organization: { id: organizationId, name: organization } } : {}),
      })),
      // plain strings, for products whose mappers read no objects
      role_ids: [...new Set(held.map(({ id }) => id))],
      methods,
      contractors: contractorClaim(contractors),
      fields,
    }
  }
}
