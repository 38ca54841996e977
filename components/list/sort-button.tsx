'use client'

import { ArrowUpDown } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { buttonClasses } from '../ui/button-classes'

/** The button that opens the choice of a sort. */
export function SortButton(props: ComponentProps<'button'>) {
  const t = useTranslations('ui.list')
  return (
    <button
      aria-haspopup="menu"
      aria-expanded={false}
      {...props}
      type="button"
      className={buttonClasses({ variant: 'secondary', size: 'S' })}
    >
      <ArrowUpDown aria-hidden="true" className="size-4" />
      {t('sort')}
    </button>
  )
}
