import type { Referred } from '@/lib/base/audit/entity'
import type { Plain } from '@/lib/base/audit/values'
import type { Ctx } from '@/lib/base/context/ctx'
import type { ServiceInput } from '@/lib/base/contracts/contract'
import type { EntityName } from '@/lib/base/contracts/entity-names.generated'
import type { GivenFile } from '@/lib/base/contracts/file'
import { auditedExport } from '@/lib/base/export/audited-export'
import type { ExportColumn } from '@/lib/base/export/export'
import { textsIn } from '@/lib/base/i18n/texts-in'
import { type Words, wordsOf } from '@/lib/base/i18n/words'
import type * as calls from './contract'
import type { Changer, Names } from './contract'
import { withoutSecrets } from './diff'
import { historyExportEntity } from './entity'
import { displayByDefinition, fieldFamily } from './fields'
import { selectAllRows } from './rows'
import { changerIn, declared, fieldOf, namedBy, namesIn, readingOf } from './service'
import { displayed, item, type Shown } from './shown'

type Row = Awaited<ReturnType<typeof selectAllRows>>['rows'][number]
type Defined = Awaited<ReturnType<typeof readingOf>>['defined']
type Exported = {
  date: Date
  who: string
  type: string
  entity: string
  name: string | null
  id: string
  field: string | null
  previous: string | null
  current: string | null
  ip: string | null
  request: string | null
}

const familyPrefix = fieldFamily.slice(0, -1)

/** Returns a function that formats recorded values for people. */
function valueTexts(t: Words, names: Names) {
  const plain = (value: Plain): string => {
    if (value === null) return ''
    if (typeof value === 'boolean') return t(value ? 'ui.list.yes' : 'ui.list.no')
    if (typeof value === 'string') return names[value] ?? value
    if (typeof value === 'number') return String(value)
    if (Array.isArray(value)) return value.map(plain).join(', ')
    return Object.entries(value)
      .map(([name, inner]) => `${name}: ${plain(inner)}`)
      .join(', ')
  }
  return (inner: Shown): string => {
    if (inner.as === 'choice') return t.has(inner.text) ? t(inner.text) : inner.value
    if (inner.as === 'cut') return t('whole-history.cut', { text: inner.value, count: inner.length })
    return inner.as === 'text' ? String(inner.value) : plain(inner.value)
  }
}

/** Returns a row with the texts of the screen: labels of fields, and names of the objects that values refer to. */
function exportedRow(ctx: Ctx, row: Row, t: Words, names: Names, defined: Defined): Exported {
  const { entity, entityId } = row
  const { field } = fieldOf(declared.get(entity), row.field ?? '')
  const code = row.field?.startsWith(familyPrefix) ? row.field.slice(familyPrefix.length) : null
  const view = code === null ? null : defined.get(entity)?.get(code)
  const text = valueTexts(t, names)
  const textFor = (inner: Shown) => text(view ? displayByDefinition(view)(inner) : inner)
  const valueText = (value: Plain, length: number | null) => {
    const masked = withoutSecrets({ value, length }, field)
    if (Array.isArray(masked) && !length) return masked.map((inner) => textFor(item(inner, field))).join(', ')
    const inner = displayed({ value: masked, length }, field)
    return inner && textFor(inner)
  }
  const actor: Changer = changerIn(ctx, row)
  const label = field?.label
  return {
    date: row.date,
    who: actor.kind === 'platform' ? t('history.view.platform') : actor.name,
    type: t(`history.view.types.${row.type}`),
    entity: t(`history.entities.${entity}`),
    name: (namedBy.has(entity as EntityName) && names[entityId]) || null,
    id: entityId,
    field: view?.title ?? (label && t.has(label) ? t(label) : row.field),
    previous: valueText(row.previous, row.previousLength),
    current: valueText(row.current, row.currentLength),
    ip: row.ip,
    request: row.requestId,
  }
}

const columnsOf = (t: Words): ExportColumn<Exported>[] => [
  { head: t('whole-history.date'), moment: ({ date }) => date },
  { head: t('whole-history.who'), cell: ({ who }) => who },
  { head: t('whole-history.type'), cell: ({ type }) => type },
  { head: t('whole-history.object'), cell: ({ entity }) => entity },
  { head: t('whole-history.objectName'), cell: ({ name }) => name },
  { head: t('whole-history.objectId'), cell: ({ id }) => id },
  { head: t('whole-history.param'), cell: ({ field }) => field },
  { head: t('whole-history.previous'), cell: ({ previous }) => previous },
  { head: t('whole-history.current'), cell: ({ current }) => current },
  { head: t('whole-history.ip'), cell: ({ ip }) => ip },
  { head: t('whole-history.request'), cell: ({ request }) => request },
]

/**
 * Returns the rows of the whole history that the caller sees as a file, a row for each field, with the texts of the
 * screen (docs/rules/rest.md#exports). The export makes an audit event. Needs history.read.
 */
export async function exportHistory(
  ctx: Ctx,
  { query: { format, list } }: ServiceInput<typeof calls.exportHistory>,
): Promise<GivenFile> {
  const { reading, defined } = await readingOf(ctx, list)
  const t = wordsOf(await textsIn(ctx.locale))
  return auditedExport<Exported>(ctx, {
    entity: historyExportEntity,
    filter: list.filter,
    format,
    name: `history-${ctx.now().toISOString().slice(0, 10)}`,
    columns: columnsOf(t),
    read: async (after) => {
      const { rows, meta } = await selectAllRows({ ...list, after }, reading)
      const objects = rows.flatMap(({ entity, entityId }): [Referred, string][] => {
        const referred = namedBy.get(entity as EntityName)
        return referred ? [[referred, entityId]] : []
      })
      const parts = rows.map(({ field, ...row }) => ({ ...row, fields: field === null ? [] : [{ ...row, field }] }))
      const names = await namesIn(ctx, parts, objects)
      return { rows: rows.map((row) => exportedRow(ctx, row, t, names, defined)), after: meta.after }
    },
  })
}
