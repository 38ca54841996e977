import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { cached } from '@/lib/base/cache/cache'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { decrypt, encrypt } from '@/lib/base/crypto/encryption'
import { env } from '@/lib/base/runtime/env'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { type Check, CheckFault } from '@/lib/base/runtime/monitoring'
import { isServedHost } from '@/lib/site/domains/service'
import { platformSettings } from '@/lib/site/settings/service'
import type * as calls from './contract'
import { licenseEntity } from './entity'
import { type LicenseContent, publicKeyOf, readLicense } from './format'
import {
  countSessions,
  type LicenseRow,
  lockLicense,
  removeLicense,
  selectLicense,
  storeLicense,
  storeState,
} from './queries'

/** The context with which the key is encrypted, besides its purpose. */
const encryptionContext = 'license'
/** A session counts as active for this long after its last request. */
const activeFor = 15 * 60_000
/** The number of the key's last characters that people see. */
const shownLength = 4

const publicKey = () => {
  const { LICENSE_PUBLIC_KEY: text } = env()
  return text ? publicKeyOf(text) : null
}

/** Whether a license is for this platform: for the host of PUBLIC_URL or of a served domain. */
const isOwn = async ({ domain }: Pick<LicenseContent, 'domain'>): Promise<boolean> =>
  new URL(env().PUBLIC_URL).hostname === domain.toLowerCase() || isServedHost(domain)

/**
 * Returns the content of a license that somebody entered for a domain. Throws 409 licenseUnavailable without
 * LICENSE_PUBLIC_KEY, and 400 for a key that isn't signed with it, is for another domain than the entered one or this
 * platform's, or has expired.
 */
async function validLicense({ key, domain }: { key: string; domain: string }, now: Date): Promise<LicenseContent> {
  const signedWith = publicKey()
  if (!signedWith) throw new AppError(409, 'licenseUnavailable')
  const license = readLicense(key, signedWith)
  if (!license) throw fieldError('key', 'errorLicenseKey')
  if (license.domain.toLowerCase() !== domain || !(await isOwn(license)))
    throw fieldError('domain', 'errorLicenseDomain')
  if (license.expiresAt && Date.parse(license.expiresAt) <= now.getTime())
    throw fieldError('key', 'errorLicenseExpired')
  return license
}

const infoOf = ({
  owner,
  domain,
  expiresAt,
  sessions,
}: Pick<LicenseContent, 'owner' | 'domain' | 'expiresAt' | 'sessions'>) => ({
  owner,
  domain,
  expiresAt,
  sessions,
})

const auditValues = ({
  key,
  domain,
  owner,
  expiresAt,
  sessions,
}: Pick<LicenseRow, 'key' | 'domain' | 'owner' | 'expiresAt' | 'sessions'>) => ({
  key,
  domain,
  owner,
  expiresAt,
  sessions,
})

/** Returns the license, with only the end of its key. Needs license.read. */
export async function readLicenseInfo(ctx: Ctx): Promise<ServiceOutput<typeof calls.readLicenseInfo>> {
  requireMethod(ctx, 'license.read')
  const row = await selectLicense()
  const checkable = publicKey() !== null
  if (!row) return { form: { key: '', domain: '' }, info: null, checkable }
  const expiresAt = row.expiresAt?.toISOString() ?? null
  return {
    form: { key: `••••••••${endOf(row)}`, domain: row.domain },
    info: {
      ...infoOf({ ...row, expiresAt }),
      // an expiry is visible without a check
      state: stateNow(row, ctx.now()),
      checkedAt: row.checkedAt.toISOString(),
    },
    checkable,
  }
}

function endOf(row: LicenseRow): string {
  try {
    return decrypt('license', row.key, encryptionContext).slice(-shownLength)
  } catch {
    // its key isn't in SECRET_KEYS any more: the check reports that
    return ''
  }
}

const stateNow = ({ state, expiresAt }: LicenseRow, now: Date): LicenseRow['state'] =>
  state === 'valid' && expiresAt && expiresAt <= now ? 'expired' : state

/**
 * Stores a license in place of the previous one, which makes an audit event. Needs license.write. Throws 400 and 409 as
 * `validLicense`.
 */
export async function saveLicense(ctx: Ctx, { body }: ServiceInput<typeof calls.saveLicense>) {
  requireMethod(ctx, 'license.write')
  const now = ctx.now()
  const { owner, domain, expiresAt, sessions } = await validLicense(body, now)
  await changing('license', async (tx) => {
    const before = await lockLicense(tx)
    const values = {
      key: body.key,
      domain: domain.toLowerCase(),
      owner,
      expiresAt: expiresAt ? new Date(expiresAt) : null,
      sessions,
    }
    const previous = before && { ...before, key: decryptedKey(before) }
    if (await audit(tx, ctx, licenseEntity, 'license', previous ? auditValues(previous) : null, values))
      await storeLicense(tx, {
        ...values,
        key: encrypt('license', body.key, encryptionContext),
        state: 'valid',
        checkedAt: now,
      })
  })
  return {}
}

/** Returns the decrypted key; the encrypted one if it can't be decrypted, so that the next key differs from it. */
function decryptedKey(row: LicenseRow): string {
  try {
    return decrypt('license', row.key, encryptionContext)
  } catch {
    return row.key
  }
}

/** Returns the content of a license, without storing it. Needs license.write. Throws 400 and 409 as `validLicense`. */
export async function checkLicense(ctx: Ctx, { body }: ServiceInput<typeof calls.checkLicense>) {
  requireMethod(ctx, 'license.write')
  return infoOf(await validLicense(body, ctx.now()))
}

/** Removes the license, which makes an audit event. Needs license.write. Throws 404 without one. */
export async function deleteLicense(ctx: Ctx) {
  requireMethod(ctx, 'license.write')
  await changing('license', async (tx) => {
    const before = await lockLicense(tx)
    if (!before) throw notFound()
    await removeLicense(tx)
    await audit(tx, ctx, licenseEntity, 'license', auditValues(before), null)
  })
  return {}
}

const activeSessions = (now: Date) => countSessions(now, new Date(now.getTime() - activeFor))

/** Returns the number of sessions that were active within the last 15 minutes. Needs license.read. */
export async function countLicenseSessions(ctx: Ctx) {
  requireMethod(ctx, 'license.read')
  return { count: await activeSessions(ctx.now()) }
}

/** Checks the stored license again, stores the result and returns it. */
async function checkStored(row: LicenseRow, now: Date): Promise<LicenseRow['state']> {
  const signedWith = publicKey()
  const license = signedWith && readLicense(decryptedKey(row), signedWith)
  const expired = license?.expiresAt && Date.parse(license.expiresAt) <= now.getTime()
  const state = !license || !(await isOwn(license)) ? 'invalid' : expired ? 'expired' : 'valid'
  await storeState(row.key, state, now)
  return state
}

/**
 * Checks the license for the monitoring: verifies it again after `licenseCheckPeriod`, and compares the number of
 * sessions with its limit. Without a license the check isn't connected (docs/rules/monitoring.md#license). Throws
 * CheckFault.
 */
async function monitorLicense() {
  const row = await selectLicense()
  if (!row) return { connected: false }
  const now = new Date()
  const { licenseCheckPeriod } = await platformSettings()
  const checkIsDue = now.getTime() - row.checkedAt.getTime() >= licenseCheckPeriod * 1000
  const state = checkIsDue ? await checkStored(row, now) : stateNow(row, now)
  if (state === 'expired') throw new CheckFault('licenseExpired')
  if (state === 'invalid') throw new CheckFault('licenseInvalid')
  if (row.sessions !== null && (await activeSessions(now)) > row.sessions) throw new CheckFault('licenseSessions')
  return { connected: true }
}

/** Returns the check of the license. */
export const licenseChecks = async (): Promise<Check[]> => [
  { key: 'license', kind: 'license', critical: 1, look: monitorLicense },
]

/**
 * Returns the problem of the license that pages of administrators show: expired, invalid, or too many sessions; else
 * null.
 */
export const licenseProblem = () =>
  cached(
    'license',
    async () => {
      const row = await selectLicense()
      if (!row) return null
      const now = new Date()
      const state = stateNow(row, now)
      if (state !== 'valid') return state
      return row.sessions !== null && (await activeSessions(now)) > row.sessions ? 'sessions' : null
    },
    30_000,
  )
