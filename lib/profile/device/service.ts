import { keepDisplay } from '@/lib/entry/user-sessions/service'
import { requireUser } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { reportDevice } from './contract'

/** Keeps what the signed-in person's screen is like, for their list of sessions. */
export async function keepDevice(ctx: Ctx, { body }: VerbInput<typeof reportDevice>) {
  requireUser(ctx)
  await keepDisplay(ctx, { ...body, displayZoom: Math.round(body.displayZoom * 100) / 100 })
  return {}
}
