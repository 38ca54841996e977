'use client'

import { Eye, EyeOff } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { sends } from '@/components/form/actions'
import { RowActions } from '@/components/form/row-actions'
import { type Banner, deleteBanner, showBanner } from '@/lib/site/banners/contract'
import { EditBanner } from './banner-form'

/** The actions for a banner: edit, show or hide, and delete it. */
export function BannerMenu({ banner, name }: { banner: Banner; name: string }) {
  const t = useTranslations('banners')
  const { id, visible, updatedAt, domainsCount: count } = banner
  const switched = sends(showBanner, { params: { id }, body: { visible: !visible, updatedAt } })
  return (
    <RowActions
      row={name}
      actions={[
        {
          kind: 'edit',
          title: t('editTitle', { name }),
          form: (done) => <EditBanner record={banner} onDone={done} />,
        },
        visible
          ? {
              kind: 'confirm',
              label: t('hide'),
              icon: EyeOff,
              ask: { title: t('hideTitle', { name }), text: t('hideText', { count }) },
              sends: switched,
            }
          : { kind: 'call', label: t('show'), icon: Eye, sends: switched },
        {
          kind: 'remove',
          contract: deleteBanner,
          id,
          title: t('deleteTitle', { name }),
          text: t('deleteText'),
          kept: count > 0 ? { title: t('keepTitle', { name }), text: t('keepText', { count }) } : undefined,
        },
      ]}
    />
  )
}
