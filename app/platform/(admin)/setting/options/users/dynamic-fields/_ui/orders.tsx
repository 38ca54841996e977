'use client'

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useWriter } from '@/components/form/use-write'
import { type OrderItem, OrderList } from '@/components/order/order-list'
import type { FieldOwner } from '@/lib/fields/dynamic-fields/contract'

const calls = () => import('@/lib/fields/dynamic-fields/contract')
const placesOf = (ids: readonly string[]) => ids.map((id, order) => ({ id, order }))

type TabProps = { type: FieldOwner; items: OrderItem[]; mayWrite: boolean }

/** The tabs of a type; people who may change them can also order them. */
export function TabOrder({ type, items, mayWrite }: TabProps) {
  const t = useTranslations('dynamic-fields')
  const { write } = useWriter()
  const save = async (ids: string[]) => {
    const contract = () => calls().then(({ orderFieldTabs }) => orderFieldTabs)
    return (await write(contract, { params: { type }, body: { order: placesOf(ids) } }))?.ok === true
  }
  return (
    <OrderList
      label={t('tabs')}
      heads={{ body: t('tab'), side: t('fields') }}
      items={items}
      onOrder={mayWrite ? save : undefined}
    />
  )
}

type FieldProps = {
  type: FieldOwner
  tab: string
  /** The fields of each block of the tab, in their order: the call takes all of them. */
  blocks: readonly { code: string; ids: readonly string[] }[]
  block: string
  label: string
  heads: ReactNode
  items: OrderItem[]
  mayWrite: boolean
}

/** The fields of a block; people who may change them can also order them. */
export function FieldOrder({ type, tab, blocks, block, label, heads, items, mayWrite }: FieldProps) {
  const { write } = useWriter()
  const save = async (ids: string[]) => {
    const order = placesOf(blocks.flatMap((each) => (each.code === block ? ids : each.ids)))
    const contract = () => calls().then(({ orderFields }) => orderFields)
    return (await write(contract, { params: { type, tab }, body: { order } }))?.ok === true
  }
  return (
    <OrderList label={label} heads={{ body: heads, wide: true }} items={items} onOrder={mayWrite ? save : undefined} />
  )
}
