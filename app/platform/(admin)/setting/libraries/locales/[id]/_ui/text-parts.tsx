'use client'

import { Download, Upload } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ComponentProps } from 'react'
import { CardActions } from '@/components/card/card-actions'
import { SliceMenu } from '@/components/list/slice-parts'
import { later } from '@/components/ui/later'
import type { TextMenu } from './text-menu'

const ImportTexts = later(() => import('./import-texts').then((part) => part.ImportTexts))
const menu = () => import('./text-menu').then((part) => part.TextMenu)

/** The menu of a text. */
export const TextRowMenu = (of: ComponentProps<typeof TextMenu>) => <SliceMenu menu={menu} of={of} />

/** The actions on all texts of a language: export them as a file, and import one. */
export function TextActions({ id, name }: { id: string; name: string }) {
  const t = useTranslations('locale-texts')
  return (
    <CardActions
      name={name}
      actions={[
        {
          kind: 'dialog',
          label: t('import'),
          icon: Upload,
          title: t('importTitle', { name }),
          text: t('importText'),
          body: (done) => <ImportTexts id={id} onDone={done} />,
        },
        {
          kind: 'link',
          label: t('export'),
          icon: Download,
          href: `/api/v1/platform/setting/locales/${id}/texts/export`,
        },
      ]}
    />
  )
}
