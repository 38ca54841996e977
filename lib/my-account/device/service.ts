import { requireUser } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { saveDisplay } from '@/lib/sign-in/own-sessions/service'
import type * as calls from './contract'

/** Stores the size and zoom of the signed-in person's screen, for their list of sessions. Throws 401. */
export async function reportDevice(ctx: Ctx, { body }: ServiceInput<typeof calls.reportDevice>) {
  requireUser(ctx)
  await saveDisplay(ctx, { ...body, displayZoom: Math.round(body.displayZoom * 100) / 100 })
  return {}
}
