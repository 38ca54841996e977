'use client'

import { useTranslations } from 'next-intl'
import { useWriter } from '@/components/form/use-write'
import { type OrderItem, OrderList } from '@/components/order/order-list'

/** The list of schemas; people who may change them can also order them. */
export function SchemaOrder({ items, mayWrite }: { items: OrderItem[]; mayWrite: boolean }) {
  const t = useTranslations('authentication-schemas')
  const { write } = useWriter()
  const save = async (ids: string[], read: string[]) => {
    const body = { priority: ids.map((id, priority) => ({ id, priority })), read }
    const contract = () =>
      import('@/lib/sign-in/schema-administration/contract').then((calls) => calls.orderAuthenticationSchemas)
    return (await write(contract, { body }))?.ok === true
  }
  return (
    <OrderList
      label={t('list')}
      heads={{ body: t('schemaAndFactors'), side: t('people') }}
      items={items}
      onOrder={mayWrite ? save : undefined}
    />
  )
}
