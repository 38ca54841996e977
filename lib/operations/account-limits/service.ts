import { type Database, db, type Transaction } from '@/db/client'
import type { CodeFlow } from '@/lib/access/authentication-schemas/flow-ids'
import { lockAdministered } from '@/lib/accounts/users/administer'
import { userEntity } from '@/lib/accounts/users/entity'
import { audit } from '@/lib/base/audit/audit'
import { callerId, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import { dailyBlocks, removeDailyCounters } from '@/lib/sign-in/codes/daily-limit'
import { freeResend } from '@/lib/sign-in/codes/redis-code'
import { browserRequestSubject, receiverSubject, requestSubject } from '@/lib/sign-in/codes/subjects'
import {
  closedAfter,
  forgetPasswordEntries,
  openPasswordFlow,
  passwordWait,
} from '@/lib/sign-in/factors/password/throttle'
import { accountKey } from '@/lib/sign-in/factors/subject'
import { platformSettings } from '@/lib/site/settings/service'
import { activeLimitsOf } from '../address-limits/service'
import type * as calls from './contract'
import { dailyKinds, type UserLimits } from './contract'
import {
  removeWrongCodes,
  selectCounted,
  selectKnownDevices,
  selectMessagePage,
  selectNames,
  selectRefusedAddresses,
} from './queries'

type Names = NonNullable<Awaited<ReturnType<typeof selectNames>>>
type Kind = (typeof dailyKinds)[number]

/** Returns the daily limits of an account: of all its identifiers, in unknown browsers and in these known ones. */
async function dailyOf({ id, login, email, mobile }: Names, devices: readonly string[]) {
  const { authCodeDailyLimit, passwordRefreshAttempts } = await platformSettings()
  const identifiers = Object.entries({ login, email, mobile }).flatMap(([kind, name]) =>
    name ? [{ kind, name: name.trim().toLowerCase() }] : [],
  )
  const codes = (flow: CodeFlow, receiver: string | null) => {
    const requestSubjects = [
      ...identifiers.map(({ kind, name }) => requestSubject(flow, kind, name)),
      ...devices.map((device) => browserRequestSubject(flow, accountKey(id, device))),
    ]
    const sentSubjects = receiver ? [null, ...devices].map((device) => receiverSubject(flow, receiver, device)) : []
    return [
      ...requestSubjects.map((subject) => ({
        of: flow as Kind,
        kind: 'code-asked',
        subject,
        limit: authCodeDailyLimit,
      })),
      ...sentSubjects.map((subject) => ({ of: flow as Kind, kind: 'code', subject, limit: authCodeDailyLimit })),
    ]
  }
  const mail = email?.trim().toLowerCase()
  return [
    ...codes('email_code', email),
    ...codes('sms_code', mobile),
    { of: 'profile' as Kind, kind: 'person-code', subject: id, limit: authCodeDailyLimit },
    ...(mail ? [{ of: 'recovery' as Kind, kind: 'recovery', subject: mail, limit: passwordRefreshAttempts }] : []),
  ]
}

/** Reads all counts that limit an account. */
async function countsOf(run: Database | Transaction, names: Names, now: Date) {
  const devices = await selectKnownDevices(run, names.id)
  const daily = await dailyOf(names, devices)
  const wrongEntries = await selectCounted(run, names.id, now)
  const stops = await dailyBlocks(run, daily, now)
  const wait = await passwordWait(names, devices)
  // requested codes don't count: they may be for a receiver who gets no more
  const sent = Math.max(0, ...stops.map((stop) => (stop.kind === 'code-asked' ? 0 : stop.sent)))
  return { ...wrongEntries, devices, daily, stops, sent, wait }
}

const latestOf = (moments: readonly (Date | null)[]) =>
  moments.reduce((latest, moment) => (moment && (!latest || moment > latest) ? moment : latest), null)

/** Returns the limits that have stopped an account, and until when. Needs users.read. Throws 404. */
export async function readUserLimits(
  ctx: Ctx,
  { params: { id } }: ServiceInput<typeof calls.readUserLimits>,
): Promise<UserLimits> {
  requireMethod(ctx, 'users.read')
  const now = ctx.now()
  const names = await selectNames(db(), id)
  if (!names) throw notFound()
  const { failures, day, month, codesUntil, stops, sent, wait } = await countsOf(db(), names, now)
  const addresses = await selectRefusedAddresses(db(), id, new Date(now.getTime() - 86_400_000))
  const addressStops = await Promise.all(addresses.map((ip) => activeLimitsOf(db(), ip, now)))
  return {
    password: {
      failures,
      closed: failures >= closedAfter,
      until: wait > 0 ? new Date(now.getTime() + wait).toISOString() : null,
    },
    codes: { day, month, closed: codesUntil !== null, until: codesUntil?.toISOString() ?? null },
    sent: {
      day: sent,
      stops: dailyKinds.flatMap((kind) => {
        const until = latestOf(stops.map((stop) => (stop.of === kind ? stop.until : null)))
        return until ? [{ kind, until: until.toISOString() }] : []
      }),
    },
    addresses: addressStops.filter(({ limits }) => limits.length > 0),
  }
}

/**
 * Deletes the wrong passwords and codes of an account and today's counts of messages to it, in known browsers too,
 * which makes an audit event with the counts. Needs users.write. Throws the errors of `lockAdministered`, and 409
 * ownLimits (docs/rules/people.md#administration-of-users).
 */
export async function liftUserLimits(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.liftUserLimits>) {
  requireMethod(ctx, 'users.write')
  if (id === ctx.user?.id) throw new AppError(409, 'ownLimits')
  const {
    account,
    devices,
    asked: codeRequests,
  } = await db().transaction(async (tx) => {
    const account = await lockAdministered(tx, ctx, id)
    const { failures, month, sent, wait, devices, daily } = await countsOf(tx, account, ctx.now())
    await openPasswordFlow(tx, id)
    await removeWrongCodes(tx, id)
    await removeDailyCounters(tx, daily)
    const before = { wrongPasswords: failures, passwordWaits: wait > 0, wrongCodes: month, codesSent: sent }
    const after = { wrongPasswords: 0, passwordWaits: false, wrongCodes: 0, codesSent: 0 }
    await audit(tx, ctx, userEntity, id, before, after)
    return { account, devices, asked: daily.filter(({ kind }) => kind === 'code-asked') }
  })
  // these counts are stored in Redis for minutes
  await forgetPasswordEntries(account, ...devices)
  await Promise.all(codeRequests.map(({ subject }) => freeResend(subject).catch(() => 0)))
  return {}
}

/** Returns one page of the messages to an account, without their text. Needs users.read. Throws 404. */
export async function listUserMessages(
  ctx: Ctx,
  { params: { id }, query }: ServiceInput<typeof calls.listUserMessages>,
) {
  requireMethod(ctx, 'users.read')
  if (!(await selectNames(db(), id))) throw notFound()
  const { rows, meta } = await selectMessagePage(id, query, callerId(ctx), ctx.user?.pagination ?? null)
  const messages = rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }))
  return { messages, meta }
}
