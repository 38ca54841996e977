import { cached } from '@/lib/kernel/cache'
import { log } from '@/lib/kernel/log'
import { isDeadEnd } from './factors'
import { activeSchemas } from './queries'

type AuthenticationSchema = {
  id: string
  base: boolean
  code: string
  /** Flow ids, best first. */
  firstFactor: string[]
  secondFactor: string[]
  roleIds: string[]
  /** As of a few minutes ago: roles change without telling schemas. */
  usersCount: number
}

/** The active schemas, highest priority first. */
export const authenticationSchemas = (): Promise<AuthenticationSchema[]> =>
  cached('authentication-schemas', async () => {
    const schemas = await activeSchemas()
    // it stays in force: without it its people would get in by another one, which may ask for less
    for (const { code } of schemas.filter(isDeadEnd)) log.error({ schema: code }, 'nobody can sign in by this schema')
    return schemas
  })
