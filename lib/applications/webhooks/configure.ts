import { randomUUID } from 'node:crypto'
import { audit } from '@/lib/base/audit/audit'
import { changing } from '@/lib/base/audit/change'
import { recorded } from '@/lib/base/audit/entity'
import { requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import { decrypt } from '@/lib/base/crypto/encryption'
import { env } from '@/lib/base/runtime/env'
import { AppError, fieldError, notFound } from '@/lib/base/runtime/errors'
import { lockApplication } from '../applications/service'
import type * as calls from './contract'
import { mostWebhooks } from './contract'
import { setAside } from './deliver'
import { webhookEntity } from './entity'
import * as rows from './queries'
import { newSecret, stored } from './secrets'

type Values = ServiceInput<typeof calls.createWebhook>['body'] & { enabled: boolean }
type Row = Pick<rows.WebhookRow, 'secrets' | 'name' | 'url' | 'types' | 'applicationId' | 'enabled'>

const recordedOf = (row: Row) => ({
  ...recorded(webhookEntity, row),
  secret: row.secrets.map(({ sealed }) => sealed),
})

/** Returns the newest secret of a webhook. */
export const webhookSecret = ({ id, secrets }: Pick<rows.WebhookRow, 'id' | 'secrets'>): string =>
  secrets[0] ? decrypt('webhooks', secrets[0].sealed, id) : ''

/**
 * Makes a webhook what a configuration says: creates it without an `id`, otherwise replaces it. A secret of null leaves the
 * stored one, and gives a new webhook one of its own. Types that the application may not hear are kept as they are: nothing
 * is sent of them. Needs applications.write. Throws 400 by field, 404, 409 webhookTooMany, and what `lockApplication` throws.
 */
export async function configureWebhook(
  ctx: Ctx,
  {
    applicationId,
    id,
    values,
    secret,
  }: { applicationId: string; id: string | null; values: Values; secret: string | null },
) {
  requireMethod(ctx, 'applications.write')
  if (env().PLATFORM_MODE === 'production' && !values.url.startsWith('https:'))
    throw fieldError('url', 'errorWebhookHttps')
  if (secret !== null && !/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)) throw fieldError('secret', 'errorFormat')
  await changing([], async (tx) => {
    await lockApplication(tx, ctx, applicationId, 'itself')
    if (id === null) {
      if ((await rows.countOf(tx, applicationId)) >= mostWebhooks) throw new AppError(409, 'webhookTooMany')
      const made = randomUUID()
      const row = { ...values, applicationId, secrets: [stored(secret ?? newSecret(), made, ctx.now())] }
      await rows.insertWebhook(tx, { ...row, id: made, createdAt: ctx.now() })
      await audit(tx, ctx, webhookEntity, made, null, recordedOf(row))
      return
    }
    const before = await rows.lockWebhook(tx, applicationId, id)
    if (!before) throw notFound()
    const same = secret === null || secret === webhookSecret(before)
    const secrets = same ? before.secrets : [stored(secret, id, ctx.now())]
    // what failed is tried again only at another address
    const given = before.disabledReason !== null && before.url === values.url
    const enabled = values.enabled && !given
    const after = { ...values, enabled, applicationId, secrets }
    if (!(await audit(tx, ctx, webhookEntity, id, recordedOf(before), recordedOf(after)))) return
    const { applicationId: _, ...changed } = after
    const switched = before.enabled !== enabled
    await rows.storeWebhook(tx, id, { ...changed, ...(switched ? { disabledReason: null } : {}) })
    if (switched) await setAside(tx, id)
  })
}
