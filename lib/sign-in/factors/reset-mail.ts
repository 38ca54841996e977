import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { mailOwner } from '../mail-owner'
import { lockOwner } from './queries'

/** Mails a person that an administrator has removed their authenticator app and passkeys. */
export async function mailAboutReset(tx: Transaction, ctx: Ctx, userId: string) {
  const owner = await lockOwner(tx, userId)
  if (owner) await mailOwner(tx, ctx, owner, 'factorReset')
}
