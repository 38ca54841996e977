import { callerId, requireMethod } from '@/lib/kernel/access'
import type { Ctx } from '@/lib/kernel/ctx'
import type { ExportColumn } from '@/lib/kernel/export/export'
import { recordedExport } from '@/lib/kernel/export/recorded'
import type { ExportCell } from '@/lib/kernel/export/xlsx'
import type { VerbInput } from '@/lib/kernel/http/contract'
import type { GivenFile } from '@/lib/kernel/http/file'
import { textsIn } from '@/lib/kernel/i18n/texts-in'
import { type FieldView, shownParts } from '@/lib/people/fields/definition'
import type * as calls from './contract'
import { userExportEntity } from './entity'
import { requiredCodes, shownValues, userBlocks } from './fields'
import { selectUsersToExport } from './queries'

type Row = Awaited<ReturnType<typeof selectUsersToExport>>['rows'][number]
type Read = Row & { shown: Record<string, unknown> }

/** The fields that the list has in any case. */
const listed = ['fio', 'login', 'email', 'mobile']

type Texts = Awaited<ReturnType<typeof textsIn>>

function fieldCell(field: FieldView, value: unknown, yesNo: (on: boolean) => string): ExportCell {
  const parts = shownParts(field, value)
  const [first] = parts
  if (parts.length === 1 && first?.as === 'date') return { day: first.text }
  return parts.map((part) => (part.as === 'yesNo' ? yesNo(part.on) : part.text)).join(', ') || null
}

function columnsOf(t: Texts, fields: readonly FieldView[]): ExportColumn<Read>[] {
  const yesNo = (on: boolean) => t(on ? 'ui.list.yes' : 'ui.list.no')
  return [
    { head: t('users.name'), cell: ({ name }) => name },
    { head: t('users.login'), cell: ({ login }) => login },
    { head: t('users.email'), cell: ({ email }) => email },
    { head: t('users.mobile'), cell: ({ mobile }) => mobile },
    { head: t('users.enabled'), cell: ({ enabled }) => yesNo(enabled) },
    { head: t('users.provider'), cell: ({ providerName }) => providerName ?? t('users.ownAccount') },
    { head: t('users.externalId'), cell: ({ externalId }) => externalId },
    { head: t('users.lastSeen'), cell: ({ lastSeenAt }) => (lastSeenAt ? new Date(lastSeenAt) : null) },
    { head: t('users.created'), cell: ({ createdAt }) => createdAt },
    ...fields.map((field) => ({
      head: field.title,
      cell: ({ shown }: Read) => fieldCell(field, shown[field.code], yesNo),
    })),
  ]
}

/**
 * Returns the accounts of the list as a file: its columns, and the fields that the administration shows
 * (docs/rules/rest.md#exports), which the history records. Needs users.read.
 */
export async function exportUsers(
  ctx: Ctx,
  { query: { format, list } }: VerbInput<typeof calls.exportUsers>,
): Promise<GivenFile> {
  requireMethod(ctx, 'users.read')
  const [t, blocks, required] = await Promise.all([
    textsIn(ctx.locale),
    userBlocks(ctx, false),
    list.filter.incomplete === undefined ? null : requiredCodes(),
  ])
  const fields = blocks
    .flatMap((block) => block.fields)
    .filter(({ base, code, fieldType }) => fieldType !== 'picture' && !(base && listed.includes(code)))
  const about = { id: callerId(ctx), now: ctx.now(), required }
  return recordedExport<Read>(ctx, {
    entity: userExportEntity,
    filter: list.filter,
    format,
    name: `users-${about.now.toISOString().slice(0, 10)}`,
    columns: columnsOf(t, fields),
    read: async (after) => {
      const { rows, meta } = await selectUsersToExport({ ...list, after }, about)
      const read = rows.map(async (row) => ({ ...row, shown: await shownValues(row) }))
      return { rows: await Promise.all(read), after: meta.after }
    },
  })
}
