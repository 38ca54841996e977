import { z } from 'zod'
import { type Connection, type Directory, type DirectoryPerson, failed, reader, tokens } from './directory'

/** What a client needs: the roles of `realm-management` that its service account has. */
const rights = ['view-users', 'query-users']

const Person = z.object({
  id: z.string().min(1).max(255),
  enabled: z.boolean().default(true),
  username: z.string().optional(),
  email: z.string().optional(),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  attributes: z.record(z.string(), z.array(z.string())).default({}),
})
const Roles = z.array(z.object({ name: z.string() }))

/** How many people's roles are asked for at once. */
const atOnce = 6

/** A realm of Keycloak, read by its Admin REST API. Names of requests and fields are Keycloak's. */
export function keycloak(of: Connection): Directory {
  const realm = encodeURIComponent(of.realm)
  const token = tokens(of, `/realms/${realm}/protocol/openid-connect/token`)
  const read = reader(of, token, rights)
  const admin = `/admin/realms/${realm}`

  const parsed = <T>(schema: z.ZodType<T>, json: unknown): T => {
    const { success, data } = schema.safeParse(json)
    if (!success) throw failed('connection')
    return data
  }
  const rolesOf = async (id: string) => {
    const json = await read(`${admin}/users/${encodeURIComponent(id)}/role-mappings/realm/composite`)
    // somebody who was deleted since the page was read
    return json === null ? [] : parsed(Roles, json).map(({ name }) => name)
  }
  const personOf = ({ id, enabled, attributes, ...fields }: z.infer<typeof Person>): DirectoryPerson => ({
    externalId: id,
    enabled,
    fields: Object.fromEntries(
      Object.entries(fields).filter((pair): pair is [string, string] => pair[1] !== undefined),
    ),
    attributes,
    roles: [],
  })

  return {
    async check() {
      parsed(z.array(Person), await read(`${admin}/users?first=0&max=1&briefRepresentation=false`))
      return parsed(z.number().int(), await read(`${admin}/users/count`))
    },
    async page(cursor, limit, wanted) {
      const first = Number(cursor ?? 0)
      const found = parsed(
        z.array(Person),
        await read(`${admin}/users?first=${first}&max=${limit}&briefRepresentation=false`),
      )
      const people = found.map(personOf)
      if (wanted.roles)
        for (let at = 0; at < people.length; at += atOnce)
          await Promise.all(
            people.slice(at, at + atOnce).map(async (person) => {
              person.roles = person.enabled ? await rolesOf(person.externalId) : []
            }),
          )
      return { people, next: found.length < limit ? null : String(first + found.length) }
    },
    async isThere(externalId) {
      const json = await read(`${admin}/users/${encodeURIComponent(externalId)}`)
      return json !== null && parsed(Person, json).enabled
    },
  }
}
