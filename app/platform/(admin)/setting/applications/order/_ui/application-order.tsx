'use client'

import { useTranslations } from 'next-intl'
import { useWriter } from '@/components/form/use-write'
import { type OrderItem, OrderList } from '@/components/order/order-list'

/** The applications in their order; people who may change them can also order them. */
export function ApplicationOrder({ items, mayWrite }: { items: OrderItem[]; mayWrite: boolean }) {
  const t = useTranslations('applications')
  const { write } = useWriter()
  const save = async (ids: string[], read: string[]) => {
    const body = { order: ids.map((id, order) => ({ id, order })), read }
    const { orderApplications } = await import('@/lib/applications/applications/contract')
    return (await write(orderApplications, { body }))?.ok === true
  }
  return <OrderList label={t('order.list')} items={items} onOrder={mayWrite ? save : undefined} />
}
