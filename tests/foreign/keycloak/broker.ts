import { clientSecret } from './realm'
import type { Keycloak } from './server'

const alias = 'platform'

/** Creates an empty realm, in which nobody is known yet, with an application `desk` that signs people in. */
export async function createOffice({ ask, url }: Keycloak, realm: string) {
  const client = { clientId: 'desk', secret: clientSecret, redirectUris: [`${url}/*`], standardFlowEnabled: true }
  await ask('POST', '', {
    ...{ realm, enabled: true, sslRequired: 'none', clients: [{ ...client, enabled: true }] },
    ...{ roles: { realm: [{ name: 'clerk' }] } },
  })
  const address = `${url}/realms/${realm}`
  const endpoint = `${address}/broker/${alias}/endpoint`
  return {
    /** What its administrator enters at the platform: the addresses that Keycloak has for every identity provider. */
    redirect: endpoint,
    afterSignOut: `${endpoint}/logout_response`,
    backchannel: `${address}/protocol/openid-connect/logout/backchannel-logout`,
    signOut: `${address}/protocol/openid-connect/logout`,
    /** Where `desk` sends people. */
    signIn: `${address}/protocol/openid-connect/auth?${new URLSearchParams({
      ...{ client_id: 'desk', response_type: 'code', scope: 'openid', redirect_uri: `${url}/desk` },
    })}`,
  }
}
export type Office = Awaited<ReturnType<typeof createOffice>>

/** Adds the platform to a realm as its admin console does: by the address of discovery. Returns what Keycloak made of it. */
export async function addBroker(
  { ask }: Keycloak,
  realm: string,
  { issuer, ...given }: { issuer: string; clientId: string; clientSecret: string } & Record<string, string>,
) {
  const fromUrl = `${issuer}/.well-known/openid-configuration`
  const imported = await ask<Record<string, string>>('POST', `/${realm}/identity-provider/import-config`, {
    ...{ providerId: 'oidc', fromUrl },
  })
  const config = { ...imported, clientAuthMethod: 'client_secret_post', ...given }
  await ask('POST', `/${realm}/identity-provider/instances`, {
    ...{ alias, displayName: 'Platform', providerId: 'oidc', enabled: true, config },
  })
  return imported
}

/** Adds a mapper to the platform in a realm, of a kind of Keycloak’s own. */
export const addBrokerMapper = ({ ask }: Keycloak, realm: string, name: string, kind: string, config: object) =>
  ask('POST', `/${realm}/identity-provider/instances/${alias}/mappers`, {
    ...{ name, identityProviderAlias: alias, identityProviderMapper: kind },
    config: { syncMode: 'INHERIT', ...config },
  })

type Known = { id: string; username: string; email: string; firstName: string; lastName: string }

/** The people whom a realm knows, with their account here, their roles and how many sessions they have. */
export async function peopleOf({ ask }: Keycloak, realm: string) {
  const people = await ask<(Known & { attributes?: Record<string, string[]> })[]>('GET', `/${realm}/users`)
  return Promise.all(
    people.map(async (person) => ({
      ...person,
      links: await ask<{ userId: string; userName: string }[]>(
        'GET',
        `/${realm}/users/${person.id}/federated-identity`,
      ),
      roles: (await ask<{ name: string }[]>('GET', `/${realm}/users/${person.id}/role-mappings/realm`)).map(
        ({ name }) => name,
      ),
      sessions: (await ask<unknown[]>('GET', `/${realm}/users/${person.id}/sessions`)).length,
    })),
  )
}
