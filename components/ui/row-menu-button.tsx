'use client'

import { Ellipsis } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { iconButtonClasses } from './icon-button-classes'

/** The button of a row's menu; `row` is the name of the row. */
export function RowMenuButton({ row, ...rest }: ComponentProps<'button'> & { row: string }) {
  const t = useTranslations('ui.list')
  return (
    <button
      aria-haspopup="menu"
      aria-expanded={false}
      aria-label={t('rowActions', { row })}
      {...rest}
      type="button"
      data-row-action=""
      className={iconButtonClasses}
    >
      <Ellipsis aria-hidden="true" className="size-4" />
    </button>
  )
}
