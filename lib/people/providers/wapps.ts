import { z } from 'zod'
import { pageSizes } from '@/lib/kernel/page-sizes'
import { type Connection, type Directory, type DirectoryPerson, failed, reader, tokens } from './directory'

/** What the service account of the other instance needs. */
const rights = ['users.read']

const Listed = z.object({ id: z.string().min(1).max(255), enabled: z.boolean() })
const List = z.object({ users: z.array(Listed), meta: z.object({ after: z.string().nullable() }) })
const texts = ['login', 'email', 'mobile', 'lastName', 'firstName', 'middleName'] as const
const Whole = z.object({
  ...Object.fromEntries(texts.map((name) => [name, z.string().nullish()])),
  values: z.record(z.string(), z.unknown()).default({}),
  roles: z.array(z.object({ role: z.object({ name: z.string() }), inEffect: z.boolean() })).default([]),
})

const Enabled = z.object({ enabled: z.boolean() })

/** How many accounts are read at once. */
const atOnce = 6

const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((one) =>
    typeof one === 'string' ? [one] : typeof one === 'boolean' || typeof one === 'number' ? [String(one)] : [],
  )

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
    const { values, roles, ...rest } = parsed(Whole, json)
    const fields = Object.fromEntries(
      Object.entries(rest as Record<string, unknown>).filter(
        (pair): pair is [string, string] => typeof pair[1] === 'string',
      ),
    )
    const attributes = Object.fromEntries(Object.entries(values).map(([code, value]) => [code, textsOf(value)]))
    return {
      externalId: id,
      enabled,
      fields,
      attributes,
      roles: roles.flatMap(({ role, inEffect }) => (inEffect ? [role.name] : [])),
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
      const people: DirectoryPerson[] = []
      for (let at = 0; at < users.length; at += atOnce)
        people.push(...(await Promise.all(users.slice(at, at + atOnce).map(personOf))))
      return { people, next: meta.after }
    },
    async isThere(externalId) {
      const json = await read(`${path}/${encodeURIComponent(externalId)}`)
      return json !== null && parsed(Enabled, json).enabled
    },
  }
}
