import { saveDisplay } from '@/lib/entry/user-sessions/service'
import { requireUser } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type * as calls from './contract'

/** Stores the size and zoom of the signed-in person's screen, for their list of sessions. Throws 401. */
export async function reportDevice(ctx: Ctx, { body }: VerbInput<typeof calls.reportDevice>) {
  requireUser(ctx)
  await saveDisplay(ctx, { ...body, displayZoom: Math.round(body.displayZoom * 100) / 100 })
  return {}
}
