'use client'

import { Download } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { buttonClasses } from '../ui/button-classes'

/** The button that opens the choice of a file. */
export function ExportButton(props: ComponentProps<'button'>) {
  const t = useTranslations('ui.list.export')
  return (
    <button aria-haspopup="dialog" {...props} type="button" className={buttonClasses({ variant: 'quiet', size: 'S' })}>
      <Download aria-hidden="true" className="size-4" />
      {t('open')}
    </button>
  )
}
