import { z } from 'zod'
import {
  type Connection,
  type Directory,
  type DirectoryPerson,
  directoryError,
  reader,
  sourceValueOf,
  sourceValuesOf,
  tokens,
} from './directory'
import { sourcesOf } from './kinds'

/** The roles of `realm-management` that the service account of a client needs. */
const rights = ['view-users', 'query-users']

/** The members that every person must have. A fault in another member concerns only its field. */
const Person = z.looseObject({ id: z.string().min(1).max(255), enabled: z.boolean().default(true) })
const Roles = z.array(z.object({ name: z.string() }))

/** For how many people roles are requested at the same time. */
const peopleAtOnce = 6

/**
 * Returns a realm of Keycloak as a directory, read by its Admin REST API. Names of requests and fields are Keycloak's.
 */
export function keycloak(connection: Connection): Directory {
  const realm = encodeURIComponent(connection.realm)
  const token = tokens(connection, `/realms/${realm}/protocol/openid-connect/token`)
  const read = reader(connection, token, rights)
  const admin = `/admin/realms/${realm}`

  const parsed = <T>(schema: z.ZodType<T>, json: unknown): T => {
    const { success, data } = schema.safeParse(json)
    if (!success) throw directoryError('connection')
    return data
  }
  const rolesOf = async (id: string) => {
    // an unreadable answer takes no roles: the person may have been deleted since the page was read
    const answer = Roles.safeParse(await read(`${admin}/users/${encodeURIComponent(id)}/role-mappings/realm/composite`))
    return answer.success ? answer.data.map(({ name }) => name) : null
  }
  const personOf = ({ id, enabled, attributes, emailVerified, ...raw }: z.infer<typeof Person>): DirectoryPerson => ({
    externalId: id,
    enabled,
    fields: Object.fromEntries(
      sourcesOf.keycloak.flatMap((name) => (Object.hasOwn(raw, name) ? [[name, sourceValueOf(raw[name])]] : [])),
    ),
    attributes: sourceValuesOf(attributes ?? {}),
    roles: [],
    proven: emailVerified === true ? ['email'] : [],
  })

  return {
    async check() {
      parsed(z.array(Person), await read(`${admin}/users?first=0&max=1&briefRepresentation=false`))
      return parsed(z.number().int(), await read(`${admin}/users/count`))
    },
    async page(cursor, limit, options) {
      const first = Number(cursor ?? 0)
      const answer = parsed(
        z.array(z.unknown()),
        await read(`${admin}/users?first=${first}&max=${limit}&briefRepresentation=false`),
      )
      const readable = answer.map((user) => Person.safeParse(user))
      const people = readable.flatMap(({ data }) => (data ? [personOf(data)] : []))
      if (options.roles)
        for (let start = 0; start < people.length; start += peopleAtOnce)
          await Promise.all(
            people.slice(start, start + peopleAtOnce).map(async (person) => {
              person.roles = person.enabled ? await rolesOf(person.externalId) : []
            }),
          )
      const next = answer.length < limit ? null : String(first + answer.length)
      return { people, unread: answer.length - people.length, next }
    },
    async isThere(externalId) {
      const json = await read(`${admin}/users/${encodeURIComponent(externalId)}`)
      // a person with an unreadable state doesn't count as gone
      return json !== null && (Person.safeParse(json).data?.enabled ?? true)
    },
  }
}
