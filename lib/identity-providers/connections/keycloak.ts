import { z } from 'zod'
import {
  type Connection,
  type Directory,
  type DirectoryPerson,
  failed,
  reader,
  tokens,
  toldOf,
  toldOfEach,
} from './directory'
import { sourcesOf } from './kinds'

/** What a client needs: the roles of `realm-management` that its service account has. */
const rights = ['view-users', 'query-users']

/** Who it is, and whether they may sign in there. Of everything else a fault is that of one field. */
const Person = z.looseObject({ id: z.string().min(1).max(255), enabled: z.boolean().default(true) })
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
    // no answer for somebody is no role less: they may have been deleted since the page was read
    const found = Roles.safeParse(await read(`${admin}/users/${encodeURIComponent(id)}/role-mappings/realm/composite`))
    return found.success ? found.data.map(({ name }) => name) : null
  }
  const personOf = ({ id, enabled, attributes, emailVerified, ...rest }: z.infer<typeof Person>): DirectoryPerson => ({
    externalId: id,
    enabled,
    fields: Object.fromEntries(
      sourcesOf.keycloak.flatMap((name) => (Object.hasOwn(rest, name) ? [[name, toldOf(rest[name])]] : [])),
    ),
    attributes: toldOfEach(attributes ?? {}),
    roles: [],
    proven: emailVerified === true ? ['email'] : [],
  })

  return {
    async check() {
      parsed(z.array(Person), await read(`${admin}/users?first=0&max=1&briefRepresentation=false`))
      return parsed(z.number().int(), await read(`${admin}/users/count`))
    },
    async page(cursor, limit, wanted) {
      const first = Number(cursor ?? 0)
      const found = parsed(
        z.array(z.unknown()),
        await read(`${admin}/users?first=${first}&max=${limit}&briefRepresentation=false`),
      )
      const known = found.map((one) => Person.safeParse(one))
      const people = known.flatMap(({ data }) => (data ? [personOf(data)] : []))
      if (wanted.roles)
        for (let at = 0; at < people.length; at += atOnce)
          await Promise.all(
            people.slice(at, at + atOnce).map(async (person) => {
              person.roles = person.enabled ? await rolesOf(person.externalId) : []
            }),
          )
      const next = found.length < limit ? null : String(first + found.length)
      return { people, unread: found.length - people.length, next }
    },
    async isThere(externalId) {
      const json = await read(`${admin}/users/${encodeURIComponent(externalId)}`)
      // somebody of whom that can't be read isn't gone
      return json !== null && (Person.safeParse(json).data?.enabled ?? true)
    },
  }
}
