import { randomPKCECodeVerifier } from 'openid-client'
import { db, type Transaction } from '@/db/client'
import { usableFlows } from '@/lib/access/authentication-schemas/flows'
import { userEntity } from '@/lib/accounts/users/entity'
import { lockAccount } from '@/lib/accounts/users/personal'
import { audit } from '@/lib/base/audit/audit'
import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { randomToken } from '@/lib/base/crypto/encryption'
import { takePoints } from '@/lib/base/limits/limits'
import { onBroken } from '@/lib/base/postgres/constraints'
import { AppError, notFound } from '@/lib/base/runtime/errors'
import type { ProviderRow } from '@/lib/identity-providers/connections/service'
import { offeredProviders, providerToSignIn } from '@/lib/identity-providers/connections/sign-in'
import { sendMail } from '@/lib/messaging/sender/service'
import { endUserSessions } from '@/lib/sign-in/sessions/service'
import type * as calls from './contract'
import { authorizationAddress, type Identity } from './identity'
import { logRefusal } from './log-refused'
import { storePending } from './pending'
import {
  holdEnabled,
  insertLink,
  lockPerson,
  removeLink,
  selectKeeper,
  selectLinks,
  selectProvenAccount,
} from './queries'
import { ProviderRefused } from './refusal'

/** How often a person may begin to link accounts in an hour. */
const tiers = [{ points: 30, duration: 3_600 }]

type Link = Awaited<ReturnType<typeof selectLinks>>[number]
const namesOf = (links: readonly Link[]) =>
  links.map(({ provider, name }) => (name ? `${provider}: ${name}` : provider))

/** Records an audit event of the accounts of providers with which a person can sign in. */
const recordLinks = (tx: Transaction, ctx: Ctx, userId: string, before: readonly Link[], after: readonly Link[]) =>
  audit(tx, ctx, userEntity, userId, { linkedProviders: namesOf(before) }, { linkedProviders: namesOf(after) })

/** Returns the providers that the person has linked, and those that can be linked on this domain. Throws 401. */
export async function listOwnProviders(ctx: Ctx): Promise<{ providers: calls.OwnProvider[] }> {
  requireUser(ctx)
  const [links, offered, keeper] = await Promise.all([
    selectLinks(db(), ctx.user.id),
    offeredProviders(ctx.domain.id),
    selectKeeper(ctx.user.id),
  ])
  const linked = links.map(({ providerId: id, provider, name, createdAt }) => ({
    ...{ id, name: provider, linked: { name, date: createdAt.toISOString() }, linkable: false },
  }))
  const linkableProviders = offered.filter(({ id }) => id !== keeper && !linked.some((row) => row.id === id))
  return { providers: [...linked, ...linkableProviders.map((row) => ({ ...row, linked: null, linkable: true }))] }
}

/**
 * Begins to link an account of a provider to the account of the signed-in person. Returns the address where the person
 * signs in at the provider. Throws 401, 404 for a provider that isn't offered here or keeps the account, 409
 * providerLinked, 400 providerDown, 429 (docs/rules/providers.md#links).
 */
export async function linkOwnProvider(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.linkOwnProvider>) {
  requireUser(ctx)
  const { user, session } = ctx
  const { providers } = await listOwnProviders(ctx)
  const chosen = providers.find((row) => row.id === id)
  if (chosen?.linked) throw new AppError(409, 'providerLinked')
  const provider = chosen ? await providerToSignIn(id, ctx.domain.id) : null
  if (!provider) throw notFound()
  await takePoints({ name: 'provider-link', key: user.id, tiers })
  const [nonce, verifier] = [randomToken(), randomPKCECodeVerifier()]
  const link = { userId: user.id, sessionId: session.id }
  const address = await authorizationAddress(ctx, provider, async () => ({
    state: await storePending(ctx, { providerId: id, domainId: ctx.domain.id, nonce, verifier, path: null, link }),
    ...{ nonce, verifier, hint: undefined, anew: false },
  })).catch(async (error) => {
    if (!(error instanceof ProviderRefused)) throw error
    await logRefusal(ctx, error, { providerId: id, path: null, userId: user.id, linking: true })
    throw new AppError(400, 'providerDown')
  })
  return { leads: address }
}

/**
 * Links the account that a provider has proven to the person who began the link, if they are still signed in with the
 * same session. Throws ProviderRefused if another person has linked that account, or if the session is another one
 * (docs/rules/providers.md#links).
 */
export async function linkProven(
  ctx: Ctx,
  provider: ProviderRow,
  { subject, name }: Identity,
  link: { userId: string; sessionId: string },
): Promise<void> {
  // another person may have signed in in this browser in the meantime
  if (!ctx.user || ctx.user.id !== link.userId || ctx.session?.id !== link.sessionId)
    throw new ProviderRefused('answer', 'personGone')
  const { id: userId } = ctx.user
  const takenError = () => new ProviderRefused('taken', 'linkedAlready', userId)
  const racedError = () => new AppError(409, 'providerLinked')
  const broken = { provider_links_external: racedError, provider_links_user: racedError }
  await onBroken(broken, () =>
    db().transaction(async (tx) => {
      if (!(await holdEnabled(tx, provider.id))) throw new ProviderRefused('off')
      await lockPerson(tx, provider.id, subject)
      const account = await lockAccount(tx, userId)
      if (!account?.enabled) throw new ProviderRefused('blocked', '', userId)
      const owner = await selectProvenAccount(tx, provider.id, subject)
      if (owner === userId) return
      if (owner || account.providerId === provider.id) throw takenError()
      const before = await selectLinks(tx, userId)
      await insertLink(tx, { userId, providerId: provider.id, externalId: subject, name, createdAt: ctx.now() })
      await recordLinks(tx, ctx, userId, before, await selectLinks(tx, userId))
      if (!account.email) return
      await sendMail(tx, ctx, {
        template: 'providerLinked',
        to: account.email,
        userId,
        values: {
          name: account.firstName,
          provider: provider.name,
          login: account.login,
          date: ctx.now(),
          ip: ctx.ip,
          link: `${ctx.domain.origin}/platform/profile/personal`,
        },
      })
    }),
  )
}

/**
 * Unlinks an account of a provider, and ends all sessions of the person except this one. Throws 401, 404, and 409
 * providerOnlyWay if the person could no longer sign in (docs/rules/providers.md#links).
 */
export async function unlinkOwnProvider(ctx: Ctx, { params: { id } }: ServiceInput<typeof calls.unlinkOwnProvider>) {
  requireUser(ctx)
  const { user, session } = ctx
  const after = await db().transaction(async (tx) => {
    const account = await lockAccount(tx, user.id)
    const before = await selectLinks(tx, user.id)
    if (!account || !before.some(({ providerId }) => providerId === id)) throw notFound()
    const remaining = before.filter(({ providerId }) => providerId !== id)
    if (
      remaining.length === 0 &&
      !account.providerId &&
      usableFlows({ ...account, hasAuthenticatorApp: false, hasPasskey: false }).length === 0
    )
      throw new AppError(409, 'providerOnlyWay')
    await removeLink(tx, user.id, id)
    await recordLinks(tx, ctx, user.id, before, remaining)
    return endUserSessions(tx, ctx, user.id, 'providerUnlinked', session.id)
  })
  await after()
  return {}
}
