import { randomUUID } from 'node:crypto'
import type { Keycloak } from './server'

export const clientSecret = 'the secret of a client of the directory'
export const password = 'Directory-Horse-2026'

/** A person of a realm; the ids are Keycloak's own, which it takes over from an import. */
const personOf = (realm: string, number: number) => {
  const username = `${realm}-${String(number).padStart(5, '0')}`
  return {
    id: randomUUID(),
    username,
    email: `${username}@polaris.example`,
    emailVerified: true,
    enabled: true,
    firstName: ['Вера', 'Пётр', 'Анна', 'Иван'][number % 4] ?? '',
    lastName: `Орлова-${number}`,
    attributes: { place: [number % 2 ? 'Тула' : 'Псков'] },
    realmRoles: number % 10 === 0 ? ['engineer'] : [],
    // hashing a password takes Keycloak as long as everything else of a person
    ...(number < 3 ? { credentials: [{ type: 'password', value: password }] } : {}),
  }
}
export type Person = ReturnType<typeof personOf>

const client = (clientId: string, more: object = {}) => ({
  clientId,
  enabled: true,
  secret: clientSecret,
  serviceAccountsEnabled: true,
  redirectUris: ['http://localhost:*', 'http://localhost/*'],
  ...more,
})

/** Creates a realm with people, a client that may read them (`portal`), and one that may not (`weak`). */
export async function createRealm({ ask }: Keycloak, realm: string, count: number): Promise<Person[]> {
  const people = Array.from({ length: count }, (_, number) => personOf(realm, number))
  const profile = {
    attributes: ['username', 'email', 'firstName', 'lastName'].map((name) => ({
      name,
      permissions: { view: ['admin', 'user'], edit: ['admin', 'user'] },
    })),
    unmanagedAttributePolicy: 'ENABLED',
  }
  await ask('POST', '', {
    realm,
    enabled: true,
    sslRequired: 'none',
    roles: { realm: [{ name: 'engineer' }] },
    clients: [client('portal'), client('weak')],
    users: [
      {
        username: 'service-account-portal',
        enabled: true,
        serviceAccountClientId: 'portal',
        clientRoles: { 'realm-management': ['view-users', 'query-users'] },
      },
    ],
    components: {
      'org.keycloak.userprofile.UserProfileProvider': [
        { providerId: 'declarative-user-profile', config: { 'kc.user.profile.config': [JSON.stringify(profile)] } },
      ],
    },
  })
  for (let at = 0; at < people.length; at += 500)
    await ask('POST', `/${realm}/partialImport`, {
      ifResourceExists: 'FAIL',
      users: people.slice(at, at + 500),
    })
  return people
}

/** Reads all people of a realm as the client of the platform does, and nothing else. Returns people a second. */
export async function plainPaging({ url }: Keycloak, realm: string, size: number): Promise<number> {
  const answer = await fetch(`${url}/realms/${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: 'portal', client_secret: clientSecret }),
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  const begun = performance.now()
  for (let first = 0; ; first += size) {
    const page = await fetch(
      `${url}/admin/realms/${realm}/users?first=${first}&max=${size}&briefRepresentation=false`,
      {
        headers: { authorization: `Bearer ${access_token}` },
      },
    )
    const people = (await page.json()) as unknown[]
    if (people.length < size) return Math.round(((first + people.length) / (performance.now() - begun)) * 1_000)
  }
}
