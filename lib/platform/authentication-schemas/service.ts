import { cached } from '@/lib/kernel/cache'
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
  cached('authentication-schemas', async () => activeSchemas())
