import { type Database, db, type Transaction } from '@/db/client'
import { audit } from '@/lib/base/audit/audit'
import { lastChangeOf } from '@/lib/base/audit/conflict'
import { callerId, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput, ServiceOutput } from '@/lib/base/contracts/contract'
import { keyedHash } from '@/lib/base/crypto/encryption'
import { canonicalIp, networkOf, networksOf } from '@/lib/base/limits/client-ip'
import { type Limit, settlePoints, takePoints, waitsOf } from '@/lib/base/limits/limits'
import { AppError } from '@/lib/base/runtime/errors'
import { providerLimits } from '@/lib/directory-sync/provider-sign-in/service'
import { completeLimits, linksOfAddress } from '@/lib/joining/registration/limits'
import { beginLimits } from '@/lib/sign-in/attempts/begin-limits'
import { forgetWrongCodes, wrongCodeWait } from '@/lib/sign-in/codes/address-code-limit'
import { dailyBlocks, removeDailyCounters } from '@/lib/sign-in/codes/daily-limit'
import { requestLimits } from '@/lib/sign-in/codes/enter-code'
import { liftsInDay } from '@/lib/sign-in/codes/limits'
import { passkeyLimits } from '@/lib/sign-in/factors/passkey/prove'
import { addressLimit } from '@/lib/sign-in/factors/password/throttle'
import { appCodeLimits } from '@/lib/sign-in/factors/totp/entry'
import { linkRequestLimits, newPasswordLimits } from '@/lib/sign-in/passwords/recovery-limits'
import { platformSettings } from '@/lib/site/settings/service'
import type * as calls from './contract'
import type { AddressLimitName, StoppedAddress } from './contract'
import { addressLimitsEntity } from './entity'

type PointLimit = Exclude<AddressLimitName, 'wrongCodes' | 'registrationLinks'>

/** The limits that count points of an address; wrong codes and registration links are counted differently. */
const pointLimits = {
  appCodes: appCodeLimits,
  passkeys: passkeyLimits,
  codesAsked: requestLimits,
  passwords: addressLimit,
  attempts: beginLimits,
  providers: providerLimits,
  recovery: linkRequestLimits,
  newPasswords: newPasswordLimits,
  registrations: completeLimits,
} satisfies Record<PointLimit, (ip: string) => Limit[]>

/** Returns an address with the limits that stop it now, the longest first. */
export async function activeLimitsOf(run: Database | Transaction, ip: string, now: Date): Promise<StoppedAddress> {
  const { registrationsPerIp } = await platformSettings()
  const names = Object.keys(pointLimits) as PointLimit[]
  const [wrongCodesWait, waits, links] = await Promise.all([
    // without Redis, no code can be entered
    wrongCodeWait(ip, now).catch(() => 0),
    Promise.all(names.map(async (name) => Math.max(...(await waitsOf(pointLimits[name](ip)))))),
    dailyBlocks(run, linksOfAddress(ip, registrationsPerIp), now),
  ])
  const linksWait = Math.max(...links.map(({ until }) => (until ? until.getTime() - now.getTime() : 0)))
  const waitByLimit: [AddressLimitName, number][] = [
    ['wrongCodes', wrongCodesWait],
    ['registrationLinks', linksWait],
    ...names.map((name, index): [PointLimit, number] => [name, waits[index] ?? 0]),
  ]
  const limits = waitByLimit
    .filter(([, wait]) => wait > 0)
    .sort(([, left], [, right]) => right - left)
    .map(([limit, wait]) => ({ limit, until: new Date(now.getTime() + wait).toISOString() }))
  return { ip, limits }
}

const canonical = (ip: string) => canonicalIp(ip) ?? ip

/** Returns the limits that stop an address now (docs/rules/people.md#stopped-addresses). Needs users.read. */
export async function readAddressLimits(
  ctx: Ctx,
  { query: { ip } }: ServiceInput<typeof calls.readAddressLimits>,
): Promise<ServiceOutput<typeof calls.readAddressLimits>> {
  requireMethod(ctx, 'users.read')
  return activeLimitsOf(db(), canonical(ip), ctx.now())
}

const day = 86_400
const largestNetworkOf = (ip: string) => networksOf(ip).at(-1)

/** Returns the limits of lifting: a caller who could lift limits at will could attack accounts without any limit. */
function liftLimits(ctx: Ctx, ip: string): [ofAddress: Limit, ofCaller: Limit] {
  const perDay = (points: number) => [{ points, duration: day }]
  const networkKey = keyedHash('identifiers', `address ${largestNetworkOf(ip)}`)
  return [
    { name: 'address-lift', key: networkKey, tiers: perDay(liftsInDay.ofAddress) },
    { name: 'address-lift-caller', key: callerId(ctx), tiers: perDay(liftsInDay.ofCaller) },
  ]
}

/**
 * Returns the 429 for an address whose limits were lifted in the last day, with the time, the person, and the next
 * possible time.
 */
async function alreadyLifted(tx: Transaction, ctx: Ctx, ip: string, wait: number) {
  const now = ctx.now().getTime()
  const isSameNetwork = (network: string) => largestNetworkOf(network.split('/')[0] ?? '') === largestNetworkOf(ip)
  const lastLift = await lastChangeOf(tx, ctx, addressLimitsEntity, new Date(now - day * 1000), isSameNetwork)
  const until = Math.ceil((now + wait) / 60_000) * 60_000
  const code = `errorAddressLifted${lastLift?.by ? (lastLift.by.you ? 'ByYou' : 'By') : ''}`
  const params = { until, ...(lastLift?.by ? { at: lastLift.at.getTime(), by: lastLift.by.name } : {}) }
  return new AppError(429, 'addressLifted', { errorList: [{ field: 'ip', code, params }] }, wait / 1000)
}

/** Takes the points that a lift costs. Throws 429 addressLifted or liftsUsed. */
async function takeLift(tx: Transaction, ctx: Ctx, ip: string) {
  const limits = liftLimits(ctx, ip)
  try {
    await takePoints(...limits)
  } catch (error) {
    if (!(error instanceof AppError && error.status === 429)) throw error
    const [addressWait = 0] = await waitsOf(limits)
    if (addressWait > 0) throw await alreadyLifted(tx, ctx, ip, addressWait)
    throw new AppError(429, 'liftsUsed', {}, error.retryAfter)
  }
}

/**
 * Lifts the limits that have stopped an address (for IPv6 those of its /64 and its /48), which makes an audit event.
 * Limits that don't stop it keep their counts. Needs users.write. Throws 429 addressLifted if the limits of the address
 * were lifted in the last day, 429 liftsUsed for a caller who has lifted those of five addresses, and 503 without
 * Redis.
 */
export async function liftAddressLimits(ctx: Ctx, { query }: ServiceInput<typeof calls.liftAddressLimits>) {
  requireMethod(ctx, 'users.write')
  const ip = canonical(query.ip)
  const { registrationsPerIp } = await platformSettings()
  await db().transaction(async (tx) => {
    const { limits } = await activeLimitsOf(tx, ip, ctx.now())
    const stoppingLimits = new Set(limits.map(({ limit }) => limit))
    if (stoppingLimits.size > 0) await takeLift(tx, ctx, ip)
    const statesOf = (stopped: boolean) =>
      Object.fromEntries([...stoppingLimits].map((name) => [name, stopped])) as Record<AddressLimitName, boolean>
    await audit(tx, ctx, addressLimitsEntity, networkOf(ip), statesOf(true), statesOf(false))
    if (stoppingLimits.has('registrationLinks')) await removeDailyCounters(tx, linksOfAddress(ip, registrationsPerIp))
    // before the commit: without an answer of Redis, the lift must not be recorded
    if (stoppingLimits.has('wrongCodes')) await forgetWrongCodes(ip)
    await settlePoints({
      forgotten: (Object.keys(pointLimits) as PointLimit[]).flatMap((name) =>
        stoppingLimits.has(name) ? pointLimits[name](ip) : [],
      ),
    })
  })
  return {}
}
