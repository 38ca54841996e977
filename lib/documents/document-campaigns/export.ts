import { callerId, requireMethod } from '@/lib/base/context/access'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { GivenFile } from '@/lib/base/contracts/file'
import { auditedExport } from '@/lib/base/export/audited-export'
import type { ExportColumn } from '@/lib/base/export/export'
import { textsIn } from '@/lib/base/i18n/texts-in'
import { campaignOf } from './asked'
import type * as calls from './contract'
import { acceptanceExportEntity } from './entity'
import { selectAcceptancePage } from './queries'

type Row = Awaited<ReturnType<typeof selectAcceptancePage>>['rows'][number]
type Texts = Awaited<ReturnType<typeof textsIn>>

const columnsOf = (t: Texts): ExportColumn<Row>[] => [
  { head: t('document-campaigns.person'), cell: ({ name }) => name },
  { head: t('document-campaigns.login'), cell: ({ login }) => login },
  { head: t('document-campaigns.email'), cell: ({ email }) => email },
  { head: t('document-campaigns.state'), cell: ({ state }) => t(`document-campaigns.states.${state}`) },
  { head: t('document-campaigns.version'), cell: ({ version }) => version },
  { head: t('document-campaigns.date'), moment: ({ date }) => date },
  { head: t('document-campaigns.ip'), cell: ({ ip }) => ip },
  { head: t('document-campaigns.remindedAt'), moment: ({ remindedAt }) => remindedAt },
]

/**
 * Returns the people who answered an agreement or have to answer it as a file (docs/rules/rest.md#exports), which makes
 * an audit event. Needs users.read. Throws 404.
 */
export async function exportAcceptances(
  ctx: Ctx,
  { params: { id }, query: { format, list } }: ServiceInput<typeof calls.exportAcceptances>,
): Promise<GivenFile> {
  requireMethod(ctx, 'users.read')
  const [{ document, asked: campaign }, t] = await Promise.all([campaignOf(id), textsIn(ctx.locale)])
  const reader = { caller: callerId(ctx), timeZone: ctx.timeZone, pageSize: null }
  return auditedExport<Row>(ctx, {
    entity: acceptanceExportEntity,
    filter: { document: document.code, ...list.filter },
    format,
    name: `${document.code}-${ctx.now().toISOString().slice(0, 10)}`,
    columns: columnsOf(t),
    read: async (after) => {
      const { rows, meta } = await selectAcceptancePage(campaign, { ...list, after }, reader, false)
      return { rows, after: meta.after }
    },
  })
}
