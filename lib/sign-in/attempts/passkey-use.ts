import { extraFactors, schemaOfAccount } from '@/lib/access/authentication-schemas/choice'
import { nextFlows, satisfies } from '@/lib/access/authentication-schemas/factors'
import { passkeyFlow, providerFlow } from '@/lib/access/authentication-schemas/flow-ids'
import { entryOf, readyFlows } from '@/lib/access/authentication-schemas/flows'
import { authenticationSchemas } from '@/lib/access/authentication-schemas/service'
import type { Ctx } from '@/lib/base/context/ctx'
import { ownPage } from '@/lib/base/navigation/after-sign-in'
import { log } from '@/lib/base/runtime/log'
import { type Account, selectAccountById, storeOffer } from './queries'

/**
 * Returns what passkeys are to a person: whether the schema that applies names them, and whether nothing else signs the
 * person in.
 */
export async function passkeyUse(userId: string): Promise<{ signIn: boolean; isOnlyWay: boolean }> {
  const [schemas, account] = await Promise.all([authenticationSchemas(), selectAccountById(userId)])
  if (!account || !readyFlows().includes(passkeyFlow)) return { signIn: false, isOnlyWay: false }
  const schema = schemaOfAccount(schemas, account)
  // the provider that keeps an account proves its first factor
  const start = account.atProvider ? [providerFlow] : []
  const canEnter = (hasPasskey: boolean) => {
    const { schemas: demands, flows } = entryOf([schema, ...extraFactors(account)], { ...account, hasPasskey })
    const needed = account.atProvider
      ? demands.map((factors) => ({
          ...factors,
          firstFactor: [...factors.firstFactor.filter((flow) => flow !== passkeyFlow), providerFlow],
        }))
      : demands
    const isProven = needed.every((factors) => satisfies(start, factors))
    return isProven || nextFlows<string>(start, needed, flows).length > 0
  }
  return {
    signIn: [...(account.atProvider ? [] : schema.firstFactor), ...schema.secondFactor].includes(passkeyFlow),
    isOnlyWay: canEnter(true) && !canEnter(false),
  }
}

/** Returns whether whoever has the mailbox of an account gets in by it: by codes, and by a new password. */
export async function letsInByMailbox(userId: string): Promise<boolean> {
  const [schemas, account] = await Promise.all([authenticationSchemas(), selectAccountById(userId)])
  return (
    account !== null && nextFlows([], [schemaOfAccount(schemas, account)], ['credentials', 'email_code']).length > 0
  )
}

/** Returns whether an active schema begins with a passkey, so that the sign-in page offers it to everybody. */
export const offersPasskeys = async (): Promise<boolean> =>
  readyFlows().includes(passkeyFlow) &&
  (await authenticationSchemas()).some(({ firstFactor }) => firstFactor.includes(passkeyFlow))

const offerPage = '/platform/profile/passkey'

/**
 * Returns where a person goes who has just signed in: once, after a password, to the page that offers a passkey and leads
 * on to `redirect`, if the schema that applies to them names passkeys and they have none.
 */
export async function withPasskeyOffer(
  ctx: Ctx,
  account: Account,
  { proven, redirect }: { proven: readonly string[]; redirect: string },
): Promise<string> {
  if (!proven.includes('credentials') || account.hasPasskey || !readyFlows().includes(passkeyFlow)) return redirect
  const schema = schemaOfAccount(await authenticationSchemas(), account)
  if (![...schema.firstFactor, ...schema.secondFactor].includes(passkeyFlow)) return redirect
  // the person is signed in already
  const isFirst = await storeOffer(account.id, ctx.now()).catch((error) => {
    log.warn({ err: error }, 'no passkey was offered')
    return false
  })
  if (!isFirst) return redirect
  const path = ownPage(redirect)
  return path ? `${offerPage}?${new URLSearchParams({ path })}` : offerPage
}
