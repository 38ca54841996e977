import { z } from 'zod'
import { pageSizes } from '@/lib/base/lists/page-sizes'
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

/** The method that the service account at the other instance needs. */
const rights = ['users.read']

const Listed = z.object({ id: z.string().min(1).max(255), enabled: z.boolean() })
const List = z.object({ users: z.array(z.unknown()), meta: z.object({ after: z.string().nullable() }) })
const Whole = z.record(z.string(), z.unknown())
const Roles = z.array(z.object({ role: z.object({ name: z.string() }), inEffect: z.boolean() }))

const Enabled = z.object({ enabled: z.boolean() })

/** How many accounts are read at the same time. */
const accountsAtOnce = 6

/** Returns another instance of this platform as a directory, read by its REST API. */
export function wapps(connection: Connection): Directory {
  const read = reader(connection, tokens(connection, '/oidc/token'), rights)
  const path = '/api/v1/platform/setting/users'

  const parsed = <T>(schema: z.ZodType<T>, json: unknown): T => {
    const { success, data } = schema.safeParse(json)
    if (!success) throw directoryError('connection')
    return data
  }
  const personOf = async ({ id, enabled }: z.infer<typeof Listed>): Promise<DirectoryPerson> => {
    const json = await read(`${path}/${encodeURIComponent(id)}`)
    // the run asks once more for a person who was deleted since the page was read, before they count as gone
    const isGone = json === null
    const whole = isGone ? {} : parsed(Whole, json)
    const roles = Roles.safeParse(whole.roles)
    return {
      externalId: id,
      enabled: enabled && !isGone,
      fields: Object.fromEntries(
        sourcesOf.wapps.flatMap((name) => (Object.hasOwn(whole, name) ? [[name, sourceValueOf(whole[name])]] : [])),
      ),
      attributes: sourceValuesOf(whole.values ?? {}),
      roles: roles.success ? roles.data.flatMap(({ role, inEffect }) => (inEffect ? [role.name] : [])) : null,
      proven: [
        ...(whole.emailVerified === true ? ['email'] : []),
        ...(whole.mobileVerified === true ? ['mobile'] : []),
      ],
    }
  }

  return {
    async check() {
      parsed(List, await read(`${path}?meta[perPage]=10`))
      return null
    },
    async page(cursor, limit) {
      const size = pageSizes.filter((item) => item <= limit).at(-1) ?? pageSizes[0]
      const after = cursor ? `&meta[after]=${encodeURIComponent(cursor)}` : ''
      const { users, meta } = parsed(List, await read(`${path}?meta[perPage]=${size}${after}`))
      const accounts = users.flatMap((item) => Listed.safeParse(item).data ?? [])
      const people: DirectoryPerson[] = []
      for (let start = 0; start < accounts.length; start += accountsAtOnce)
        people.push(...(await Promise.all(accounts.slice(start, start + accountsAtOnce).map(personOf))))
      return { people, unread: users.length - accounts.length, next: meta.after }
    },
    async isThere(externalId) {
      const json = await read(`${path}/${encodeURIComponent(externalId)}`)
      return json !== null && (Enabled.safeParse(json).data?.enabled ?? true)
    },
  }
}
