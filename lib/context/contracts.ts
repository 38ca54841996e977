import * as passwords from '@/lib/entry/passwords/contract'
import * as signIn from '@/lib/entry/sign-in/contract'
import type { Contract } from '@/lib/kernel/http/contract'
import * as documents from '@/lib/platform/documents/contract'
import * as userSettings from '@/lib/profile/user-settings/contract'

const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value

/** Every call of the REST surface. A test holds it against the route files. */
export const contracts: readonly Contract[] = [signIn, passwords, userSettings, documents].flatMap((module) =>
  Object.values<unknown>(module).filter(isContract),
)
