import { z } from 'zod'
import { pageSizes } from '@/lib/base/lists/page-sizes'
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

/** What the service account of the other instance needs. */
const rights = ['users.read']

const Listed = z.object({ id: z.string().min(1).max(255), enabled: z.boolean() })
const List = z.object({ users: z.array(z.unknown()), meta: z.object({ after: z.string().nullable() }) })
const Whole = z.record(z.string(), z.unknown())
const Roles = z.array(z.object({ role: z.object({ name: z.string() }), inEffect: z.boolean() }))

const Enabled = z.object({ enabled: z.boolean() })

/** How many accounts are read at once. */
const atOnce = 6

/** Another instance of this platform, read by its REST API. */
export function wapps(of: Connection): Directory {
  const read = reader(of, tokens(of, '/oidc/token'), rights)
  const path = '/api/v1/platform/setting/users'

  const parsed = <T>(schema: z.ZodType<T>, json: unknown): T => {
    const { success, data } = schema.safeParse(json)
    if (!success) throw failed('connection')
    return data
  }
  const personOf = async ({ id, enabled }: z.infer<typeof Listed>): Promise<DirectoryPerson> => {
    const json = await read(`${path}/${encodeURIComponent(id)}`)
    // somebody who was deleted since the page was read is asked for once more before they count as gone
    const gone = json === null
    const whole = gone ? {} : parsed(Whole, json)
    const roles = Roles.safeParse(whole.roles)
    return {
      externalId: id,
      enabled: enabled && !gone,
      fields: Object.fromEntries(
        sourcesOf.wapps.flatMap((name) => (Object.hasOwn(whole, name) ? [[name, toldOf(whole[name])]] : [])),
      ),
      attributes: toldOfEach(whole.values ?? {}),
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
      const size = pageSizes.filter((one) => one <= limit).at(-1) ?? pageSizes[0]
      const after = cursor ? `&meta[after]=${encodeURIComponent(cursor)}` : ''
      const { users, meta } = parsed(List, await read(`${path}?meta[perPage]=${size}${after}`))
      const known = users.flatMap((one) => Listed.safeParse(one).data ?? [])
      const people: DirectoryPerson[] = []
      for (let at = 0; at < known.length; at += atOnce)
        people.push(...(await Promise.all(known.slice(at, at + atOnce).map(personOf))))
      return { people, unread: users.length - known.length, next: meta.after }
    },
    async isThere(externalId) {
      const json = await read(`${path}/${encodeURIComponent(externalId)}`)
      return json !== null && (Enabled.safeParse(json).data?.enabled ?? true)
    },
  }
}
