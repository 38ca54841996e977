import * as passwords from '@/lib/entry/passwords/contract'
import * as signIn from '@/lib/entry/sign-in/contract'
import type { Contract } from '@/lib/kernel/http/contract'
import * as publicSettings from '@/lib/people/public-settings/contract'
import * as documents from '@/lib/platform/documents/contract'
import * as locales from '@/lib/platform/locales/contract'
import * as menu from '@/lib/platform/menu/contract'
import * as projectInfo from '@/lib/platform/project-info/contract'
import * as startUp from '@/lib/platform/start-up/contract'
import * as userSettings from '@/lib/profile/user-settings/contract'

const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value

const modules: Record<string, unknown>[] = [
  signIn,
  passwords,
  publicSettings,
  userSettings,
  menu,
  projectInfo,
  startUp,
  documents,
  locales,
]

/** Every call of the REST surface. A test holds it against the route files. */
export const contracts: readonly Contract[] = modules.flatMap((module) => Object.values(module).filter(isContract))
