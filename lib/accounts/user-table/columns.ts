import type { Ctx } from '@/lib/base/context/ctx'
import type { ExportColumn } from '@/lib/base/export/export'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { localName } from '@/lib/base/i18n/local-name'
import { textsIn } from '@/lib/base/i18n/texts-in'
import { searchForm } from '@/lib/base/lists/search-form'
import { type FieldView, isBase } from '@/lib/fields/values/definition'
import { peopleFields } from '@/lib/fields/values/service'
import { fieldCell, type LocalizedField, type TableField } from './cells'
import { userBlocks, writtenFields } from './fields'

/** An account as a row of a table. */
export type TableAccount = {
  name: string
  login: string
  email: string | null
  mobile: string | null
  enabled: boolean
  providerName: string | null
  externalId: string | null
  lastSeenAt: string | null
  createdAt: Date
  /** The values of the fields that the administration shows, by code. */
  fieldValues: Readonly<Record<string, unknown>>
  roles: string
  contractors: string
}

/** A column of a table of accounts: its target in an import (null if no import takes it), its head and its cells. */
export type TableColumn = { target: string | null } & ExportColumn<TableAccount>

const prefix = 'field.'
/** Returns the target of a column that holds the field with this code. */
export const targetOf = (code: string): string => `${prefix}${code}`

/** Returns the languages of tables: that of the reader, in which a table is written, then the others. */
const languagesOf = ({ locale }: Ctx) => [locale, ...textLocales.filter((other) => other !== locale)]

/** The codes of the base fields for which every table has a column. */
const baseCodes = ['fio', 'login', 'email', 'mobile']

/** Returns the fields that `read` returns, in each language. */
async function inLanguages(ctx: Ctx, read: (ctx: Ctx) => Promise<readonly FieldView[]>): Promise<TableField[]> {
  const [ownFields = [], ...otherFields] = await Promise.all(
    languagesOf(ctx).map(async (locale): Promise<LocalizedField[]> => {
      const [t, fields] = await Promise.all([textsIn(locale), read({ ...ctx, locale })])
      const yesNo = (on: boolean) => t(on ? 'ui.list.yes' : 'ui.list.no')
      return fields.map((field) => ({ ...field, yesNo }))
    }),
  )
  return ownFields.map((field, index) => ({ ...field, others: otherFields.flatMap((fields) => fields[index] ?? []) }))
}

/** Returns the fields that an import can write, in each language. */
export const tableFields = (ctx: Ctx): Promise<TableField[]> => inLanguages(ctx, writtenFields)

const shownFields = async (ctx: Ctx) => (await userBlocks(ctx, null)).flatMap((block) => block.fields)

/** Returns the columns with unique heads: a head that occurs several times gets the code of its column. */
function withUniqueHeads(columns: readonly (TableColumn & { code: string })[]): TableColumn[] {
  const heads = columns.map(({ head }) => plainHead(head))
  return columns.map(({ code, ...column }, index) => {
    const isUnique = heads.indexOf(heads[index] ?? '') === heads.lastIndexOf(heads[index] ?? '')
    return isUnique ? column : { ...column, head: `${column.head} (${code})` }
  })
}

/** Returns the columns of an exported table of accounts in the language of the reader. Needs users.read. */
export async function tableColumns(ctx: Ctx): Promise<TableColumn[]> {
  const [t, definitions, shown] = await Promise.all([
    textsIn(ctx.locale),
    peopleFields(),
    inLanguages(ctx, shownFields),
  ])
  const yesNo = (on: boolean) => t(on ? 'ui.list.yes' : 'ui.list.no')
  const baseColumn = (code: 'fio' | 'login' | 'email' | 'mobile', cell: (account: TableAccount) => string | null) => {
    const field = definitions.find((each) => isBase(each) && each.code === code)
    const head = field ? localName(field, ctx.locale) : t(code === 'fio' ? 'users.name' : `users.${code}`)
    return { code, target: targetOf(code), head, cell }
  }
  const fields = shown.filter(
    ({ base: isOwn, code, fieldType }) => fieldType !== 'picture' && !(isOwn && baseCodes.includes(code)),
  )
  return withUniqueHeads([
    baseColumn('fio', ({ name }) => name),
    baseColumn('login', ({ login }) => login),
    baseColumn('email', ({ email }) => email),
    baseColumn('mobile', ({ mobile }) => mobile),
    { code: 'enabled', target: null, head: t('users.enabled'), cell: ({ enabled }) => yesNo(enabled) },
    {
      ...{ code: 'provider', target: null, head: t('users.provider') },
      cell: ({ providerName }) => providerName ?? t('users.ownAccount'),
    },
    { code: 'externalId', target: 'externalId', head: t('users.externalId'), cell: ({ externalId }) => externalId },
    { code: 'roles', target: 'roles', head: t('users.roles'), cell: ({ roles }) => roles },
    {
      code: 'contractors',
      target: 'contractors',
      head: t('users.contractors'),
      cell: (account) => account.contractors,
    },
    {
      ...{ code: 'lastSeen', target: null, head: t('users.lastSeen') },
      moment: ({ lastSeenAt }) => (lastSeenAt ? new Date(lastSeenAt) : null),
    },
    { code: 'created', target: null, head: t('users.created'), moment: ({ createdAt }) => createdAt },
    ...fields.map((field) => ({
      ...{ code: field.code, target: targetOf(field.code), head: field.title },
      cell: ({ fieldValues }: TableAccount) => fieldCell(field, fieldValues[field.code]),
    })),
  ])
}

/** Returns a head as searches compare it, without spaces and punctuation. */
export const plainHead = (text: string): string => searchForm(text).replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Returns whether a column has this head in a file. In a file the head of a column of moments names the time zone too.
 */
export function isHeadOf(column: TableColumn, head: string): boolean {
  const [columnHead, fileHead] = [plainHead(column.head), plainHead(head)]
  return 'moment' in column ? fileHead.startsWith(columnHead) : fileHead === columnHead
}

/** Returns the columns of exported tables, one list for each language. Needs users.read. */
export const tablesIn = (ctx: Ctx): Promise<TableColumn[][]> =>
  Promise.all(languagesOf(ctx).map((locale) => tableColumns({ ...ctx, locale })))
