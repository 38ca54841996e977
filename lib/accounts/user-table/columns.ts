import type { Ctx } from '@/lib/base/context/ctx'
import type { ExportColumn } from '@/lib/base/export/export'
import { textLocales } from '@/lib/base/i18n/choose-locale'
import { localName } from '@/lib/base/i18n/local-name'
import { textsIn } from '@/lib/base/i18n/texts-in'
import { searchForm } from '@/lib/base/lists/search-form'
import { type FieldView, isBase } from '@/lib/fields/values/definition'
import { peopleFields } from '@/lib/fields/values/service'
import { fieldCell, type SpokenField, type TableField } from './cells'
import { userBlocks, writtenFields } from './fields'

/** An account as a table has it. */
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
  /** What the fields that the administration shows have, by code. */
  shown: Readonly<Record<string, unknown>>
  roles: string
  contractors: string
}

/** A column of a table of accounts: what it holds for an import (null for what no import takes), its head and its cells. */
export type TableColumn = { target: string | null } & ExportColumn<TableAccount>

const prefix = 'field.'
/** Names the field with this code as what a column holds. */
export const targetOf = (code: string): string => `${prefix}${code}`

/** The languages of tables: that of the reader first, in which it is written, then the others. */
const languagesOf = ({ locale }: Ctx) => [locale, ...textLocales.filter((other) => other !== locale)]

/** The fields of base columns that a table has in any case. */
const listed = ['fio', 'login', 'email', 'mobile']

/** Returns fields in each language, from what reads them in one. */
async function inLanguages(ctx: Ctx, read: (ctx: Ctx) => Promise<readonly FieldView[]>): Promise<TableField[]> {
  const [own = [], ...others] = await Promise.all(
    languagesOf(ctx).map(async (locale): Promise<SpokenField[]> => {
      const [t, fields] = await Promise.all([textsIn(locale), read({ ...ctx, locale })])
      const yesNo = (on: boolean) => t(on ? 'ui.list.yes' : 'ui.list.no')
      return fields.map((field) => ({ ...field, yesNo }))
    }),
  )
  return own.map((field, at) => ({ ...field, others: others.flatMap((fields) => fields[at] ?? []) }))
}

/** Returns the fields that an import can write, in each language. */
export const tableFields = (ctx: Ctx): Promise<TableField[]> => inLanguages(ctx, writtenFields)

const shownFields = async (ctx: Ctx) => (await userBlocks(ctx, null)).flatMap((block) => block.fields)

/** Returns the columns with heads of which no two are alike: what stands more than once says its code too. */
function withOwnHeads(columns: readonly (TableColumn & { code: string })[]): TableColumn[] {
  const heads = columns.map(({ head }) => plainHead(head))
  return columns.map(({ code, ...column }, at) => {
    const isAlone = heads.indexOf(heads[at] ?? '') === heads.lastIndexOf(heads[at] ?? '')
    return isAlone ? column : { ...column, head: `${column.head} (${code})` }
  })
}

/** Returns the columns of an exported table of accounts in the language of the reader. Needs users.read. */
export async function tableColumns(ctx: Ctx): Promise<TableColumn[]> {
  const [t, all, shown] = await Promise.all([textsIn(ctx.locale), peopleFields(), inLanguages(ctx, shownFields)])
  const yesNo = (on: boolean) => t(on ? 'ui.list.yes' : 'ui.list.no')
  const base = (code: 'fio' | 'login' | 'email' | 'mobile', cell: (of: TableAccount) => string | null) => {
    const field = all.find((each) => isBase(each) && each.code === code)
    const head = field ? localName(field, ctx.locale) : t(code === 'fio' ? 'users.name' : `users.${code}`)
    return { code, target: targetOf(code), head, cell }
  }
  const fields = shown.filter(
    ({ base: isOwn, code, fieldType }) => fieldType !== 'picture' && !(isOwn && listed.includes(code)),
  )
  return withOwnHeads([
    base('fio', ({ name }) => name),
    base('login', ({ login }) => login),
    base('email', ({ email }) => email),
    base('mobile', ({ mobile }) => mobile),
    { code: 'enabled', target: null, head: t('users.enabled'), cell: ({ enabled }) => yesNo(enabled) },
    {
      ...{ code: 'provider', target: null, head: t('users.provider') },
      cell: ({ providerName }) => providerName ?? t('users.ownAccount'),
    },
    { code: 'externalId', target: 'externalId', head: t('users.externalId'), cell: ({ externalId }) => externalId },
    { code: 'roles', target: 'roles', head: t('users.roles'), cell: ({ roles }) => roles },
    { code: 'contractors', target: 'contractors', head: t('users.contractors'), cell: (of) => of.contractors },
    {
      ...{ code: 'lastSeen', target: null, head: t('users.lastSeen') },
      moment: ({ lastSeenAt }) => (lastSeenAt ? new Date(lastSeenAt) : null),
    },
    { code: 'created', target: null, head: t('users.created'), moment: ({ createdAt }) => createdAt },
    ...fields.map((field) => ({
      ...{ code: field.code, target: targetOf(field.code), head: field.title },
      cell: ({ shown }: TableAccount) => fieldCell(field, shown[field.code]),
    })),
  ])
}

/** A head as searches compare it, in which spaces and punctuation make no difference either. */
export const plainHead = (text: string): string => searchForm(text).replace(/[^\p{L}\p{N}]/gu, '')

/** Whether this is the head of a column in a file, where that of moments names a zone. */
export function isHeadOf(column: TableColumn, head: string): boolean {
  const [own, given] = [plainHead(column.head), plainHead(head)]
  return 'moment' in column ? given.startsWith(own) : given === own
}

/** Returns the columns of exported tables, one list for each language. Needs users.read. */
export const tablesIn = (ctx: Ctx): Promise<TableColumn[][]> =>
  Promise.all(languagesOf(ctx).map((locale) => tableColumns({ ...ctx, locale })))
