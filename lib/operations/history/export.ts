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
import { fieldFamily, inWords } from './fields'
import { selectAllRows } from './rows'
import { changerIn, declared, fieldOf, namedBy, namesIn, readingOf } from './service'
import { item, type Shown, shown } from './shown'

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

/** Returns a function that writes recorded values as people read them. */
function valueTexts(t: Words, names: Names) {
  const plain = (value: Plain): string => {
    if (value === null) return ''
    if (typeof value === 'boolean') return t(value ? 'ui.list.yes' : 'ui.list.no')
    if (typeof value === 'string') return names[value] ?? value
    if (typeof value === 'number') return String(value)
    if (Array.isArray(value)) return value.map(plain).join(', ')
    return Object.entries(value)
      .map(([name, one]) => `${name}: ${plain(one)}`)
      .join(', ')
  }
  return (one: Shown): string => {
    if (one.as === 'choice') return t.has(one.text) ? t(one.text) : one.value
    if (one.as === 'cut') return t('whole-history.cut', { text: one.value, count: one.length })
    return one.as === 'text' ? String(one.value) : plain(one.value)
  }
}

/** Returns a row in the words of the screen: fields by their labels, values by the names of what they refer to. */
function exported(ctx: Ctx, row: Row, t: Words, names: Names, defined: Defined): Exported {
  const { entity, entityId } = row
  const { field } = fieldOf(declared.get(entity), row.field ?? '')
  const code = row.field?.startsWith(familyPrefix) ? row.field.slice(familyPrefix.length) : null
  const view = code === null ? null : defined.get(entity)?.get(code)
  const text = valueTexts(t, names)
  const say = (one: Shown) => text(view ? inWords(view)(one) : one)
  const side = (value: Plain, length: number | null) => {
    const safe = withoutSecrets({ value, length }, field)
    if (Array.isArray(safe) && !length) return safe.map((one) => say(item(one, field))).join(', ')
    const one = shown({ value: safe, length }, field)
    return one && say(one)
  }
  const who: Changer = changerIn(ctx, row)
  const label = field?.label
  return {
    date: row.date,
    who: who.kind === 'platform' ? t('history.view.platform') : who.name,
    type: t(`history.view.types.${row.type}`),
    entity: t(`history.entities.${entity}`),
    name: (namedBy.has(entity as EntityName) && names[entityId]) || null,
    id: entityId,
    field: view?.title ?? (label && t.has(label) ? t(label) : row.field),
    previous: side(row.previous, row.previousLength),
    current: side(row.current, row.currentLength),
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
 * Returns the rows of the whole history that the caller sees as a file, a row for each field, in the words of the
 * screen (docs/rules/rest.md#exports). The history records that too. Needs history.read.
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
      return { rows: rows.map((row) => exported(ctx, row, t, names, defined)), after: meta.after }
    },
  })
}
