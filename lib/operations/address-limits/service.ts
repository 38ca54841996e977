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
import { addressLimit, beginLimits } from '@/lib/sign-in/attempts/throttle'
import { forgetWrongCodes, wrongCodeWait } from '@/lib/sign-in/codes/address-code-limit'
import { dailyBlocks, removeDailyCounters } from '@/lib/sign-in/codes/daily-limit'
import { requestLimits } from '@/lib/sign-in/codes/enter-code'
import { liftsInDay } from '@/lib/sign-in/codes/limits'
import { linkRequestLimits, newPasswordLimits } from '@/lib/sign-in/passwords/recovery-limits'
import { platformSettings } from '@/lib/site/settings/service'
import type * as calls from './contract'
import type { AddressLimitName, StoppedAddress } from './contract'
import { addressLimitsEntity } from './entity'

type Counted = Exclude<AddressLimitName, 'wrongCodes' | 'registrationLinks'>

/** What counts points of an address; wrong codes and registration links are counted in their own ways. */
const counted = {
  codesAsked: requestLimits,
  passwords: addressLimit,
  attempts: beginLimits,
  providers: providerLimits,
  recovery: linkRequestLimits,
  newPasswords: newPasswordLimits,
  registrations: completeLimits,
} satisfies Record<Counted, (ip: string) => Limit[]>

/** Returns an address with the limits that stop it now, those that last longest first. */
export async function stopsOf(run: Database | Transaction, ip: string, now: Date): Promise<StoppedAddress> {
  const { registrationsPerIp } = await platformSettings()
  const names = Object.keys(counted) as Counted[]
  const [wrong, waits, links] = await Promise.all([
    // without Redis no code is entered anyway
    wrongCodeWait(ip, now).catch(() => 0),
    Promise.all(names.map(async (name) => Math.max(...(await waitsOf(counted[name](ip)))))),
    dailyBlocks(run, linksOfAddress(ip, registrationsPerIp), now),
  ])
  const ofLinks = Math.max(...links.map(({ until }) => (until ? until.getTime() - now.getTime() : 0)))
  const all: [AddressLimitName, number][] = [
    ['wrongCodes', wrong],
    ['registrationLinks', ofLinks],
    ...names.map((name, n): [Counted, number] => [name, waits[n] ?? 0]),
  ]
  const limits = all
    .filter(([, wait]) => wait > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([limit, wait]) => ({ limit, until: new Date(now.getTime() + wait).toISOString() }))
  return { ip, limits }
}

const asRead = (ip: string) => canonicalIp(ip) ?? ip

/** Returns the limits that stop an address now (docs/rules/people.md#stopped-addresses). Needs users.read. */
export async function readAddressLimits(
  ctx: Ctx,
  { query: { ip } }: ServiceInput<typeof calls.readAddressLimits>,
): Promise<ServiceOutput<typeof calls.readAddressLimits>> {
  requireMethod(ctx, 'users.read')
  return stopsOf(db(), asRead(ip), ctx.now())
}

const day = 86_400
const siteOf = (ip: string) => networksOf(ip).at(-1)

/** How often limits may be lifted: whoever lifts them at will could guess at accounts without any. */
function liftLimits(ctx: Ctx, ip: string): [ofAddress: Limit, ofCaller: Limit] {
  const inDay = (points: number) => [{ points, duration: day }]
  const site = keyedHash('identifiers', `address ${siteOf(ip)}`)
  return [
    { name: 'address-lift', key: site, tiers: inDay(liftsInDay.ofAddress) },
    { name: 'address-lift-caller', key: callerId(ctx), tiers: inDay(liftsInDay.ofCaller) },
  ]
}

/** Returns the 429 of an address that was opened in the last day: when, by whom, and when it can be opened again. */
async function alreadyLifted(tx: Transaction, ctx: Ctx, ip: string, wait: number) {
  const now = ctx.now().getTime()
  const isOf = (network: string) => siteOf(network.split('/')[0] ?? '') === siteOf(ip)
  const last = await lastChangeOf(tx, ctx, addressLimitsEntity, new Date(now - day * 1000), isOf)
  const until = Math.ceil((now + wait) / 60_000) * 60_000
  const code = `errorAddressLifted${last?.by ? (last.by.you ? 'ByYou' : 'By') : ''}`
  const params = { until, ...(last?.by ? { at: last.at.getTime(), by: last.by.name } : {}) }
  return new AppError(429, 'addressLifted', { errorList: [{ field: 'ip', code, params }] }, wait / 1000)
}

/** Takes what a release costs. Throws 429 addressLifted or liftsUsed. */
async function takeLift(tx: Transaction, ctx: Ctx, ip: string) {
  const limits = liftLimits(ctx, ip)
  try {
    await takePoints(...limits)
  } catch (error) {
    if (!(error instanceof AppError && error.status === 429)) throw error
    const [ofAddress = 0] = await waitsOf(limits)
    if (ofAddress > 0) throw await alreadyLifted(tx, ctx, ip, ofAddress)
    throw new AppError(429, 'liftsUsed', {}, error.retryAfter)
  }
}

/**
 * Lifts the limits that have stopped an address, of IPv6 its /64 and its /48, and records which these were. Limits that
 * don't stop it keep their counts. Needs users.write. Throws 429 addressLifted for an address whose limits were lifted in
 * the last day, 429 liftsUsed for a caller who has lifted those of five, and 503 without Redis.
 */
export async function liftAddressLimits(ctx: Ctx, { query }: ServiceInput<typeof calls.liftAddressLimits>) {
  requireMethod(ctx, 'users.write')
  const ip = asRead(query.ip)
  const { registrationsPerIp } = await platformSettings()
  await db().transaction(async (tx) => {
    const { limits } = await stopsOf(tx, ip, ctx.now())
    const stopping = new Set(limits.map(({ limit }) => limit))
    if (stopping.size > 0) await takeLift(tx, ctx, ip)
    const as = (stopped: boolean) =>
      Object.fromEntries([...stopping].map((name) => [name, stopped])) as Record<AddressLimitName, boolean>
    await audit(tx, ctx, addressLimitsEntity, networkOf(ip), as(true), as(false))
    if (stopping.has('registrationLinks')) await removeDailyCounters(tx, linksOfAddress(ip, registrationsPerIp))
    // before the commit: a release that Redis doesn't take isn't recorded
    if (stopping.has('wrongCodes')) await forgetWrongCodes(ip)
    await settlePoints({
      forgotten: (Object.keys(counted) as Counted[]).flatMap((name) => (stopping.has(name) ? counted[name](ip) : [])),
    })
  })
  return {}
}
