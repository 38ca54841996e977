import { db } from '@/db/client'
import { lockAdministered } from '@/lib/accounts/users/administer'
import { userEntity } from '@/lib/accounts/users/entity'
import { audit } from '@/lib/base/audit/audit'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { nameAmong } from '@/lib/base/i18n/local-name'
import { notFound } from '@/lib/base/runtime/errors'
import { requestPageOf } from '@/lib/companies/access-requests/service'
import { invitationPageOf } from '@/lib/joining/received-invitations/service'
import { forgetBrowser } from '@/lib/sign-in/sessions/service'
import type * as calls from './contract'
import { selectAgreements, selectBrowsers, selectEmail } from './queries'

/** Requires users.read, and returns the account's e-mail. Throws 404 for an unknown account. */
async function requireReadable(ctx: Ctx, id: string) {
  requireMethod(ctx, 'users.read')
  const row = await selectEmail(id)
  if (!row) throw notFound()
  return row
}

/**
 * Returns the browsers that an account knows (docs/rules/codes.md#limits). Needs users.read. Throws 404.
 */
export async function listUserBrowsers(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.listUserBrowsers>) {
  await requireReadable(ctx, id)
  const rows = await selectBrowsers(db(), id)
  const browsers = rows.map(({ first_seen, last_seen, sessions: _, ...row }) => ({
    ...row,
    firstSeen: new Date(first_seen).toISOString(),
    lastSeen: new Date(last_seen).toISOString(),
  }))
  return { browsers }
}

/**
 * Makes an account forget a browser, which then has no limits of its own. Needs users.write. Throws what
 * `lockAdministered` throws, and 404 for a browser that the account doesn't know
 * (docs/rules/people.md#administration-of-users).
 */
export async function forgetUserBrowser(
  ctx: Ctx,
  { params: { id, browserId } }: ServiceInput<typeof calls.forgetUserBrowser>,
) {
  requireMethod(ctx, 'users.write')
  await db().transaction(async (tx) => {
    await lockAdministered(tx, ctx, id)
    const browser = (await selectBrowsers(tx, id)).find(({ sessions }) => sessions.includes(browserId.toLowerCase()))
    if (!browser) throw notFound()
    await forgetBrowser(tx, id, browser.id)
    const knownBrowser = [browser.browser, browser.system].filter(Boolean).join(', ') || browser.ip
    await audit(tx, ctx, userEntity, id, { knownBrowser }, { knownBrowser: null })
  })
  return {}
}

/** Returns a person's answers to agreements. Needs users.read. Throws 404. */
export async function listUserAgreements(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.listUserAgreements>) {
  await requireReadable(ctx, id)
  const rows = await selectAgreements(id)
  const agreements = rows.map(({ titles, code, agreedAt, refusedAt, ...row }) => ({
    ...{ id: row.id, version: row.version, agreedVersion: row.agreedVersion, ip: row.ip },
    code,
    title: nameAmong(titles, ctx.locale, code),
    agreedAt: agreedAt?.toISOString() ?? null,
    refusedAt: refusedAt?.toISOString() ?? null,
  }))
  return { agreements }
}

/** Returns one page of somebody's access requests. Needs users.read. Throws 404. */
export async function listUserRequests(
  ctx: Ctx,
  { params: { id }, query }: ServiceInput<typeof calls.listUserRequests>,
) {
  await requireReadable(ctx, id)
  return requestPageOf(ctx, id, query)
}

/**
 * Returns one page of the invitations to somebody, whether or not they have proven their e-mail. Needs users.read.
 * Throws 404.
 */
export async function listUserInvitations(
  ctx: Ctx,
  { params: { id }, query }: ServiceInput<typeof calls.listUserInvitations>,
) {
  const { email } = await requireReadable(ctx, id)
  return invitationPageOf(ctx, { userId: id, email: email?.toLowerCase() ?? null }, query)
}
