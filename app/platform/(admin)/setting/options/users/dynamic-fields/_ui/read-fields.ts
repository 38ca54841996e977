import type { Ctx } from '@/lib/base/context/ctx'
import { listFieldTabs, listFieldTypes, readFieldTab } from '@/lib/fields/dynamic-fields/service'

/** Returns the types with their counts, and the tabs of one type with their blocks and fields. Throws 404 for the type. */
export async function readFields(ctx: Ctx, type: string) {
  const [{ types }, { tabs }] = await Promise.all([listFieldTypes(ctx), listFieldTabs(ctx, { params: { type } })])
  const read = await Promise.all(tabs.map(({ id }) => readFieldTab(ctx, { params: { type, tab: id } })))
  return { types, tabs: read.map(({ tab }) => tab) }
}

export type TabOfFields = Awaited<ReturnType<typeof readFields>>['tabs'][number]
export type Block = TabOfFields['subtypes'][number]
export type Field = Block['fields'][number]
