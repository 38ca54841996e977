'use client'

import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { OrderList } from '@/components/order/order-list'

const names = ['Ракитина Ольга Фёдоровна', 'Новичков Лев Антонович', 'Ветров Семён Ильич']

/** Rows in an order that anybody may change, with one that stays last. */
export function OrderSample() {
  const t = useTranslations('gallery.order')
  const [order, setOrder] = useState(names)
  const items = [...order, t('last')].map((name) => ({
    id: name,
    name,
    body: <span className="break-words">{name}</span>,
    side: name.length,
    fixed: !names.includes(name),
  }))
  return (
    <OrderList
      label={t('label')}
      heads={{ body: t('name'), side: t('letters') }}
      items={items}
      onOrder={async (ids) => {
        setOrder(ids)
        return true
      }}
    />
  )
}
