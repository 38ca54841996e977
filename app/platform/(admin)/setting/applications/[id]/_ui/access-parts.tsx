'use client'

import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { EditableGroup } from '@/components/card/editable-group'
import type { Method } from '@/lib/access/roles/contract'
import type { ApplicationCard } from '@/lib/openid/applications/contract'

type Props = { application: ApplicationCard; methods: Method[]; mayEdit: boolean; children: ReactNode }

/** What the service account of an application may do, edited in place. */
export function ServiceMethodsGroup({ application, methods, mayEdit, children }: Props) {
  const t = useTranslations('applications')
  const form = () => import('./service-methods-form').then((part) => part.ServiceMethodsForm)
  return (
    <EditableGroup
      title={t('serviceMethods')}
      note={t('serviceMethodsNote')}
      form={form}
      of={{ application, methods }}
      mayEdit={mayEdit}
    >
      {children}
    </EditableGroup>
  )
}
