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
import { webhookEntity } from './entity'
import * as rows from './queries'
import { newSecret, stored } from './secrets'
import { setAside } from './send-event'

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
 * Creates a webhook from a configuration, or replaces it if there is an `id`. With a secret of null a webhook keeps its
 * secret, and a new one gets a random secret. Types that the application may not hear of are stored too, but nothing is
 * sent for them. Needs applications.write. Throws 400 by field, 404, 409 webhookTooMany, and what `lockApplication`
 * throws.
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
      const newId = randomUUID()
      const row = { ...values, applicationId, secrets: [stored(secret ?? newSecret(), newId, ctx.now())] }
      await rows.webhookRows.insert(tx, { ...row, id: newId, createdAt: ctx.now() })
      await audit(tx, ctx, webhookEntity, newId, null, recordedOf(row))
      return
    }
    const before = await rows.lockWebhook(tx, applicationId, id)
    if (!before) throw notFound()
    const isSameSecret = secret === null || secret === webhookSecret(before)
    const secrets = isSameSecret ? before.secrets : [stored(secret, id, ctx.now())]
    // a webhook that the platform disabled is enabled only with another address
    const staysDisabled = before.disabledReason !== null && before.url === values.url
    const enabled = values.enabled && !staysDisabled
    const after = { ...values, enabled, applicationId, secrets }
    if (!(await audit(tx, ctx, webhookEntity, id, recordedOf(before), recordedOf(after)))) return
    const { applicationId: _, ...changed } = after
    const switched = before.enabled !== enabled
    await rows.webhookRows.update(tx, id, { ...changed, ...(switched ? { disabledReason: null } : {}) })
    if (switched) await setAside(tx, id)
  })
}
