'use client'

import { Columns3 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { buttonClasses } from '../ui/button-classes'

/** The button that opens the choice of columns. */
export function ColumnsButton(props: ComponentProps<'button'>) {
  const t = useTranslations('ui.list')
  return (
    <button
      aria-haspopup="menu"
      aria-expanded={false}
      {...props}
      type="button"
      className={buttonClasses({ variant: 'quiet', size: 'S' })}
    >
      <Columns3 aria-hidden="true" className="size-4" />
      {t('columns')}
    </button>
  )
}
