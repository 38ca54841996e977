import * as invitations from '@/lib/entry/invitations/contract'
import * as passwords from '@/lib/entry/passwords/contract'
import * as registration from '@/lib/entry/registration/contract'
import * as signIn from '@/lib/entry/sign-in/contract'
import * as userSessions from '@/lib/entry/user-sessions/contract'
import type { Contract } from '@/lib/kernel/http/contract'
import * as consents from '@/lib/oidc/consents/contract'
import * as events from '@/lib/operations/events/contract'
import * as publicSettings from '@/lib/people/public-settings/contract'
import * as accessLists from '@/lib/platform/access-lists/contract'
import * as deviceTypes from '@/lib/platform/device-types/contract'
import * as documents from '@/lib/platform/documents/contract'
import * as locales from '@/lib/platform/locales/contract'
import * as menu from '@/lib/platform/menu/contract'
import * as networkAliases from '@/lib/platform/network-aliases/contract'
import * as projectInfo from '@/lib/platform/project-info/contract'
import * as startUp from '@/lib/platform/start-up/contract'
import * as device from '@/lib/profile/device/contract'
import * as live from '@/lib/profile/live/contract'
import * as personal from '@/lib/profile/personal/contract'
import * as userSettings from '@/lib/profile/user-settings/contract'

const isContract = (value: unknown): value is Contract =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'response' in value

const modules: Record<string, unknown>[] = [
  signIn,
  passwords,
  registration,
  invitations,
  userSessions,
  consents,
  publicSettings,
  userSettings,
  personal,
  device,
  live,
  menu,
  projectInfo,
  startUp,
  documents,
  locales,
  accessLists,
  deviceTypes,
  networkAliases,
  events,
]

/** Every call of the REST surface. A test holds it against the route files. */
export const contracts: readonly Contract[] = modules.flatMap((module) => Object.values(module).filter(isContract))
