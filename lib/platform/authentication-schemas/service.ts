import { cached } from '@/lib/kernel/cache'
import { log } from '@/lib/kernel/log'
import { isDeadEnd } from './factors'
import { selectActiveSchemas } from './queries'

type AuthenticationSchema = {
  id: string
  base: boolean
  code: string
  /** Flow ids, best first. */
  firstFactor: string[]
  secondFactor: string[]
  roleIds: string[]
  /** May be some minutes old: a change of roles doesn't invalidate the schemas. */
  usersCount: number
}

/** Returns the active schemas, highest priority first. */
export const authenticationSchemas = (): Promise<AuthenticationSchema[]> =>
  cached('authentication-schemas', async () => {
    const schemas = await selectActiveSchemas()
    // it stays in force: otherwise another schema, which may demand less, would apply to its users
    for (const { code } of schemas.filter(isDeadEnd)) log.error({ schema: code }, 'nobody can sign in by this schema')
    return schemas
  })
