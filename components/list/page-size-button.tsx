'use client'

import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { buttonClasses } from '../ui/button-classes'
import { cn } from '../ui/cn'
import { ChevronDown } from '../ui/icons'

/** The button that opens the choice of a page size. */
export function PageSizeButton({ perPage, ...rest }: ComponentProps<'button'> & { perPage: number }) {
  const t = useTranslations('ui.list')
  return (
    <button
      aria-haspopup="menu"
      aria-expanded={false}
      {...rest}
      type="button"
      className={cn(buttonClasses({ variant: 'quiet', size: 'S' }), 'tabular-nums')}
    >
      {t('perPage', { count: perPage })}
      <ChevronDown className="size-4" />
    </button>
  )
}
